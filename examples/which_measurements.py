"""
Which measurements are enough?
==============================

Select the tumour measurements that explain 90% of the variance of all 30.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer

import tamis

frame = load_breast_cancer(as_frame=True).data
found = tamis.select(frame, retain=0.9)
print(f"{found.retained:.1%} explained, at most {found.bound:.1%} with {found.k} columns")
for row in sorted(found.explain(), key=lambda row: -row.share)[:3]:
    print(row)

# %%
# What every dropped measurement keeps:

rows = sorted(found.explain(), key=lambda row: row.share)
figure, axes = plt.subplots(figsize=(7, 4.5), layout="constrained")
axes.barh([row.column for row in rows], [row.share for row in rows], color="#1b6b68")
axes.set(xlim=(0, 1), xlabel="share explained by the kept columns")
plt.show()

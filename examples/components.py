"""
Components and their loadings
=============================

Compute components of tumour measurements, and the columns with the largest loadings.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer

import tamis

data = load_breast_cancer(as_frame=True)
kinds = data.target_names[data.target]
for method in ("pca", "lda"):
    found = tamis.extract(data.data, method=method, y=kinds, retain=0.6, scale=True)
    print(found.to_dict()["sentence"])
    for i, name in enumerate(found.names):
        columns = ", ".join(f"{c} ({w:+.2f})" for c, w in found.loadings(i, 3).items())
        print(f"  {name}: {columns}")

# %%
# The tumours on the first two principal components:

scores = tamis.extract(data.data, 2, method="pca").transform(data.data)
figure, axes = plt.subplots(figsize=(7, 4.5), layout="constrained")
for kind, colour in zip(data.target_names, ("#d55e00", "#0072b2"), strict=True):
    axes.scatter(*scores[kinds == kind].T, s=12, color=colour, label=kind)
axes.set(xlabel="PC1", ylabel="PC2")
axes.legend()
plt.show()

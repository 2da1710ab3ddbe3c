"""
Is the structure of the rows kept?
==================================

Measure whether rows keep their clusters and neighbours when most columns are dropped.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.preprocessing import StandardScaler

import tamis
from tamis.evaluation import cluster_agreement, neighbourhood_agreement

data = load_breast_cancer(as_frame=True)
full = StandardScaler().set_output(transform="pandas").fit_transform(data.data)
sizes, same, near = (2, 5, 10), [], []
for k in sizes:
    reduced = full[tamis.select(data.data, k=k).names]
    same.append(cluster_agreement(full, reduced).agreement)
    near.append(neighbourhood_agreement(full, reduced)[10])
    print(
        f"{k:>2} of 30 columns: {same[-1]:.1%} of the pairs of rows clustered alike, "
        f"10 nearest rows overlap by {near[-1]:.2f}"
    )

# %%
# Clusters survive with few columns, exact neighbours need more.

figure, axes = plt.subplots(figsize=(7, 3.5), layout="constrained")
axes.plot(sizes, same, marker="o", color="#1b6b68", label="pairs of rows clustered alike")
axes.plot(sizes, near, marker="s", color="#a8701c", label="overlap of the 10 nearest rows")
axes.set(xlabel="columns kept", ylim=(0, 1))
axes.legend()
plt.show()

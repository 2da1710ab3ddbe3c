"""Measure whether rows keep their clusters and neighbours when most columns are dropped."""

from sklearn.datasets import load_breast_cancer
from sklearn.preprocessing import StandardScaler

import tamis
from tamis.evaluation.clusters import cluster_agreement
from tamis.evaluation.neighbourhood import neighbourhood_agreement

data = load_breast_cancer(as_frame=True)
full = StandardScaler().set_output(transform="pandas").fit_transform(data.data)
for k in (2, 5, 10):
    reduced = full[tamis.select(data.data, k=k).names]
    same = cluster_agreement(full, reduced)
    near = neighbourhood_agreement(full, reduced)
    print(
        f"{k:>2} of 30 columns: {same.agreement:.1%} of the pairs of rows clustered alike, "
        f"10 nearest rows overlap by {near[10]:.2f}"
    )

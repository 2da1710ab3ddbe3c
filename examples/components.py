"""Compute components of tumour measurements, and the columns with the largest loadings."""

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
    found.report(f"{method}.html")

"""Select the tumour measurements that explain 90% of the variance of all 30."""

from sklearn.datasets import load_breast_cancer

import tamis

frame = load_breast_cancer(as_frame=True).data
found = tamis.select(frame, retain=0.9)
print(found)
print(f"{found.retained:.1%} explained, at most {found.bound:.1%} with {found.k} columns")
for row in sorted(found.explain(), key=lambda row: -row.share)[:3]:
    print(row)

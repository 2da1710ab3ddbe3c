"""Find out which of 30 tumour measurements are worth taking."""

from sklearn.datasets import load_breast_cancer

import tamis

frame = load_breast_cancer(as_frame=True).data
found = tamis.select(frame, retain=0.9)
print(found)
print(f"{found.retained:.1%} reproduced, at most {found.bound:.1%} with {found.k} columns")
for row in sorted(found.explain(), key=lambda row: -row.share)[:3]:
    print(row)

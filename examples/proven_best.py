"""Compare greedy, swapped and proven optimal selections."""

from sklearn.datasets import load_wine

import tamis

X = load_wine(as_frame=True).data
for refine in (False, True, "exact"):
    found = tamis.select(X, k=6, refine=refine)
    print(f"refine={refine!s:<6} {found.retained:.4f} of at most {found.bound:.4f}")

"""What methods find on tables that scikit-learn brings along, for pictures without examples."""

from functools import cache
from typing import Any

from sklearn.datasets import load_breast_cancer, load_wine

import tamis
from tamis import registry

K = 8
# COBWEB on all rows would take longer than the rest of the site.
FEWER = {"category-utility": {"sample": 60}}


@cache
def on_cancer() -> Any:
    """Run the default on the 569 tumours of scikit-learn, as `tamis demo` does."""
    return tamis.select(load_breast_cancer(as_frame=True).data)


@cache
def on_wine(method_id: str) -> Any:
    """Run a method on the 178 wines: 8 columns kept, or two components with the growers."""
    method = next(method for method in registry.methods() if method.id == method_id)
    wine = load_wine(as_frame=True)
    growers = [f"grower {number + 1}" for number in wine.target]
    asked = {"method": method_id, "y": growers if method.supervised else None}
    if method.kind == "extraction":
        found = tamis.extract(wine.data, 2, **asked)
        return found.names, found.transform(wine.data), growers
    return tamis.select(wine.data, K, options=FEWER.get(method_id), **asked)

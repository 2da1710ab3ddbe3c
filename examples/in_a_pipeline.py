"""
In a pipeline
=============

Choose the number of columns by cross-validation, inside a scikit-learn pipeline.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from tamis.selection import PrincipalFeatureSelection

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
steps = (StandardScaler(), PrincipalFeatureSelection(), LogisticRegression())
pipeline = make_pipeline(*steps).set_output(transform="pandas")
sizes = [1, 2, 5, 10]
grid = {"principalfeatureselection__n_features_to_select": sizes}
search = GridSearchCV(pipeline, grid, cv=5).fit(X, y)
kept = search.best_estimator_[1].get_feature_names_out()
print(f"accuracy {search.best_score_:.3f} with {len(kept)} columns: {', '.join(kept[:5])}, ...")

# %%
# The columns never see a label; few of them predict nearly as well as all.

figure, axes = plt.subplots(figsize=(7, 3.5), layout="constrained")
means, spread = (search.cv_results_[f"{name}_test_score"] for name in ("mean", "std"))
axes.errorbar(sizes, means, yerr=spread, color="#1b6b68", marker="o", capsize=3)
axes.set(xlabel="columns kept", ylabel="accuracy, 5 folds")
plt.show()

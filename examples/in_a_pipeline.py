"""Choose the number of columns by cross-validation, inside a scikit-learn pipeline."""

from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from tamis.selection import PrincipalFeatureSelection

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
steps = (StandardScaler(), PrincipalFeatureSelection(), LogisticRegression())
pipeline = make_pipeline(*steps).set_output(transform="pandas")
grid = {"principalfeatureselection__n_features_to_select": [2, 5, 10]}
search = GridSearchCV(pipeline, grid, cv=5).fit(X, y)
kept = search.best_estimator_[1].get_feature_names_out()
print(f"accuracy {search.best_score_:.3f} with {len(kept)} columns: {', '.join(kept[:5])}, ...")

import numpy as np
from sklearn.naive_bayes import GaussianNB
from sklearn.preprocessing import StandardScaler

from tamis.algorithms.learners import NaiveBayes


def test_every_set_of_columns_predicts_as_scikit_learn_does():
    rng = np.random.default_rng(0)
    y = np.arange(90) % 3
    X = rng.normal(size=(90, 5)) + 0.8 * y[:, None] * np.array([1, 0, -1, 0.5, 0])
    parts, splits = [], [(np.arange(60), np.arange(60, 90)), (np.arange(30, 90), np.arange(30))]
    for train, test in splits:
        scaler = StandardScaler().fit(X[train])
        parts.append((scaler.transform(X[train]).T, scaler.transform(X[test]).T, y[train]))
    model = NaiveBayes(parts, 3)
    for columns in ([0], [1, 4], [0, 2, 3]):
        expected = [
            GaussianNB().fit(a[columns].T, codes).predict(b[columns].T) for a, b, codes in parts
        ]
        assert model.predict(columns).tolist() == np.concatenate(expected).tolist()


def test_a_class_without_training_rows_is_never_predicted():
    train, test = np.array([[0.0, 1.0, 5.0, 6.0]]), np.array([[0.5, 5.5, 100.0]])
    model = NaiveBayes([(train, test, np.array([0, 0, 2, 2]))], 3)
    assert set(model.predict([0]).tolist()) == {0, 2}

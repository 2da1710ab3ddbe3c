from tamis import registry
from tamis.registry.estimator import list_attributes, list_parameters

METHODS = {method.id: method for method in registry.METHODS}


def names(method_id):
    return [option.name for option in list_parameters(METHODS[method_id])]


def test_the_number_of_columns_or_components_comes_first_and_own_options_last():
    assert names("sfs")[0] == "n_features_to_select"
    assert names("pca")[0] == "n_components"
    own = [option.name for option in METHODS["rspfs"].taken]
    assert names("rspfs")[-len(own) :] == own


def test_shared_parameters_follow_from_what_the_method_is():
    assert "scale" not in names("rspfs")
    assert {"scale", "refine", "missing"} <= set(names("sfs"))
    assert "missing" not in names("pca")


def test_a_default_is_that_of_the_method():
    for method in registry.METHODS:
        scale = [option.default for option in list_parameters(method) if option.name == "scale"]
        assert scale == ([] if method.scale is None else [method.scale])


def test_clusters_have_attributes_of_their_own():
    assert {"labels_", "rows_", "columns_"} <= {
        one.name for one in list_attributes(METHODS["proclus"])
    }
    assert "labels_" not in {one.name for one in list_attributes(METHODS["sfs"])}

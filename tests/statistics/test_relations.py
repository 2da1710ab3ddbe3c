import numpy as np

from tamis.statistics.gram import DenseGram
from tamis.statistics.relations import answer_by_kind
from tamis.statistics.shared_information import Information


def test_every_kind_of_relations_has_its_own_answer():
    gram = DenseGram(np.eye(2))
    assert answer_by_kind(gram, lambda own: own is gram, lambda _: False)
    information = Information(np.eye(2))
    assert answer_by_kind(information, lambda _: False, lambda own: own is information)

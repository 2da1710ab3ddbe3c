"""tamis: which columns of a wide table to keep, why, and what it costs to drop the rest."""

from typing import TYPE_CHECKING

from tamis.lazy import lazily

if TYPE_CHECKING:
    from tamis import clustering as clustering
    from tamis import evaluation as evaluation
    from tamis import extraction as extraction
    from tamis import pictures as pictures
    from tamis import progress as progress
    from tamis import selection as selection
    from tamis.api.check import check as check
    from tamis.api.compare import compare as compare
    from tamis.api.extract import extract as extract
    from tamis.api.load import load as load
    from tamis.api.look import look as look
    from tamis.api.methods import methods as methods
    from tamis.api.mutual_information import mutual_information as mutual_information
    from tamis.api.score import score as score
    from tamis.api.select import select as select
    from tamis.api.summarise import load_summary as load_summary
    from tamis.api.summarise import summarise as summarise
    from tamis.api.summarise import summary as summary
    from tamis.errors import TamisError as TamisError
    from tamis.results import Comparison as Comparison
    from tamis.results import Extraction as Extraction
    from tamis.results import Selection as Selection
    from tamis.results.choice_check import ChoiceCheck as ChoiceCheck
    from tamis.results.look import Look as Look
    from tamis.results.saved_choice import SavedChoice as SavedChoice
    from tamis.results.summary import DataSummary as DataSummary
    from tamis.sources.table_file import TableFile as TableFile

__all__ = [
    "ChoiceCheck",
    "Comparison",
    "DataSummary",
    "Extraction",
    "Look",
    "SavedChoice",
    "Selection",
    "TableFile",
    "TamisError",
    "check",
    "clustering",
    "compare",
    "evaluation",
    "extract",
    "extraction",
    "load",
    "load_summary",
    "look",
    "methods",
    "mutual_information",
    "pictures",
    "progress",
    "score",
    "select",
    "selection",
    "summarise",
    "summary",
]
__version__ = "0.2.0"

__getattr__, __dir__ = lazily(
    __name__,
    {
        "check": "tamis.api.check",
        "ChoiceCheck": "tamis.results.choice_check",
        "compare": "tamis.api.compare",
        "Comparison": "tamis.results",
        "DataSummary": "tamis.results.summary",
        "extract": "tamis.api.extract",
        "Extraction": "tamis.results",
        "load": "tamis.api.load",
        "load_summary": "tamis.api.summarise",
        "look": "tamis.api.look",
        "Look": "tamis.results.look",
        "methods": "tamis.api.methods",
        "mutual_information": "tamis.api.mutual_information",
        "SavedChoice": "tamis.results.saved_choice",
        "score": "tamis.api.score",
        "select": "tamis.api.select",
        "Selection": "tamis.results",
        "summarise": "tamis.api.summarise",
        "summary": "tamis.api.summarise",
        "TableFile": "tamis.sources.table_file",
        "TamisError": "tamis.errors",
    },
    ("clustering", "evaluation", "extraction", "pictures", "progress", "selection"),
)

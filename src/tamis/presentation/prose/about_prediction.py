"""What is said about predictions of a response on held-out rows."""

from tamis.facts.held_out_answer import PredictionFacts

__all__ = ["prediction_sentence"]

_MODELS = {
    "R²": "ridge regression",
    "AUC": "logistic regression",
    "accuracy": "logistic regression",
    "share explained": "a regression on indicators of its classes",
}


def prediction_sentence(found: PredictionFacts) -> str:
    """Say how well the kept columns predict a response on held-out rows.

    >>> prediction_sentence(PredictionFacts("yield", "R²", 0.5, 0.06, 5, 176, False, 0.61))
    "Predicts 'yield' on held-out rows: R² 0.50 by ridge regression (SD 0.06 over 5 folds); ..."
    """
    what = "the response" if found.response is None else repr(found.response)
    again = ", columns selected again in each" if found.selected_again else ""
    every = "" if found.with_all is None else f"; {found.with_all:.2f} with all columns"
    return (
        f"Predicts {what} on held-out rows: {found.score} {found.value:.2f} by "
        f"{_MODELS[found.score]} (SD {found.std:.2f} over {found.folds} folds{again}){every}."
    )

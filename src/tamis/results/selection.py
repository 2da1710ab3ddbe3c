"""What `select` returns: numbers, and what can be done with them."""

from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from tamis.algorithms.path import Path
from tamis.errors import TamisError, is_number
from tamis.evaluation.outcome import Outcome
from tamis.evaluation.record import Record, describe_labels, describe_missing
from tamis.facts.selection_answer import PredictionFacts, SelectionFacts
from tamis.registry import DEFAULT_METHOD
from tamis.results.frame import frame_library
from tamis.results.shown import Shown, by_text
from tamis.run.again import Reader
from tamis.run.selection import FoundColumns, select_from
from tamis.statistics.summary import Summary
from tamis.values import dataclass

if TYPE_CHECKING:  # what an answer may be asked for is loaded when it is
    from tamis.facts.explorer import Drawer
    from tamis.presentation.scenes.scene import Scene
    from tamis.results.column import Column, ColumnTable


@dataclass(frozen=True, eq=False)
class Selection(Shown, Outcome):
    """The columns to keep, what they explain, and how they explain the dropped ones.

    `print(found)` writes what the command writes; `found["age"]` gives all that is known about one
    column (a `Column`), kept or not.

    Attributes
    ----------
    names, indices
        Kept columns, best first, by name and by position in the input. Names are those of the
        table, so that `table[found.names]` has the kept columns: text, and for pandas whatever its
        labels are.
    k
        How many columns are kept.
    kept
        The kept columns, best first, each with what it adds; it prints as a table.
    dropped
        The dropped columns, the least explained on new rows first, each with what explains it.
    ranking
        Every column the path reached, best first, by name.
    scores
        The method's own score of every input column; NaN for skipped columns. Variances in it
        are relative to the mean variance of the columns, whatever the unit of the table.
    retained, bound
        Share of the variance that the kept columns explain, and the most that any set of as many
        columns could (the PCA ceiling). For a method on mutual information: the mean, over all
        columns, of the normalised mutual information with the kept column that shares most, and
        a proven bound on it.
    error
        How far these may be off where they are estimates, for tables too wide and too long to
        be multiplied; None where they are exact.
    curve
        Both for 1..k columns.
    chance
        Share that the kept columns would explain of an unrelated one, by chance: their number, of a
        category that of its levels but one, by one fewer than rows.
    held_out, held_out_std
        Share of the variance of held-out rows that 1..k columns explain, and its standard deviation
        over the folds. Every fold holds back a tenth of the rows; columns are selected again,
        filled, centred, scaled and regressed on the others. The share is 1 less the sum of the
        squared errors over that of the squares about the mean, both in the unit of the training
        rows, or in that of the table if columns are not scaled.
    stability
        How often each column is kept over 50 half-samples of the rows (`frequency`, by name), and
        the index of Nogueira, Sechidis and Brown (`index`, with `low` and `high`).
    included
        The columns that were to be kept in any case (`include`).
    auto
        For `k="auto"`: the number `k`, its interval `low` to `high`, and the `reason`.
    shortfall
        Why fewer columns are kept, or less is explained, than asked for, in a sentence; else None.
    missing
        What was done about missing values: `rows` read and `used`, and for every column that has
        any the share of them (`shares`).
    relations
        The columns that others determine, each with its `form`, `parts` and their weights: copies,
        other units, logarithms, ranks, sums. They are found in up to 5,000 rows of a table with
        names.
    constant
        Constant columns; they are never kept.
    skipped
        Skipped columns, each with the reason.
    nested
        Whether fewer columns, if asked for, would be the first of these; otherwise each number of
        columns has a set of its own.
    optimal
        Whether an exact search has proven that no set of as many columns explains more.
    tree
        The spectral tree of the columns, for a method that grows one: `order`, `depth`,
        `distance(first, second)` and `nested()`, all by name; None for the others.
    clusters
        For a method that finds clusters of rows with columns of their own: of each its `rows`
        (positions among the rows used), `columns` (names, best first) and `quality`; None for
        the others.
    """

    _internal: ClassVar[tuple[str, ...]] = (
        *("names_of", "curve_of"),
        *("follow_new_rows", "limit_new_rows"),
    )
    __iter__: ClassVar[None] = None  # a key gives a column; there is no order to go through them

    def __repr__(self) -> str:
        from tamis.presentation.prose.words import words_of

        shown = ", ".join(map(str, self.names[:5])) + (", ..." if self.k > 5 else "")
        share = f"{self.retained:.1%} {words_of(self.measure.name).share}"
        return f"<Selection by {self.request.method.id}: {self.k} columns, {share}: {shown}>"

    def __str__(self) -> str:
        from tamis.presentation.terminal.selection import selection_text

        return selection_text(self._facts)

    def _repr_html_(self) -> str:
        from tamis.presentation.notebook.card import selection_html

        return selection_html(self._facts)

    def __getitem__(self, column: Any) -> "Column":
        return self._columns[self.request.position(column)]

    @property
    def kept(self) -> "ColumnTable":
        """The kept columns, best first, each with what it adds."""
        from tamis.results.column import ColumnTable

        return ColumnTable([self._columns[j] for j in self.indices])

    @property
    def dropped(self) -> "ColumnTable":
        """The dropped columns, the least explained on new rows first, with what explains each."""
        from tamis.results.column import ColumnTable

        places = {self.request.position(row.column): row.first_share for row in self.explain()}
        return ColumnTable([self._columns[j] for j in sorted(places, key=lambda j: places[j])])

    @cached_property
    def _columns(self) -> "list[Column]":
        from tamis.results.column import columns_of

        return columns_of(self)

    def to_frame(self) -> Any:
        """Give one row for every column of the table: status, reason, rank, share, ...

        A data frame of the library that the table came from, otherwise an Arrow table. `new_rows`
        is how much of the column the kept ones explain on new rows, `new_rows_low` the lower limit
        of that, `share` how much they explain on these rows, `by` which of them do, `alone` what
        these few explain, `gain` and `total` what a kept column adds and what is then explained;
        `taken_as` says how it was taken (number, category of 5 levels, ...); `made_of`, where any
        is, of which others a column is a copy, a sum, the ranks, and `text` what it means, where
        that is known.
        """
        from tamis.presentation.prose.about_relations import relation_text
        from tamis.results.column import column_frame

        asked = self.request.settings.get("stability")
        return column_frame(
            self._columns,
            self.request.library,
            self.stability.frequency if asked else None,
            {one.column: relation_text(one) for one in self.relations},
            self.request.texts,
        )

    def plot(self, kind: str = "curve", ax: Any = None) -> Any:
        """Draw a picture with matplotlib (the extra `tamis[plot]`) and give its axes.

        Parameters
        ----------
        kind
            "curve": share explained by number of columns, with the ceiling and the held-out share
            if it was asked for. "fate": every column with the share of it that is explained, in
            table order, or along an axis if the names are numbers. "map": how alike the columns
            are, similar ones together.
        ax
            Axes to draw on; new ones if None.
        """
        from tamis.presentation.prose.words import words_of
        from tamis.presentation.scenes.curve import curve_scene
        from tamis.presentation.scenes.figure import draw_figure, map_plot
        from tamis.results.plot_facts import check_kind, map_facts

        words = words_of(self.measure.name, self.measure.weights_are)
        match check_kind(kind, ("curve", "fate", "map")):
            case "curve":
                facts = self._facts
                return draw_figure(curve_scene(facts.curve, facts.k, facts.held_out, words), ax)
            case "fate":
                return draw_figure(self._fate_scene(), ax)
        shown = map_facts(self._by_text, self.path.indices)
        if shown is None:
            raise TamisError("A map needs at least 2 columns that were analysed: there is one.")
        return map_plot(shown, self.path.kept.tolist(), words, ax)

    def _fate_scene(self) -> "Scene":
        """Make a dot for every analysed column, in table order, or at its name if all are numbers.

        Names such as wavelengths are places on an axis.
        """
        from tamis.presentation.scenes.fate import fate_scene
        from tamis.results.plot_facts import list_means

        drawers: dict[str | None, Drawer] = {
            "safe": "safe",
            "partly lost": "partly",
            "lost": "lost",
        }
        used = [column for column in self._columns if column.share is not None]
        names = [str(column.name) for column in used]
        places = list(map(float, names)) if all(map(is_number, names)) else []
        return fate_scene(
            [f"{place:g}" for place in places] or names,
            [(c.share if c.new_rows is None else c.new_rows) or 0.0 for c in used],
            [j for j, column in enumerate(used) if column.status == "kept"],
            [drawers.get(column.status, "dropped") for column in used],
            places=places or None,
            means=list_means(self) if places else (),
            chance=None if self.new_rows else self.chance,
        )

    def transform(self, data: Any) -> Any:
        """Give the kept columns of a table that has them, in the form it came in.

        Columns that were not judged come before them, as far as the table has them: keys, dates,
        and text where the method needs numbers; not the labels. `data[found.names]` is without
        them. Columns are found by name. Where this table or that of the selection has no names, as
        an array, they are found by position, and both must have as many columns. A path is read
        into an Arrow table.
        """
        from tamis.results.column_positions import list_unjudged, positions_in
        from tamis.sources.open import open_source

        source = open_source(data)
        positions = positions_in(source, self.request, self.indices)
        if source.named and self.request.named:
            names = {self.request.names[j] for j in list_unjudged(self)}
            # An object that has names and descriptions of its rows apart keeps them itself.
            apart = ("row names", "beside") if source.origin is None else ()
            beside = [
                j
                for j, (name, kind) in enumerate(zip(source.names, source.kinds, strict=True))
                if name in names and kind not in apart
            ]
            positions = [*beside, *positions]
        return source.pick(positions)

    def reconstruct(self, rows: Any, errors: bool = False) -> Any:
        """Predict the dropped columns of new rows from the kept ones.

        `rows` is a table with the kept columns; the answer is one of the same library with all
        analysed columns, in table order. `errors=True` gives also a table of standard errors, and
        of probabilities for categories. See `SavedChoice.reconstruct`.
        """
        from tamis.results.saved_choice import SavedChoice

        return SavedChoice.of(self).reconstruct(rows, errors)

    def save(self, path: str | FilePath) -> FilePath:
        """Write the choice to a `.tamis` file: weights, means and errors, but no row of the table.

        `tamis.load` reads it, `tamis check` says whether it still holds on new rows.
        """
        from tamis.results.saved_choice import SavedChoice

        return SavedChoice.of(self).save(path)

    def report(self, path: str | FilePath, *, rows: bool = True, gram: bool = True) -> FilePath:
        """Write a self-contained HTML page about this selection and give its path.

        The page holds the values of 200 rows, read again from the table where that is possible, to
        show what single columns are like; `rows=False` omits them. It holds also the
        correlations of up to 500 columns, to choose again in the page when a column is pinned,
        forbidden or priced, and a map of them; `gram=False` omits both.
        """
        from tamis.results.output import write_page

        return write_page(path, self._page(rows=rows, gram=gram))

    def _page(self, *, rows: bool = True, gram: bool = True) -> str:
        from tamis.presentation.page import selection as page
        from tamis.results.slider_facts import slider_facts

        chosen = self._facts.score is None  # columns that were given are only evaluated
        more = slider_facts(self._by_text, rows=rows, gram=gram, live=chosen)
        return page.render(self._facts, more)

    def widget(self) -> Any:
        """Show the report live in a notebook (the extra `tamis[notebook]`).

        What is pinned, forbidden or priced on the page comes back: `widget.names` are the columns
        that it keeps, `widget.selection` is the `Selection` of Python for the same wishes.
        """
        from tamis.presentation.notebook.card import selection_html
        from tamis.presentation.notebook.widget import explorer

        state = {"k": self.k, "names": list(self._facts.names)}
        return explorer(
            self._page(), selection_html(self._facts), state, partial(choose_again, self)
        )

    def to_dict(self) -> dict[str, Any]:
        """Give all that is shown about this selection as plain values, ready for JSON."""
        from tamis.presentation.prose.document import write_document

        return write_document(self._facts)

    @cached_property
    def _facts(self) -> SelectionFacts:
        """Gather once what the terminal, `--json` and the report show."""
        return self._by_text._gather_facts()

    @cached_property
    def _by_text(self) -> "Selection":
        """The same with all columns named by text, as they are shown and written."""
        return by_text(self)

    def _gather_facts(self) -> SelectionFacts:
        from tamis.results.selection_facts import selection_facts

        return selection_facts(self)


Made = TypeVar("Made", bound=Selection)


def make_selection(
    found: FoundColumns,
    data: Any,
    kind: type[Made] = Selection,  # type: ignore[assignment]  # mypy: a default for a type variable
    *,
    path: Path | None = None,
    predictions: tuple[PredictionFacts, ...] = (),
    notes: tuple[str, ...] = (),
    **more: Any,
) -> Made:
    """Make a result of what was found, or of another path on the same table."""
    labels = describe_labels(found)
    record = Record.of(found.source, found.request, labels.setting if labels else None)
    missing = describe_missing(
        found.request.missing,
        found.summary.tally,
        found.source,
        found.usable,
        codes_text=not found.summary.has_moments,
    )
    return kind(
        replace(record, library=frame_library(data), doubts=(*record.doubts, *notes)),
        found.path if path is None else path,
        found.summary,
        found.used,
        missing,
        tuple(record.relabel(found.constant)),
        record.relabel_keys(found.skipped),
        found.search if found.request.method.retains else None,  # a report does not search again
        labels,
        found.suspects,
        found.auto,
        found.folds,
        Reader.of(found.request, found.usable, data),
        predictions,
        found.notes,
        **more,
    )


def choose_again(
    found: Selection, k: int, pins: list[str], barred: list[str], prices: dict[str, float]
) -> Selection:
    """Give the selection of `k` columns with these wishes; the first one if there are none.

    What a method cannot forbid is not analysed at all.
    """
    if not (pins or barred or prices) and k == found.k:
        return found
    data = None if found.reader is None else found.reader.table()
    if data is None or found.reader is None:
        raise TamisError(
            "The table is no longer in memory to choose again: keep it in a variable, or select "
            "from its path."
        )
    request = found.reader.request
    own, exclude = {**request.own}, [*request.exclude]
    include = [*request.include, *(name for name in pins if name not in request.include)]
    if barred and request.method.has("forbid"):
        own["forbid"] = [*(own.get("forbid") or []), *barred]
    else:
        exclude += barred
    if prices and not request.method.has("costs"):
        raise TamisError(
            f"Method {request.method.id!r} takes no prices: remove them, or use {DEFAULT_METHOD}."
        )
    if prices:
        own["costs"] = {**(own.get("costs") or {}), **prices}
    own = {name: None if name == "threshold" else value for name, value in own.items()}
    request = replace(request, k=k, retain=None, auto=False, include=include, exclude=exclude)
    return make_selection(select_from(replace(request, own=own), data), data)


_MAX_STORED_COLUMNS = 2_000  # columns: their matrix then takes 32 MB


def without_rows(found: FoundColumns) -> Selection | None:
    """Make a result that holds no row of the table and no label; None where that cannot be.

    It cannot where rows stand for the Gram matrix, because they are fewer than the columns, and
    where the matrix of columns by columns would be large.
    """
    statistic = found.summary.statistic
    if statistic.deferred or len(found.used) > _MAX_STORED_COLUMNS:
        return None
    held = statistic.explained
    if held.samples is not None:
        return None
    made: Selection = make_selection(found, None)
    labels = None if made.labels is None else replace(made.labels, given=None)
    made = replace(made, labels=labels, reader=None)
    if held is statistic and found.summary.blocks is None:
        return made
    known = found.summary
    unfit = dict(known.refused)
    summary = Summary(known.n_rows, known.varying, table=held, unfit=unfit, tally=known.tally)
    return replace(made, summary=summary, search=None)

"""Every module is found from a test: one of its name, one that imports it, or one named here."""

import ast
import re
from fnmatch import fnmatch
from pathlib import Path

TESTS = Path(__file__).parent
SOURCE = TESTS.parent / "src" / "tamis"

# Modules that are run through others, and the test (or the folder of tests) to change with them.
HELD_BY = {
    "__main__.py": "test_startup.py",
    "algorithms/clustering/cluster_evidence.py": "algorithms/clustering/test_category_utility.py",
    "algorithms/clustering/hierarchy.py": "clustering/test_cobweb.py",
    "algorithms/forward/group_residual.py": "algorithms/forward/test_forward.py",
    "algorithms/wrappers/search_evidence.py": "algorithms/wrappers/test_job.py",
    "api/check.py": "results/test_saved_choice.py",
    "api/extract.py": "test_extract.py",
    "api/load.py": "results/test_saved_choice.py",
    "cli/arguments.py": "cli/test_refused_early.py",
    "cli/compare.py": "cli/test_output_flags.py",
    "cli/demo.py": "cli/test_refused_early.py",
    "cli/look.py": "api/test_look.py",
    "cli/mcp.py": "agents/test_stdio.py",
    "cli/merge.py": "cli/test_summarise.py",
    "cli/methods.py": "cli/test_commands.py",
    "cli/page.py": "presentation/browser/test_try_page.py",
    "cli/options.py": "cli/test_help.py",
    "cli/reconstruct.py": "cli/test_check.py",
    "cli/score.py": "cli/test_commands.py",
    "clustering/hierarchy.py": "clustering/test_cobweb.py",
    "columns/*.py": "columns/test_corpus.py",
    "evaluation/binding.py": "run/test_limits.py",
    "evaluation/common_ground.py": "api/test_compare.py",
    "evaluation/entry.py": "api/test_compare.py",
    "evaluation/found_path.py": "results/test_selection.py",
    "evaluation/outcome.py": "results/test_selection.py",
    "evaluation/rebuilt.py": "results/test_saved_choice.py",
    "evaluation/resampled.py": "evaluation/test_stability.py",
    "evaluation/weighted_measure.py": "algorithms/forward/test_forward_regression.py",
    "extraction/*.py": "extraction/test_estimators.py",
    "facts/*.py": "facts",
    "numerics/types.py": "numerics",
    "presentation/*.py": "presentation",
    "registry/*.py": "test_registry.py",
    "results/*_facts.py": "results",
    "results/call_words.py": "results/test_repeat_facts.py",
    "results/choice.py": "results/test_selection.py",
    "results/choice_check.py": "results/test_saved_choice.py",
    "results/choice_file.py": "results/test_saved_choice.py",
    "results/column_frame.py": "results/test_column.py",
    "results/comparison.py": "api/test_compare.py",
    "results/make_extraction.py": "test_extract.py",
    "results/extraction.py": "test_extract.py",
    "results/look.py": "api/test_look.py",
    "results/score.py": "api/test_score.py",
    "results/make_selection.py": "results/test_selection.py",
    "results/summary.py": "api/test_summarise.py",
    "run/default.py": "api/test_mixed.py",
    "run/extraction.py": "test_extract.py",
    "run/look.py": "api/test_look.py",
    "run/named_values.py": "run/test_limits.py",
    "run/new_rows.py": "results/test_saved_choice.py",
    "run/preparation_notes.py": "run/test_prepare.py",
    "run/refinement.py": "algorithms/refine",
    "run/selection.py": "results/test_selection.py",
    "run/training.py": "run/test_policy.py",
    "selection/*.py": "test_estimators.py",
    "sources/annotated.py": "sources/test_anndata.py",
    "sources/arff_header.py": "sources/test_arff.py",
    "sources/beside.py": "sources/test_plink.py",
    "sources/encodings.py": "sources/test_text_form.py",
    "sources/feather_sizes.py": "sources/test_feather.py",
    "sources/layout_sentences.py": "sources/test_text_form.py",
    "sources/readers.py": "cli/test_formats.py",
    "sources/sheet_rows.py": "sources/test_spreadsheet.py",
    "sources/stored_frame.py": "sources/test_anndata.py",
    "sources/stored_matrix.py": "sources/test_anndata.py",
    "sources/streams.py": "test_streams.py",
    "sources/summary_checks.py": "sources/test_summary_file.py",
    "sources/text_layout.py": "sources/test_text_form.py",
    "sources/text_lines.py": "sources/test_text_form.py",
    "statistics/column_spread.py": "statistics/test_moments.py",
    "statistics/encoded_pass.py": "run/test_row_notes.py",
    "statistics/rewritings.py": "statistics/test_scaled_source.py",
    "statistics/row_blocks.py": "statistics/test_block_moments.py",
    "statistics/gram/*.py": "statistics/test_gram.py",
    "statistics/missing_cells.py": "statistics/test_missing.py",
    "statistics/missing_faults.py": "statistics/test_missing.py",
    "statistics/statistic.py": "algorithms/test_fourth_form.py",
    "statistics/summary_protocol.py": "run/test_candidates.py",
}


def imported(text: str) -> set[str]:
    """List the modules that a test imports, or names in a string."""
    found = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            names = re.findall(r"\btamis(?:\.\w+)+", node.value)
            found |= {name for path in names for name in (path, path.rpartition(".")[0])}
    return found


def modules() -> list[str]:
    return sorted(
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*.py")
        if path.name != "__init__.py"
    )


def test_every_module_is_held_by_a_test():
    tests = [path.read_text(encoding="utf-8") for path in TESTS.rglob("*.py")]
    named = set().union(*map(imported, tests))
    lost = []
    for module in modules():
        folder, _, name = module.rpartition("/")
        mirrored = (TESTS / folder / f"test_{name}").exists()
        dotted = "tamis." + module.removesuffix(".py").replace("/", ".")
        if not (mirrored or dotted in named or any(fnmatch(module, one) for one in HELD_BY)):
            lost.append(module)
    assert lost == []


def test_what_is_listed_here_exists():
    assert [one for one in HELD_BY.values() if not (TESTS / one).exists()] == []
    assert [one for one in HELD_BY if not any(fnmatch(module, one) for module in modules())] == []

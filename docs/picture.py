"""Take the pictures of the report that the README and the landing page show, with Chromium."""

import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright
from sklearn.datasets import load_breast_cancer

import tamis

STATIC = Path(__file__).with_name("_static")
SIZE = {"width": 1000, "height": 920}


def main() -> None:
    """Write one picture for each colour scheme."""
    data = load_breast_cancer(as_frame=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        table = Path(folder) / "breast_cancer.csv"
        data.data.to_csv(table, index=False)
        page = tamis.select(table).report(Path(folder) / "report.html")
        browser = play.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        for scheme, name in (("light", "report.png"), ("dark", "report-dark.png")):
            context = browser.new_context(viewport=SIZE, color_scheme=scheme)
            view = context.new_page()
            view.goto(page.as_uri())
            view.screenshot(path=STATIC / name)
        browser.close()


if __name__ == "__main__":
    main()

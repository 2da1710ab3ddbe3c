"""A table of customers as it comes out of a shop's database: everything that makes a table hard."""

import numpy as np
import pandas as pd


def customers(rows: int = 1500, seed: int = 0) -> pd.DataFrame:
    """Make a messy table: five causes (region, age, income, plan, use) behind 20-odd columns."""
    rng = np.random.default_rng(seed)
    region = rng.choice(["north", "south", "east", "west"], rows, p=[0.4, 0.3, 0.2, 0.1])
    age = rng.integers(18, 80, rows)
    income = np.exp(rng.normal(10.3, 0.5, rows))
    plan = rng.choice(["free", "basic", "pro"], rows, p=[0.5, 0.3, 0.2])
    use = rng.gamma(2.0, 10.0, rows)
    city = {
        "north": ["Kiel", "Lübeck"],
        "south": ["Ulm"],
        "east": ["Halle"],
        "west": ["Bonn", "Köln"],
    }
    visits = pd.Series(rng.poisson(use / 5).astype(float))
    ratio = pd.Series(use / rng.poisson(2.0, rows))  # some divided by zero
    price = pd.Series({"free": 0.0, "basic": 9.9, "pro": 29.9})[plan].to_numpy()
    frame = pd.DataFrame(
        {
            "customer_id": np.arange(100_000, 100_000 + rows),
            "email": [f"u{i}@example.org" for i in range(rows)],
            "signed up": pd.date_range("2021-01-01", periods=rows, freq="7h").strftime("%Y-%m-%d"),
            "region": region,
            "city": [rng.choice(city[name]) for name in region],
            "postcode": [20_000 + 7 * list(city).index(name) for name in region],
            "age": age.astype(float),
            "born": 2026 - age,
            "income, net": income.round(2),
            "income, gross": (1.4 * income + rng.normal(0, 300, rows)).round(2),
            "revenue": [f"€ {value:,.2f}" for value in 12 * price + rng.gamma(1.0, 3.0, rows)],
            "plan": plan,
            "paying": plan != "free",
            "monthly fee": price,
            "minutes": use,
            "hours": use / 60,
            "visits": visits,
            "ratio": ratio,
            "newsletter": rng.random(rows) < 0.3,
            "country": "DE",
            "fax": np.nan,
            "churned": rng.choice(["yes", "no"], rows, p=[0.2, 0.8]),
        }
    )
    frame.loc[rng.random(rows) < 0.1, "age"] = np.nan
    frame.loc[rng.random(rows) < 0.05, "city"] = None
    frame.loc[rng.random(rows) < 0.02, "visits"] = np.nan
    return frame

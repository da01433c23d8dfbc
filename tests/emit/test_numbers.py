from __future__ import annotations

import pytest

from jobset_compiler.emit.numbers import number


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (5.0, "5"),
        (-3.0, "-3"),
        (1e16, "10000000000000000"),
        (1e20, "100000000000000000000"),
        (1e21, "1.0e+21"),
        (-1.5e300, "-1.5e+300"),
        (0.5, "0.5"),
        (1e-4, "0.0001"),
        (1e-5, "0.00001"),
        (-1.25e-6, "-0.00000125"),
        (1e-7, "1.0e-07"),
        (0.1 + 0.2, "0.30000000000000004"),
    ],
)
def test_number(value: float, written: str) -> None:
    assert number(value) == written
    assert float(written) == value


@pytest.mark.parametrize("value", [float("inf"), float("-inf"), float("nan")])
def test_what_json_does_not_have_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="not a JSON number"):
        number(value)

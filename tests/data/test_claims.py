from __future__ import annotations

import json
import math
import time
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explainers.data.claims import Evaluated, bare_name, check, evaluate, names, verdict
from explainers.data.numerals import fixed, integer, percent, si, sig
from explainers.data.run import Done, run
from explainers.data.values import About, Dataset, Field, plain
from explainers.data.verdict import judge
from explainers.errors import Problem, Span, show
from explainers.model import Expression

from .conftest import Site


def dataset(name: str, sweep: dict[str, tuple[Any, ...]] | None = None, **values: Any) -> Dataset:
    fields = {field: Field((*(sweep or {}),)) for field in values}
    kept = {field: plain(np.asarray(value)) for field, value in values.items()}
    return Dataset(About(name, fields, sweep or {}), kept)


DATA: Mapping[str, Any] = {
    "strides": dataset(
        "strides", {"stride": (1, 2, 32)}, degree=[1, 2, 32], share=[0.5, 0.25, 1 / 3]
    ),
    "row": dataset(
        "row",
        m=[1.0, 3.0, 3.0],
        l=1.5,
        n=7,
        big=np.int64(1 << 62),
        bytes=np.array([200, 100], dtype=np.uint8),
        single=np.float32(0.1),
        word="so",
        nothing=np.array([]),
        infinite=-np.inf,
        grid=[[1, 2], [3, 4]],
    ),
    "numbers": {"peak": 3.35e12, "ratio": 1.3, "third": 1 / 3, "count": 12},
}


def ask(text: str, use: str = "value") -> Evaluated | Problem:
    return evaluate(Expression(text, use, Span("page.md", 1, 1)), DATA)


def text_of(text: str) -> str:
    found = ask(text)
    assert isinstance(found, Evaluated), found
    kept = json.loads(json.dumps(found.json()))
    assert Evaluated.of(kept) == found
    return found.text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("strides.at(stride=32).degree", "32"),
        ("strides.degree[-1] * 1000", "32,000"),
        ("row.l | fixed(2)", "1.50"),
        ("-row.l | fixed(1)", "−1.5"),
        ("(row.l / 7) | sig(3)", "0.214"),
        ("row.m[1] | int", "3"),
        ("row.m | fixed(0)", "1, 3, 3"),
        ("[1, 2]", "1, 2"),
        ("row.word", "so"),
        ("row.n == 7", "true"),
        ("row.infinite | fixed(1)", "−∞"),
        ("1.50", "1.50"),
        ("-3", "−3"),
        ("len(row.m) + max(1, 2) + min(row.m) + sum(row.m) | int", None),
        ("(len(row.m) + max(1, 2) + min(row.m) + sum(row.m)) | int", "13"),
        ("sum(row.bytes)", "300"),
        ("(row.bytes + row.bytes)[0]", "400"),
        ("row.big + row.big", "9,223,372,036,854,775,808"),
        ("abs(-2)", "2"),
        ("round(2.567, 2) | fixed(2)", "2.57"),
        ("row.grid[1][0]", "3"),
        ("row.grid[1, 0]", "3"),
        ("row.grid.T[0][1]", "3"),
        ("row.grid.shape[1]", "2"),
        ("row.m[1:][0] | int", "3"),
        ("(1 if row.n > 3 else 2)", "1"),
        ("numbers.peak | si('B/s')", "3.35\u202fTB/s"),
        ("numbers.ratio", "1.3"),
        ("numbers.count", "12"),
        ("255 | hex", "0xff"),
        ("5 | bin(8)", "0b00000101"),
        ("0.125 | percent(1)", "12.5%"),
        ("4096 | int(plain=true)", "4096"),
        ("row.single | sig(9)", "0.100000001"),
    ],
)
def test_values_are_written_as_print_has_them(text: str, expected: str | None) -> None:
    if expected is None:
        assert isinstance(ask(text), Problem)
    else:
        assert text_of(text) == expected


def test_the_value_in_full_is_kept_beside_the_text() -> None:
    found = ask("row.single | fixed(2)")
    assert isinstance(found, Evaluated)
    assert (found.text, found.raw) == ("0.10", "0.10000000149011612")
    assert found.value == float(np.float32(0.1))


ERRORS = [
    ("stride.degree", "unknown-dataset", 'no dataset named "stride"', "stride"),
    ("row.mm", "unknown-field", 'row has no field "mm"', "mm"),
    ("row.n + row.__class__", "unknown-field", 'no field "__class__"', "__class__"),
    ("strides.at(stride=1).degree + strides.at(stride=3).degree", "unknown-state",
     "no state stride=3; stride is one of 1, 2, 32", "stride"),
    ("strides.at(strid=1).degree", "unknown-state", "its axes are stride", "strid"),
    ("strides.at(1).degree", "bad-expression", "takes its values by name", "at"),
    ("strides.at().degree", "unknown-state", 'needs a value for "stride"', "at"),
    ("row.l", "unformatted-number", "1.5 needs a format", "row.l"),
    ("[1, 0.5]", "unformatted-number", "0.5 needs a format", "[1, 0.5]"),
    ("numbers.third", "unformatted-number", "needs a format", "numbers.third"),
    ("numbers.rati", "bad-expression", 'no row "rati"', "rati"),
    ("row", "unfit-value", "no number: Dataset", "row"),
    ("row.grid", "unfit-value", "a whole array", "row.grid"),
    ("row.m[9] | int", "bad-expression", "no item 9 among 3", None),
    ("row.l / 7 | fixed(2)", "bad-expression", "computes with text", "|"),
    ("row.l | fixd(2)", "bad-expression", 'no filter named "fixd"', "fixd"),
    ("row.l | fixed(99)", "bad-expression", "digits is 99", None),
    ("row.l | fixed(2) | sig(2)", "bad-expression", "formatted once", None),
    ("row.l | int", "bad-expression", "1.5 is not whole", None),
    ("row.word | fixed(1)", "bad-expression", "'so' is not a number", None),
    ("maximum(1, 2)", "bad-expression", 'no function named "maximum"', "maximum"),
    ("fixed(row.l)", "bad-expression", '"fixed" is a filter', "fixed"),
    ("row.m.sum()", "bad-expression", '"sum" cannot be called', "sum"),
    ("row.m.tofile", "bad-expression", 'no ".tofile"', "tofile"),
    ("row.word.upper()", "bad-expression", '"upper" cannot be called', "upper"),
    ("truth__(1)", "bad-expression", "cannot be called", "truth__"),
    ("abs(*row.m)", "bad-expression", "unpacked", None),
    ("row.l = 2", "bad-expression", 'written "=="', "="),
    ("row.l 2", "bad-expression", 'ends before "2"', "2"),
    ("row.l is number", "bad-expression", '"is" cannot', "is"),
    ("1 +", "bad-expression", "no expression", "1 +"),
    ("", "bad-expression", "empty", ""),
    ("{'a': 1}", "bad-expression", "dict cannot be used", None),
    ("'a' ~ 'b'", "bad-expression", "concat cannot be used", None),
    ("2 ** 3 ** 2", "bad-expression", "two ways", "**"),
    ("1 if row.n > 9", "bad-expression", "needs an else", "if"),
    ("1 / 0", "bad-expression", "divides by zero", None),
    ("row.m + row.bytes", "bad-expression", "do not fit", None),
    ("row.m < 2 and true", "bad-expression", "an array stands where one truth", None),
    ("not row.m", "bad-expression", "an array stands where one truth", None),
    ("1 < row.m < 2", "bad-expression", "compared once only", None),
    ("row.m[:1] in [1]", "bad-expression", "not by in", None),
    ("1 if row.m[:1] else 2", "bad-expression", "an array stands where one truth", None),
    ("all(row.m)", "bad-expression", "all takes truths", "all"),
    ("all(row.nothing < 1)", "bad-expression", "all of nothing", "all"),
    ("max(row.nothing)", "bad-expression", "max of nothing", "max"),
    ("row == 1", "bad-expression", "a dataset cannot be compared", None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "code", "message", "word"), ERRORS)
def test_what_is_wrong_is_said_with_its_place(
    text: str, code: str, message: str, word: str | None
) -> None:
    found = ask(text)
    assert isinstance(found, Problem), found
    assert found.code == code
    assert message in found.message
    assert found.span is not None
    start = found.span.column - 1
    if word is not None:
        assert text[start : start + found.span.width] == word
    if "stride=3" in text:
        assert start == text.rindex("stride=3")


@pytest.mark.parametrize(
    "text",
    [
        "9 ** 99999999",
        "10.0 ** 400",
        "'a' * 10 ** 9",
        "[0] * 10 ** 9",
        "(10 ** 600) * (10 ** 700)",
        "row.grid * row.big",
        "row.m ** 2 + 'x'",
        "'%1000000000d' % 1",
        "1" * 3000,
        "(" * 900,
        "-" * 1900 + "1",
        "1" + "+1" * 990 + "x" * 50,
    ],
)
def test_nothing_can_hang_the_build(text: str) -> None:
    began = time.perf_counter()
    assert isinstance(ask(text), Problem)
    assert time.perf_counter() - began < 1


@pytest.mark.parametrize(
    "text",
    [
        "row.n == 7",
        "row.m >= 1",
        "all(row.m >= 1) and row.l < 2",
        "any(row.m == 3) or 1 / 0 > 1",
        "not row.n < 3",
        "1 < row.l < 2",
        "row.n in [1, 7]",
        "close(row.l, 1.5 + 1e-12)",
        "close(row.m, row.m + 1e-12)",
        "close(row.infinite, row.infinite)",
        "strides.degree == strides.degree",
        "row.single != 0.1",
    ],
)
def test_true_claims_hold(text: str) -> None:
    assert ask(text, "claim") == Evaluated("true", True, "true")


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("row.n == 8", "false-claim", "this claim is false: row.n = 7 is not 8"),
        ("row.l < row.n - 6", "false-claim", "row.l = 1.5 is not below (row.n - 6) = 1"),
        ("row.m <= 2", "false-claim", "row.m[1] = 3.0 is above 2"),
        ("all(row.m <= 2)", "false-claim", "row.m[1] = 3.0 is above 2"),
        ("row.grid != 3", "false-claim", "row.grid[1, 0] = 3 is equal to 3"),
        ("row.n == 7 and row.l == 7", "false-claim", "row.l = 1.5 is not 7"),
        ("1 == 2 or row.n == 9", "false-claim", "(1 == 2 or row.n == 9) is false"),
        ("close(row.l, 1.6, abs=0.01)", "false-claim", "1.6; they differ by 0.1"),
        ("all(close(row.m, 3, rel=0.1))", "false-claim", "row.m[0] = 1.0 is not close to 3"),
        ("not row.n == 7", "false-claim", "not row.n == 7 is false"),
        ("1 < row.n < 3", "false-claim", "1 < row.n < 3 is false"),
        ("row.n", "not-a-claim", "it is 7 (int), not true or false"),
        ("row.m", "not-a-claim", "an array of float64 (3,)"),
        ("row.nothing < 1", "not-a-claim", "compares nothing"),
        ("row.l | fixed(2)", "not-a-claim", "'1.50'"),
    ],
)
def test_false_claims_show_both_sides(text: str, code: str, message: str) -> None:
    found = ask(text, "claim")
    assert isinstance(found, Problem)
    assert found.code == code
    assert message in found.message


def test_a_problem_points_into_the_page() -> None:
    page = "Text {value}`row.mm | int` here."
    expression = Expression("row.mm | int", "value", Span("page.md", 1, page.index("row") + 1))
    found = evaluate(expression, DATA)
    assert isinstance(found, Problem)
    assert show(found, lambda path: page) == (
        'page.md:1:18: error[unknown-field]: row has no field "mm"; it has m, l, n, big, bytes, '
        "single, word, nothing, infinite, grid\n"
        f"   1 | {page}\n"
        "     |                  ^^\n"
        'hint: did you mean "m"?'
    )


def test_names_are_found_without_data() -> None:
    assert names("max(a.b, c.at(x=d.e)[0]) | fixed(2)") == ("a", "c", "d")
    assert names("1 +") == ()
    assert bare_name(" holds ") == "holds"
    assert bare_name("holds.x") is bare_name("sum") is bare_name("") is None
    assert check(Expression("a | b", "value", Span("p"))) != ()
    assert check(Expression("a | fixed(2)", "value", Span("p"))) == ()


VOCABULARY = (
    "row strides numbers . m l n at ( ) [ ] | fixed sig int , : 0 1 2.5 + - * / ** == < and or not "
    "in if else all any sum close max stride = 'a' true none { } ~ %"
)
WORDS = st.sampled_from(VOCABULARY.split())


@given(st.lists(WORDS, max_size=12))
def test_any_words_give_a_value_or_a_problem_inside_them(words: list[str]) -> None:
    text = " ".join(words)
    for use in ("value", "claim"):
        found = ask(text, use)
        assert isinstance(found, (Evaluated, Problem))
        if isinstance(found, Problem):
            assert found.span is not None
            assert 1 <= found.span.column <= max(1, len(text))
            assert found.span.column + found.span.width - 1 <= max(1, len(text))


@given(st.text(max_size=30))
def test_any_text_gives_a_value_or_a_problem(text: str) -> None:
    assert isinstance(ask(text), (Evaluated, Problem))


def read_back(text: str) -> float:
    text = text.replace("−", "-").replace(",", "").replace("\u202f", "")
    mantissa, _, power = text.partition("×10")
    plain_power = power.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))
    return float(f"{mantissa}e{plain_power or 0}")


@given(st.floats(allow_nan=False, allow_infinity=False), st.integers(1, 15))
def test_significant_digits_are_those_of_the_number(number: float, n: int) -> None:
    assert read_back(sig(number, n)) == float(f"{number:.{n - 1}e}")


@given(st.floats(-1e15, 1e15), st.integers(0, 8))
def test_digits_after_the_point_are_those_of_the_number(number: float, n: int) -> None:
    text = fixed(number, n)
    assert read_back(text) == float(f"{number:.{n}f}")
    assert len(text.partition(".")[2]) == n
    assert "-" not in text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (sig(123456, 2), "120,000"),
        (sig(1234567, 2), "1.2\u202f×\u202f10⁶"),
        (sig(0.000012, 2), "1.2\u202f×\u202f10⁻⁵"),
        (sig(0.9999, 2), "1.0"),
        (sig(0, 3), "0.00"),
        (fixed(-0.001, 2), "0.00"),
        (fixed(2.5), "2"),
        (fixed(math.inf), "∞"),
        (fixed(math.nan), "NaN"),
        (integer(-1234.0), "−1,234"),
        (si(999_999, "B"), "1.00\u202fMB"),
        (si(4000, "B"), "4\u202fkB"),
        (si(264, "B"), "264\u202fB"),
        (si(0.0021, "s"), "2.1\u202fms"),
        (si(1234.5), "1.23\u202fk"),
        (si(0, "B"), "0\u202fB"),
        (si(3e20, "B"), "300,000\u202fPB"),
        (percent(0.5), "50%"),
        (percent(1), "100%"),
    ],
)
def test_numerals(text: str, expected: str) -> None:
    assert text == expected


def test_a_claim_may_be_a_function_of_data_py(folder: Site) -> None:
    folder.data(
        """
        @dataset(dims={"a": ("item",)})
        def row():
            return {"a": [1, 2, 3]}

        def rises(row):
            return all(np.diff(row.a) > 0)

        def falls(row):
            return np.diff(row.a) < 0

        def speaks():
            return "yes"

        def breaks(row):
            return row.b > 1
        """
    )
    (made,) = run([folder.call("row")])
    assert isinstance(made, Done)
    inputs = (("row", made.data),)
    claims = ["rises", "falls", "speaks", "breaks"]
    results = run([folder.call(name, inputs=inputs, claim=True) for name in claims], workers=1)
    said = []
    for name, result in zip(claims, results, strict=True):
        found = result
        if isinstance(result, Done):
            found = verdict(Expression(name, "claim", Span("p.md")), result.data)
        said.append(found.message if isinstance(found, Problem) else found)
    assert said[0] == Evaluated("true", True, "true")
    assert said[1] == "this claim is false: of falls(), it is false first at [0], 2 of 2 in all"
    assert said[2] == "speaks() is no claim: it is 'yes' (str), not true or false"
    assert 'claim "breaks" of one-two raised FieldError: row has no field "b"' in str(said[3])


def test_a_verdict_is_over_truths_alone() -> None:
    assert judge(np.bool_(True)).true and judge(np.array([True])).true
    assert not judge(1).is_claim and not judge(np.array([1])).is_claim
    assert judge(np.array([[True, False]])).index == (0, 1)

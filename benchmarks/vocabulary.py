"""The words and sentences that the prose of a benchmark site is made of."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence


def _listed(text: str, between: str = " ") -> list[str]:
    """Return the words of a text, or its phrases, where lines or another mark part them."""
    return [
        phrase.strip()
        for phrase in text.strip().replace("\n", between).split(between)
        if phrase.strip()
    ]


NOUNS = _listed("""
    accumulator address algorithm allocation array assembler assumption barrier batch benchmark
    bit block bottleneck boundary branch broadcast bucket buffer bus byte cache candidate carry
    channel checkpoint chunk clock cluster coefficient column compiler compressor constant context
    controller convolution copy core counter covariance cursor cycle database deadline decision
    decoder delay derivative descriptor detector device diagonal difference digit dimension
    direction distance distribution domain driver edge eigenvalue element embedding encoder entry
    epoch error estimate event evidence exception exponent expression factor failure fence fetch
    field filter fixture flag footprint fraction fragment frame frequency frontier function future
    gate gradient graph grid guard handle hash header heap heuristic hierarchy histogram history
    host hypothesis identity image index inequality input instance instruction integer interface
    interrupt interval invariant iteration journal kernel key label lane latency lattice layer
    layout leaf ledger lemma level library limit line link listener literal load lock logarithm
    loop machine mantissa map margin mask matrix maximum measurement median memory message method
    metric minimum mirror mixture model module moment monitor network node norm normalisation
    number object observation offset operand operation operator optimum order outlier output
    overflow overhead packet page pair panel parameter parity partition pass path pattern penalty
    percentile period permutation phase pipeline pivot pixel plan pointer policy pool position
    power precision predicate predictor prefix probability problem procedure process processor
    product profile program projection prompt proof property protocol proxy quantile quantity query
    queue quotient radius range rank rate ratio reader record recurrence reduction reference region
    register regression regularity relation remainder replica request reservoir residual resource
    response result rotation round route row rule run sample scalar scale scan schedule scheduler
    schema score segment semaphore sensor sequence series server session shard shape shift signal
    signature simulation slice slot snapshot socket solution solver source spectrum split stack
    stage state statement statistic step stochastic storage stream stride string structure
    subgraph subset sum surface switch symbol system table tail target task tensor term test
    theorem thread threshold throughput tile token tolerance topology trace traffic transaction
    transform transition tree trial triangle tuple unit update value variable variance vector
    version vertex view voltage warp wavefront weight width window word worker workload writer
""")

VERBS = _listed("""
    absorb accept accumulate add address adjust align allocate amortise announce approximate
    arrange assign balance begin bend bind bound break bring broadcast build carry change check
    choose clear close collect combine compare compress compute confirm connect contain control
    convert copy correct count cover create cross decide defer define delay deliver describe detect
    determine discard divide double drain drop encode end estimate evict exceed exchange expect
    explain expose express extend fetch fill find fit flush fold follow force free gather give
    group guard guide halve handle hide hold improve increase inherit insert inspect invert join
    justify keep leave limit lower map mark match measure meet merge miss mix modify move multiply
    name need normalise observe occupy offer open order overlap own pack pad partition pass permit
    pin place predict prefetch prepare preserve produce project propagate protect prove pull push
    read rearrange recompute record recover reduce reject release remove repeat replace report
    request require reserve reset resolve restore reuse reveal reverse rewrite rotate sample save
    scale schedule select send separate serve share shift shrink signal simplify skip sort split
    spread start state stop store stream suggest surround swap test touch track transfer transform
    transpose trim trust unroll update use validate vary visit wait warm waste widen write yield
""")

ADJECTIVES = _listed("""
    absolute active adaptive adjacent aligned ancient annual approximate asynchronous atomic
    average balanced bare basic best binary blocked bounded broad bursty busy careful cheap clean
    clear coarse coherent cold common compact complete concurrent conditional constant contiguous
    cooperative correct costly critical cyclic deep dense dependent deterministic diagonal direct
    discrete distant distinct dynamic eager early effective elastic empty equal exact exclusive
    expensive explicit external fair faithful false familiar fast final fine finite fixed flat
    fragile frequent full fused general global gradual greedy hard hidden hierarchical honest
    idle immediate implicit inclusive independent initial inner integral internal invalid isolated
    iterative large last late lazy leading linear local logical long loose lossy lower major
    marginal maximal mean minimal missing mixed modest narrow native natural negative nested noisy
    nominal normal numerical obvious odd online optimal ordered ordinary outer parallel partial
    passive past periodic permanent persistent physical plain portable positive precise previous
    primary private probable proper public quiet random rare raw recent recursive redundant regular
    relative reliable remote robust rough safe scalar sequential serial shallow shared sharp short
    silent simple single skewed slow small smooth sparse spatial stable stale static steady strict
    strong subtle sufficient symmetric synchronous temporal temporary tight total transient trivial
    typical uneven uniform unique unlikely unstable upper urgent useful usual vague valid variable
    vertical virtual visible volatile wasteful weak weighted wide worst
""")

ADVERBS = _listed(
    """
    again|already|always|at once|by design|by hand|early|eagerly|evenly|exactly|first|for free
    gradually|in advance|in order|in parallel|in place|in practice|in theory|in turn|independently
    late|lazily|locally|mostly|never twice|often|on average|on demand|only once|per step|quickly
    quietly|rarely|repeatedly|safely|seldom|silently|slowly|sometimes|together|twice
""",
    "|",
)

OPENERS = _listed(
    """
    In practice|At first sight|For most inputs|On a loaded machine|As the row grows|After the merge
    In the limit|By the same argument|Without this rule|Under contention|Once the data fits
    Before the first step|At the other extreme|For a fair comparison|With one more pass
    Seen from the outside|When both sides agree|Whatever the order|If nothing else changes
    Here, too|A little later|In the worst case|On paper|Up to rounding|In hindsight
""",
    "|",
)

SENTENCES = _listed(
    """
    The {a} {n} {v} the {n} before the {a} {n} {v} it {d}.
    {O}, the {n} of the {n} {v} more than the {a} {n} can {w}.
    A {a} {n} does not {w} the {n}; it only {v} what the {a} {n} has left.
    {O}, each {n} {v} its {n}, and no {n} has to {w} for another.
    What the {n} {v} is not the {n} itself but the {a} {n} behind it.
    {C} {v} the {n} in this way, and its {a} {n} {v} the {n} {d}.
    To {w} the {n}, we {w} every {a} {n} and then {w} the {n} {d}.
    If the {n} is {a}, the {n} {v} the {n}; if it is {a}, the {n} {v} nothing.
    This is why a {a} {n} that looks {a} can still {w} the whole {n}.
    The {n} and the {n} share a {n}, so one {a} {n} {v} both.
    Nothing in the {n} {v} a {a} {n}, yet the {n} {v} one {d}.
    {O}, a {n} that {v} the {a} {n} also {v} the {n} of its {n}.
    We {w} the {n} because the {a} {n} would otherwise {w} the {n}.
    Two {s} that {w} the same {n} {w} it in a {a} {n}, {d} or not at all.
    Compare this with {C}, where the {n} {v} the {n} and the {n} is {a}.
    The cost is a {a} {n}: every {n} {v} the {n} {d}.
    It helps to {w} the {n} as a {a} {n} whose {s} {w} the {n}.
    Readers of {C} will {w} the {a} {n}; it {v} a {n} of {a} {s}.
    {O}, the {n} is **{a}** and the {n} is not.
    The *{n}* is the part that {v}: a {a} {n}, a {a} {n}, and `{i}` between them.
    Setting `{i}` {v} the {n}, which in turn {v} the {a} {n} of the {n}.
    A {n} cannot {w} what the {n} never {v}, however {a} the {n}.
""",
    "\n",
)

WITH_FORMULA = _listed(
    """
    The {n} {v} {m} whenever the {a} {n} {v} the {n}.
    {O}, {m} is the {n} that the {a} {n} {v}.
    Here {m} bounds the {n}, and the {n} {v} the rest {d}.
    Since {m}, the {a} {n} {v} no more than one {n}.
    Write {m} for the {n} of the {a} {n}; it {v} the {n} {d}.
    When the {n} {v} the {n}, {m} still holds for every {a} {n}.
    The {n} of {C} needs {m}, a {a} {n} for so {a} a {n}.
""",
    "\n",
)

_SYLLABLES = "ba cor dra el fen gra hal iv jun kel lor mi nor ost pra quil ros sel tor um vex wyn"
_SLOT = re.compile(r"\{(\w)\}")


class Voice:
    """Writes sentences; what it says depends only on the random numbers it is given."""

    def __init__(self, source: random.Random) -> None:
        self._source = source

    def sentence(self, formula: str = "") -> str:
        """Return one sentence, around a formula when one is given."""
        shape = self._source.choice(WITH_FORMULA if formula else SENTENCES)
        text = _SLOT.sub(lambda match: formula if match[1] == "m" else self.word(match[1]), shape)
        text = re.sub(r"\b([Aa]) (?=[aeiou])", r"\1n ", text)
        return text[0].upper() + text[1:]

    def word(self, slot: str) -> str:
        """Return a word or two: n(oun), s (its plural), v(erb), w (its infinitive), …"""
        pick = self._source.choice
        match slot:
            case "n":
                return pick(NOUNS)
            case "s":
                return with_s(pick(NOUNS))
            case "v":
                return with_s(pick(VERBS))
            case "w":
                return pick(VERBS)
            case "a":
                return pick(ADJECTIVES)
            case "d":
                return pick(ADVERBS)
            case "O":
                return pick(OPENERS)
            case "C":
                return self.name().title()
            case _:
                return f"{pick(NOUNS)}_{pick(NOUNS)}"

    def name(self) -> str:
        """Return a coined name, such as those of programs and people."""
        return "".join(self._source.choices(_SYLLABLES.split(), k=self._source.choice((2, 3))))

    def title(self) -> str:
        """Return a heading of four words or more."""
        shape = "The {a} {n} and its {n}|How a {n} {v} the {n}|Why {a} {s} {w}|From {n} to {a} {n}"
        text = _SLOT.sub(lambda match: self.word(match[1]), self._source.choice(shape.split("|")))
        return re.sub(r"\b([Aa]) (?=[aeiou])", r"\1n ", text)


def with_s(word: str) -> str:
    """Return a verb's third person, which is formed as a noun's plural."""
    if word.endswith(("s", "sh", "ch", "x", "z", "o")):
        return f"{word}es"
    if word.endswith("y") and word[-2] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}s"


def words(text: str) -> int:
    """Count words as a reader would, a formula as one."""
    return len(re.sub(r"\$[^$]+\$", "x", text).split())


def join(sentences: Sequence[str]) -> str:
    """Return a paragraph."""
    return " ".join(sentences)

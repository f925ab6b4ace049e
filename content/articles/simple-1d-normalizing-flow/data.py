"""The datasets of "A simple 1D normalizing flow"."""

import math
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt

from explainers import dataset, trace
from explainers.kernels.densities import (
    area,
    histogram_density,
    lumps_density,
    lumps_samples,
    moved_log_density,
    normal_density,
    normal_log_density,
)
from explainers.kernels.flow_fit import bound_layers, fit, free_gradient, log_likelihood, loss
from explainers.kernels.flows import (
    HALVINGS,
    fold_density,
    fold_preimages,
    fold_turns,
    planar,
    planar_inverse,
    planar_log_density,
    planar_slope,
    pull_back,
    push_through,
)

Array = npt.NDArray[Any]

BELL = NormalDist()
GIVEN = (2.0, 1.5, 0.0)
"""u, w and b of the map that the article follows."""

STRIPS = 24
"""Strips of the bell with equal probability."""

STACK = ((1.2, 1.5, 0.0), (-0.4, 1.8, 2.8), (0.9, 2.0, -2.6), (-0.4, 1.5, -2.0))
"""u, w and b of four layers."""

LUMPS = np.array([[0.6, -1.7, 1.3], [0.4, 1.5, 0.9]])
"""Share, centre and reach of the two lumps that are fitted; between them is nothing."""

GAP = (-0.4, 0.6)
"""Where the first lump ends, and the second begins."""

SAMPLES, STEPS, DEEPEST = 1000, 2000, 8
KEPT = tuple(
    sorted(
        {*range(0, 10, 2), *range(10, 50, 10), *np.geomspace(50, STEPS, 31).astype(int).tolist()}
    )
)
"""The steps of training that are shown: the first ones closely, for much happens there."""


def pushed_area(u: float, w: float, b: float, *, corrected: bool) -> float:
    """Return the area under the pushed curve, as an integral over its images.

    The images are evenly spaced, so each needs the point behind it.
    """
    x = np.linspace(-14, 14, 5601)  # (n,)
    z = planar_inverse(x, u, w, b)  # (n,)
    heights = np.exp(planar_log_density(x, u, w, b)) if corrected else normal_density(z)
    return float(area(heights, x))


@dataset(dims={"z": ("edge",)}, units={"z": "1"}, wire={"z": "f32"})
def strips() -> dict[str, Array]:
    """Where to cut the bell into strips of equal probability."""
    return {"z": np.array([BELL.inv_cdf(k / STRIPS) for k in range(1, STRIPS)])}


@dataset(dims={"z": ("sample",)}, units={"z": "1"}, wire={"z": "f32"})
def samples() -> dict[str, Array]:
    """Samples of the bell, to be pushed in the browser."""
    return {"z": np.random.default_rng(1).normal(size=2000)}


@dataset(
    units=dict.fromkeys(
        (
            *("area", "area_without", "slope", "before", "after", "mean_slope"),
            *("mode", "mode_height", "mode_z", "mode_before", "mode_slope"),
        ),
        "1",
    )
)
def pushed() -> dict[str, float]:
    """What the given map makes of the bell, in numbers."""
    x = np.linspace(0, 6, 60_001)  # (n,) the curve is even
    height = np.exp(planar_log_density(x, *GIVEN))  # (n,)
    z = np.linspace(-10, 10, 4001)  # (n,)
    behind = float(planar_inverse(x[height.argmax()], *GIVEN))
    return {
        "area": pushed_area(*GIVEN, corrected=True),
        "area_without": pushed_area(*GIVEN, corrected=False),
        "mean_slope": float(area(normal_density(z) * planar_slope(z, *GIVEN), z)),
        "slope": float(planar_slope(0.0, *GIVEN)),
        "before": float(normal_density(0.0)),
        "after": float(height[0]),
        "mode": float(x[height.argmax()]),
        "mode_height": float(height.max()),
        "mode_z": behind,
        "mode_before": float(normal_density(behind)),
        "mode_slope": float(planar_slope(behind, *GIVEN)),
    }


@dataset(
    sweep={"width": [0.8, 0.4, 0.2, 0.1, 0.01]},
    units=dict.fromkeys(("before", "after", "ratio", "probability"), "1"),
)
def thin(width: float) -> dict[str, float]:
    """Strips around z = 0.5, thinner and thinner: width times height, before and after."""
    z, half = 0.5, width / 2
    low, high = (float(planar(end, *GIVEN)) for end in (z - half, z + half))
    x = planar(np.array([z]), *GIVEN)  # (1,)
    return {
        "before": width * float(normal_density(z)),
        "after": (high - low) * float(np.exp(planar_log_density(x, *GIVEN))[0]),
        "ratio": (high - low) / width,
        "probability": BELL.cdf(z + half) - BELL.cdf(z - half),
    }


@dataset(units={"slope": "1"})
def at_half() -> dict[str, float]:
    """The slope of the given map at z = 0.5."""
    return {"slope": float(planar_slope(0.5, *GIVEN))}


@dataset(dims={"z": ("point",), "log_p": ("point",), "slope": ("point",), "result": ("point",)})
def worked() -> dict[str, Array]:
    """The log-density at x = 2, statement by statement: what each local held at the end."""
    followed = trace(planar_log_density, np.array([2.0]), *GIVEN, watch=("z", "log_p", "slope"))
    left = {name: followed[name][-1] for name in ("z", "log_p", "slope")}  # (1,) each
    return left | {"result": np.asarray(followed.result)}


@dataset(units=dict.fromkeys(("peak", "area", "slope"), "1"))
def squeezed() -> dict[str, float]:
    """The bell after a map that crowds its middle: u = -0.25, w = 3, b = 0."""
    u, w, b = -0.25, 3.0, 0.0
    x = np.linspace(-4, 4, 801)  # (n,)
    return {
        "peak": float(np.exp(planar_log_density(x, u, w, b)).max()),
        "area": pushed_area(u, w, b, corrected=True),
        "slope": float(planar_slope(0.0, u, w, b)),
    }


@dataset(units=dict.fromkeys(("bell_at_one", "at_three", "falling", "rising"), "1"))
def straight() -> dict[str, float]:
    """Straight maps: 1 - 2 z at x = 3, and -0.7 z beside 0.7 z, whose bells are one."""
    z = np.linspace(-3, 3, 61)  # (n,)
    falling, rising = (moved_log_density(normal_log_density(z), a) for a in (-0.7, 0.7))  # (n,)
    return {
        "bell_at_one": float(normal_density(1.0)),
        "at_three": float(np.exp(moved_log_density(normal_log_density(-1.0), -2.0))),
        "falling": float(np.exp(falling[30])),
        "rising": float(np.exp(rising[30])),
    }


@dataset(units=dict.fromkeys(("low", "high", "rate", "formula"), "1"))
def tanh_slope() -> dict[str, float]:
    """What tanh does from y = 1 to 1.01, beside 1 - tanh(1)^2."""
    low, high = math.tanh(1), math.tanh(1.01)
    # A layer with u = w = 1 and b = 0 is z + tanh z.
    return {
        "low": low,
        "high": high,
        "rate": (high - low) / 0.01,
        "formula": float(planar_slope(1.0, 1.0, 1.0, 0.0)) - 1,
    }


@dataset(
    sweep={"product": [-0.5, -0.75, -0.95, -1.05, -1.5, -3]},
    units={"least": "1", "most_behind": "1"},
)
def products(product: float) -> dict[str, float]:
    """Maps with w = 1.5: the least slope, and the most points that share one image."""
    w = 1.5
    z = np.linspace(-4, 4, 40_001)  # (n,)
    image, slope = planar(z, product / w, w, 0.0), planar_slope(z, product / w, w, 0.0)  # (n,)
    # Each image once more than the map turns back on the way.
    crossings = [np.count_nonzero(np.diff(image > level)) for level in np.linspace(-0.5, 0.5, 41)]
    return {
        "least": float(slope.min()),
        "most_behind": int(max(crossings)),
    }


@dataset(
    dims={"behind": ("piece",), "share": ("piece",)},
    units=dict.fromkeys(
        ("behind", "share", "total", "turn", "edge", "leftmost", "apart", "limit", "samples"), "1"
    ),
)
def folded() -> dict[str, Any]:
    """The map with u = -1.6 and w = 1.5: what lies behind x = 0.2, and all shares."""
    u, w, b = -1.6, 1.5, 0.0
    left, right = fold_turns(u, w, b)
    behind = fold_preimages(np.array([0.2]), u, w, b)[:, 0]  # (3,)
    share = normal_density(behind) / np.abs(planar_slope(behind, u, w, b))  # (3,)
    top, bottom = planar(np.array([left, right]), u, w, b)
    # The leftmost point behind an image lies on the first rising piece, or beyond the last.
    beyond = float(fold_preimages(np.array([top - 1e-9]), u, w, b)[2, 0])
    S = 1_000_000
    z = np.random.default_rng(3).normal(size=S)  # (S,)
    # The distribution function of the pushed samples, against the density's integral between
    # the images of the turns; sines take out its infinite ends.
    apart = 0.0
    pieces = [(-9.0, bottom), (bottom, top), (top, 9.0)]
    x = np.sort(planar(z, u, w, b))  # (S,)
    upto = 0.0
    for low, high in pieces:
        turn = np.linspace(-np.pi / 2, np.pi / 2, 4001)  # (n,)
        place = (low + high) / 2 + (high - low) / 2 * np.sin(turn)  # (n,)
        inner = place[1:-1]
        height = np.zeros(len(turn))  # (n,)
        height[1:-1] = fold_density(inner, u, w, b) * (high - low) / 2 * np.cos(turn[1:-1])
        height[0], height[-1] = height[1], height[-2]
        for end in range(200, 4001, 200):
            found = np.searchsorted(x, place[end], side="right") / S
            apart = max(apart, abs(found - upto - float(area(height[: end + 1], turn[: end + 1]))))
        upto += float(area(height, turn))
    return {
        "behind": behind,
        "share": share,
        "total": upto,
        "turn": float(right),
        "edge": float(top),
        "leftmost": BELL.cdf(float(left)) + 1 - BELL.cdf(beyond),
        "apart": apart,
        "limit": 1.63 / math.sqrt(S),
        "samples": S,
    }


@dataset(
    dims={
        "u": (),
        "w": (),
        "b": (),
        "x": ("point",),
        "log_slope": ("point",),
    },
    wire={"x": "f32", "log_slope": "f32"},
    nonfinite=["u", "w", "b", "x", "log_slope"],
)
def stack(xp: Any = np) -> Any:
    """Points through four layers, and the sum of their log-slopes, after every statement."""
    z = xp.linspace(-3.2, 3.2, 129)  # (n,)
    layers = xp.asarray(STACK)  # (K, 3)
    return trace(push_through, z, layers, xp=xp, watch=("u", "w", "b", "x", "log_slope"))


@dataset(
    units={"deviation": "1", "area": "1"},
    tolerance={"deviation": 1e-9},  # a step of 1e-5 makes 1e5 of a last digit
)
def stacked(xp: Any = np) -> dict[str, float]:
    """The sum of log-slopes against central differences of the whole stack, and the area."""
    z = xp.linspace(-4, 4, 401)  # (n,)
    layers = xp.asarray(STACK)  # (K, 3)
    step = 1e-5
    x, log_slope = push_through(z, layers, xp=xp)
    ahead, _ = push_through(z + step, layers, xp=xp)
    behind, _ = push_through(z - step, layers, xp=xp)
    off = xp.abs(xp.log((ahead - behind) / (2 * step)) - log_slope)  # (n,)
    wide = xp.linspace(-9, 9, 3601)  # (n,)
    x, log_slope = push_through(wide, layers, xp=xp)
    height = xp.exp(moved_log_density(normal_log_density(wide, xp=xp), xp.exp(log_slope), xp=xp))
    trapezoids = (x[1:] - x[:-1]) * (height[1:] + height[:-1]) / 2  # (n - 1,)
    return {"deviation": float(off.max()), "area": float(trapezoids.sum())}


def start(layers: int) -> Array:
    """Return the numbers that training begins with: u = 0 and w = 1, so nothing moves yet."""
    b = np.random.default_rng(0).uniform(-2, 2, layers)  # (K,)
    return np.column_stack([np.full(layers, math.log(math.e - 1)), np.zeros(layers), b])  # (K, 3)


def drawn() -> Array:
    """Return the samples that the stacks are fitted to."""
    return lumps_samples(np.random.default_rng(4).random((SAMPLES, 4)), LUMPS)  # (S,)


@dataset(
    dims={"x": ("point",), "height": ("point",), "left": ("bin",), "bars": ("bin",)},
    units=dict.fromkeys(("x", "height", "left", "bars", "bin", "floor", "on_samples"), "1"),
    wire={"x": "f32", "height": "f32", "left": "f32", "bars": "f32"},
)
def target() -> dict[str, Any]:
    """The two lumps: their density, a histogram of the samples, and its own loss."""
    x = np.linspace(-4, 4, 161)  # (n,)
    edges = np.linspace(-4, 4, 41)  # (n,)
    fine = np.linspace(-3, 2.4, 20_001)  # (n,)
    height = lumps_density(fine, LUMPS)  # (n,)
    # The entropy: the mean of minus log p over the lumps themselves.
    surprise = np.where(height > 0, -height * np.log(np.where(height > 0, height, 1)), 0)
    return {
        "x": x,
        "height": lumps_density(x, LUMPS),
        "left": edges[:-1],
        "bars": histogram_density(drawn(), edges),
        "bin": float(edges[1] - edges[0]),
        "floor": float(area(surprise, fine)),
        # The same mean over the samples alone.
        "on_samples": float(-np.log(lumps_density(drawn(), LUMPS)).mean()),
    }


@dataset(
    sweep={"layers": [1, 2, 4, 8]},
    dims={
        "step": ("kept",),
        "stack": ("kept", "layer", "number"),
        "loss": ("kept",),
        "gap": ("kept",),
        "bridge": ("kept",),
    },
    units=dict.fromkeys(("step", "stack", "loss", "gap", "bridge", "fresh", "steepest"), "1"),
    tolerance=1e-5,  # what two thousand steps make of another processor's last digit
    wire={"step": "u16", "stack": "f32", "loss": "f32", "gap": "f32", "bridge": "f32"},
)
def fits(layers: int) -> dict[str, Any]:
    """A stack fitted to the samples: its layers on the way, its loss, and what is in the gap.

    Stacks of fewer than eight layers are filled up with layers that do nothing.
    """
    x = drawn()  # (S,)
    path = fit(x, start(layers), STEPS)  # (steps + 1, K, 3)
    between = np.linspace(*GAP, 201)  # (n,)
    fine = np.linspace(-3, 2.4, 5401)  # (n,)
    stacks = [bound_layers(path[step]) for step in KEPT]
    height = [np.exp(log_likelihood(between, stack)) for stack in stacks]
    still = np.tile([0.0, 1.0, 0.0], (DEEPEST, 1))  # (8, 3)
    filled = np.stack([np.concatenate([stack, still])[:DEEPEST] for stack in stacks])
    _, log_slope = push_through(between, stacks[-1])
    return {
        "step": np.array(KEPT),
        "stack": filled,  # (kept, 8, 3)
        "loss": np.array([float(loss(x, stack)) for stack in stacks]),
        "gap": np.array([float(area(one, between)) for one in height]),
        "bridge": np.array([float(one.min()) for one in height]),
        # The loss on endless fresh samples, as an integral.
        "fresh": float(area(-lumps_density(fine, LUMPS) * log_likelihood(fine, stacks[-1]), fine)),
        # How steep the way back is there: what a sample from the bell is stretched by.
        "steepest": float(np.exp(-log_slope.min())),
    }


@dataset(units=dict.fromkeys(("by_a", "before", "after"), "1"))
def downhill() -> dict[str, float]:
    """The gradient of one layer's first number at the start, and the loss with that raised."""
    x, free = drawn(), start(1)  # (S,), (1, 3)
    raised = free + np.array([[0.01, 0.0, 0.0]])  # (1, 3)
    return {
        "by_a": float(free_gradient(x, free)[0, 0]),
        "before": float(loss(x, bound_layers(free))),
        "after": float(loss(x, bound_layers(raised))),
    }


@dataset(
    dims={"stack": ("layer", "number"), "edge": ("edge",), "x": ("sample",)},
    units=dict.fromkeys(("stack", "edge", "x", "in_gap", "one", "calls"), "1"),
    tolerance=1e-3,  # where the way back is steep, more than the fit's
    wire={"stack": "f32", "edge": "f32", "x": "f32"},
)
def made() -> dict[str, Any]:
    """Samples of the bell, brought back through the eight fitted layers."""
    stack = bound_layers(fit(drawn(), start(DEEPEST), STEPS)[-1])  # (8, 3)
    x = pull_back(np.random.default_rng(1).normal(size=2000), stack)  # (S,)
    low, high = GAP
    return {
        "stack": stack,
        "edge": pull_back(strips()["z"], stack),
        "x": x,
        "in_gap": int(((x > low) & (x < high)).sum()),
        "one": float(pull_back(np.array([0.5]), stack)[0]),
        "calls": HALVINGS * DEEPEST,
    }


@dataset(units={"ratio": "1", "entropy": "1"})
def tails() -> dict[str, float]:
    """Far out, the given map only shifts: its density over that of a shifted bell, at x = 8."""
    x = np.array([8.0])
    log_p = planar_log_density(x, *GIVEN)  # (1,)
    z = np.linspace(-12, 12, 2401)  # (n,)
    return {
        "ratio": float(np.exp(log_p - normal_log_density(x - GIVEN[0]))[0]),
        "entropy": float(area(-normal_density(z) * normal_log_density(z), z)),
    }


@dataset(
    units=dict.fromkeys(
        ("least", "two_layers", "samples", "trained", "halvings", "tail", "step", "height"), "1"
    )
)
def answers() -> dict[str, float]:
    """What the self-checks ask for, and what the text counts."""
    z = np.linspace(-4, 4, 8001)  # (n,)
    after = moved_log_density(moved_log_density(np.array(0.0), 3.0), 0.5)
    x = np.array([8.0])
    shifted = normal_log_density(x - GIVEN[0])  # (1,)
    return {
        "least": float(planar_slope(z, 2.0, -1.0, 0.0).min()),
        "two_layers": float(after),
        "samples": SAMPLES,
        "trained": STEPS,
        "halvings": HALVINGS,
        "step": float(planar(0.01, *GIVEN)),
        "height": float(np.exp(planar_log_density(np.array([2.0]), *GIVEN))[0]),
        "tail": abs(float(np.exp(planar_log_density(x, *GIVEN) - shifted)[0]) - 1),
    }

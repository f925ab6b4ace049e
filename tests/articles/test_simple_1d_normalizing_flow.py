"""The datasets of the normalizing flow against SciPy, and against counting."""

import functools
from pathlib import Path

import numpy as np
import pytest
from scipy import integrate, optimize, stats

from explainers.data.run import run_here

ROOT = Path(__file__).parents[2]
U, W = 2.0, 1.5


@functools.cache
def computed(name):
    return run_here(ROOT, "simple-1d-normalizing-flow", name)


def through(z):
    return z + U * np.tanh(W * z)


def back(x):
    return optimize.brentq(lambda z: through(z) - x, x - U - 1, x + U + 1, xtol=1e-14)


def upto(x):
    """The distribution function after the map: that of the bell at the point behind."""
    return stats.norm.cdf(back(x))


def test_the_strips_have_equal_probability():
    edges = [0, *stats.norm.cdf(computed("strips").z), 1]
    np.testing.assert_allclose(np.diff(edges), 1 / 24, atol=1e-12)


def test_the_samples_are_the_bell_s():
    z = computed("samples").z
    assert len(z) == 2000
    assert stats.kstest(z, "norm").pvalue > 0.01


def test_the_pushed_bell_in_numbers():
    pushed = computed("pushed")
    assert pushed.before == pytest.approx(stats.norm.pdf(0), abs=1e-12)
    assert pushed.after == pytest.approx((upto(1e-4) - upto(-1e-4)) / 2e-4, abs=1e-7)
    assert pushed.slope == pytest.approx((through(1e-6) - through(-1e-6)) / 2e-6, abs=1e-6)
    # The area of the curve whose points keep their heights.
    wrong, _ = integrate.quad(
        lambda x: stats.norm.pdf(back(x)), -12, 12, limit=300, points=[-3, 0, 3], epsabs=1e-9
    )
    assert pushed.area_without == pytest.approx(wrong, abs=1e-6)
    assert pushed.mean_slope == pytest.approx(wrong, abs=1e-6)
    assert pushed.area == pytest.approx(upto(14) - upto(-14), abs=1e-8)
    found = optimize.minimize_scalar(
        lambda x: -(upto(x + 1e-3) - upto(x - 1e-3)) / 2e-3, bounds=(1.5, 4), method="bounded"
    )
    assert pushed.mode == pytest.approx(found.x, abs=2e-3)
    assert pushed.mode_height == pytest.approx(-found.fun, abs=1e-6)
    z = back(pushed.mode)
    assert pushed.mode_z == pytest.approx(z, abs=1e-9)
    assert pushed.mode_before == pytest.approx(stats.norm.pdf(z), abs=1e-9)
    assert pushed.mode_slope == pytest.approx(
        (through(z + 1e-6) - through(z - 1e-6)) / 2e-6, abs=1e-6
    )


def test_thin_strips_are_what_both_distribution_functions_say():
    thin = computed("thin")
    for width in thin.axis("width"):
        strip = thin.at(width=width)
        low, high = 0.5 - width / 2, 0.5 + width / 2
        exact = stats.norm.cdf(high) - stats.norm.cdf(low)
        assert strip.probability == pytest.approx(exact, abs=1e-12)
        assert upto(through(high)) - upto(through(low)) == pytest.approx(exact, abs=1e-11)
        assert strip.ratio == pytest.approx((through(high) - through(low)) / width, rel=1e-12)
        # Both products approach the probability as the strip gets thin.
        assert strip.before == pytest.approx(exact, rel=width**2)
        assert strip.after == pytest.approx(exact, rel=width**2)
    step = 1e-6
    slope = (through(0.5 + step) - through(0.5 - step)) / (2 * step)
    assert computed("at_half").slope == pytest.approx(slope, abs=1e-7)


def test_the_worked_point():
    worked = computed("worked")
    z = back(2.0)
    assert worked.z[0] == pytest.approx(z, abs=1e-12)
    assert worked.log_p[0] == pytest.approx(stats.norm.logpdf(z), abs=1e-12)
    step = 1e-6
    assert worked.slope[0] == pytest.approx(
        (through(z + step) - through(z - step)) / (2 * step), abs=1e-7
    )
    height = (upto(2 + 1e-4) - upto(2 - 1e-4)) / 2e-4
    assert worked.result[0] == pytest.approx(np.log(height), abs=1e-6)
    assert computed("answers").height == pytest.approx(height, abs=1e-6)


def test_squeezed_and_straight_bells_are_scipy_s():
    squeezed = computed("squeezed")

    def behind(x):
        return optimize.brentq(lambda z: z - 0.25 * np.tanh(3 * z) - x, x - 1, x + 1, xtol=1e-14)

    middle = (stats.norm.cdf(behind(1e-4)) - stats.norm.cdf(behind(-1e-4))) / 2e-4
    assert squeezed.peak == pytest.approx(middle, rel=1e-5)
    assert squeezed.area == pytest.approx(1, abs=1e-7)
    assert 1 / squeezed.slope == pytest.approx((behind(1e-4) - behind(-1e-4)) / 2e-4, rel=1e-5)
    straight = computed("straight")
    assert straight.bell_at_one == pytest.approx(stats.norm.pdf(1), abs=1e-12)
    assert straight.at_three == pytest.approx(stats.norm(1, 2).pdf(3), abs=1e-12)
    assert straight.falling == pytest.approx(stats.norm(0, 0.7).pdf(0), abs=1e-12)
    assert straight.rising == straight.falling


def test_the_slope_of_tanh():
    found = computed("tanh_slope")
    # From its exponentials, which the kernel does not use.
    low, high = ((1 - np.exp(-2 * y)) / (1 + np.exp(-2 * y)) for y in (1.0, 1.01))
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-12)
    assert found.rate == pytest.approx((high - low) / 0.01, abs=1e-9)
    assert found.formula == pytest.approx(4 / (np.exp(1) + np.exp(-1)) ** 2, abs=1e-12)


def test_products_below_minus_one_fold():
    products = computed("products")
    for product in products.axis("product"):
        one = products.at(product=product)
        assert one.least == pytest.approx(1 + product, abs=1e-6)
        z = np.linspace(-5, 5, 100_001)
        falls = (np.diff(z + product / 1.5 * np.tanh(1.5 * z)) < 0).any()
        assert one.most_behind == (3 if falls else 1)


def test_the_fold_keeps_all_probability_only_when_all_points_count():
    folded = computed("folded")

    def fold(z):
        return z - 1.6 * np.tanh(1.5 * z)

    for z, share in zip(folded.behind, folded.share, strict=True):
        assert fold(z) == pytest.approx(0.2, abs=1e-9)
        slope = (fold(z + 1e-6) - fold(z - 1e-6)) / 2e-6
        assert share == pytest.approx(stats.norm.pdf(z) / abs(slope), abs=1e-6)
    assert sorted(folded.behind) == list(folded.behind)
    assert folded.total == pytest.approx(1, abs=1e-4)
    # The leftmost point behind the image of each sample, by a table of the map.
    z = np.linspace(-7, 7, 400_001)
    image = fold(z)
    highest = np.maximum.accumulate(image)
    leftmost = image >= highest
    chosen = integrate.trapezoid(stats.norm.pdf(z) * leftmost, z)
    assert folded.leftmost == pytest.approx(chosen, abs=1e-4)
    assert folded.apart < folded.limit == pytest.approx(1.63e-3)


def test_the_stack_is_a_chain_of_its_layers():
    stack, stacked = computed("stack"), computed("stacked")
    layers = [
        (stack.u[t], stack.w[t], stack.b[t])
        for t in range(1, len(stack.x))
        if np.isfinite(stack.u[t]) and not np.array_equal(stack.x[t], stack.x[t - 1])
    ]
    z = np.asarray(stack.x[0], float)
    assert len(layers) == 4

    def chain(points):
        for u, w, b in layers:
            points = points + u * np.tanh(w * points + b)
        return points

    np.testing.assert_allclose(stack.x[-1], chain(z), atol=1e-6)
    slope = (chain(z + 1e-5) - chain(z - 1e-5)) / 2e-5
    np.testing.assert_allclose(stack.log_slope[-1], np.log(slope), atol=1e-6)
    assert stacked.deviation < 1e-7
    assert stacked.area == pytest.approx(1, abs=1e-3)


def density(stack):
    """The density of a fit, as a numerical derivative of its distribution function."""

    def whole(x):
        for u, w, b in stack:
            x = x + u * np.tanh(w * x + b)
        return stats.norm.cdf(x)

    return lambda x: (whole(x + 1e-5) - whole(x - 1e-5)) / 2e-5


def test_the_target_is_two_lumps_with_nothing_between():
    target = computed("target")
    assert not target.height[(target.x > -0.39) & (target.x < 0.59)].any()
    assert integrate.simpson(target.height, x=target.x) == pytest.approx(1, abs=1e-3)
    assert target.bars.sum() * target.bin == pytest.approx(1, abs=1e-12)
    # The entropy of a mixture apart: that of its shares, and of its lumps.
    shares, reaches = np.array([0.6, 0.4]), np.array([1.3, 0.9])
    s = np.linspace(-1.5, 1.5, 200_001)
    p = np.where(np.abs(s) < 0.5, 0.75 - s**2, (1.5 - np.abs(s)) ** 2 / 2)
    own = -integrate.trapezoid(p * np.log(np.where(p > 0, p, 1)), s)
    expected = (shares * (own + np.log(reaches / 1.5) - np.log(shares))).sum()
    assert target.floor == pytest.approx(expected, abs=1e-6)
    # On the samples: within three standard errors of it, and of what the histogram says.
    own_spread = 0.6
    assert target.on_samples == pytest.approx(target.floor, abs=3 * own_spread / np.sqrt(1000))
    middles = target.left + target.bin / 2
    height = np.interp(middles, target.x, target.height)
    seen = (target.bars > 0) & (height > 0.02)
    rough = -(target.bars[seen] * np.log(height[seen])).sum() * target.bin
    assert target.on_samples == pytest.approx(rough, abs=0.05)


def test_the_fits_say_what_their_layers_make():
    fits, target = computed("fits"), computed("target")
    losses = []
    for layers in fits.axis("layers"):
        run = fits.at(layers=layers)
        assert list(run.step) == sorted(run.step)
        assert (run.step[0], run.step[-1]) == (0, 2000)
        assert not run.stack[:, layers:, 0].any()
        assert (run.stack[..., 0] * run.stack[..., 1] > -1).all()
        height = density(run.stack[-1])
        gap = np.linspace(-0.4, 0.6, 2001)
        assert run.gap[-1] == pytest.approx(integrate.trapezoid(height(gap), gap), rel=1e-3)
        assert run.bridge[-1] == pytest.approx(height(gap).min(), rel=0.02)
        # Nothing has moved at step 0: the model is the bell.
        at = np.linspace(-3, 3, 13)
        np.testing.assert_allclose(density(run.stack[0])(at), stats.norm.pdf(at), rtol=1e-6)
        fine = np.linspace(-2.9999, 2.3999, 8001)
        weight = np.interp(fine, target.x, target.height)
        fresh = integrate.trapezoid(-weight * np.log(height(fine)), fine)
        assert run.fresh == pytest.approx(fresh, abs=0.01)
        assert run.fresh > target.floor
        losses.append(run.loss[-1])
    assert losses == sorted(losses, reverse=True)
    # What eight layers make of their own samples is better than the density these come from.
    assert losses[-1] < target.on_samples


def test_downhill_is_where_a_difference_points():
    downhill, fits = computed("downhill"), computed("fits")
    assert downhill.before == pytest.approx(fits.at(layers=1).loss[0], abs=1e-6)
    assert downhill.by_a == pytest.approx((downhill.after - downhill.before) / 0.01, rel=0.02)


def test_what_is_made_from_the_bell_follows_the_fit():
    made, fits = computed("made"), computed("fits")
    np.testing.assert_allclose(made.stack, fits.at(layers=8).stack[-1], atol=1e-5)

    def forward(x):
        for u, w, b in made.stack:
            x = x + u * np.tanh(w * x + b)
        return x

    # The layers bring everything back to the bell that it was made from.
    np.testing.assert_allclose(forward(made.edge), computed("strips").z, atol=2e-3)
    np.testing.assert_allclose(forward(made.x), computed("samples").z, atol=2e-3)
    assert forward(made.one) == pytest.approx(0.5, abs=1e-6)
    # As many in the gap as chance allows, with what the fit says of it.
    expected = 2000 * fits.at(layers=8).gap[-1]
    assert made.in_gap == ((made.x > -0.4) & (made.x < 0.6)).sum()
    assert stats.poisson.sf(made.in_gap - 1, expected) > 0.01
    assert stats.poisson.cdf(made.in_gap, expected) > 0.01
    assert made.calls == 480


def test_tails_and_answers():
    tails, answers = computed("tails"), computed("answers")
    assert tails.entropy == pytest.approx(float(stats.norm.entropy()), abs=1e-9)
    far = (stats.norm.sf(back(8 - 1e-4)) - stats.norm.sf(back(8 + 1e-4))) / 2e-4
    assert tails.ratio == pytest.approx(far / stats.norm.pdf(6), abs=1e-6)
    assert answers.tail == pytest.approx(abs(tails.ratio - 1), abs=1e-12)
    assert answers.least == pytest.approx(-1, abs=1e-9)
    assert answers.two_layers == pytest.approx(np.log(2 / 3), abs=1e-12)
    assert answers.step == pytest.approx(through(0.01), abs=1e-12)

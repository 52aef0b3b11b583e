"""Writes bench/testdata/two_sample_cases.txt: what scipy.stats says of pairs of samples.

Usage: python3 tools/golden/two_sample_tests.py > bench/testdata/two_sample_cases.txt   (needs scipy; made with 1.17)

A line: test TAB samples of a TAB samples of b TAB statistic TAB two-sided p. The tests:
  exact        mannwhitneyu by the exact distribution; no ties
  permutation  mannwhitneyu by all permutations; ties
  asymptotic   mannwhitneyu by the normal approximation with corrections for ties and continuity
  welch        ttest_ind with unequal variances
"""
import math

import numpy as np
from scipy import stats


def samples(rng, n, shift, decimals):
    return [round(float(x), decimals) for x in 10 + shift + rng.standard_normal(n)]


def case(test, a, b):
    if test == "welch":
        result = stats.ttest_ind(a, b, equal_var=False)
    elif test == "permutation":
        # All of them: there are fewer than n_resamples.
        method = stats.PermutationMethod(n_resamples=10**6)
        result = stats.mannwhitneyu(a, b, method=method)
        assert math.comb(len(a) + len(b), len(a)) < 10**6
    else:
        result = stats.mannwhitneyu(a, b, method=test)
    numbers = [" ".join(map(repr, x)) for x in (a, b)]
    print(test, *numbers, repr(float(result.statistic)), repr(float(result.pvalue)), sep="\t")


def main():
    rng = np.random.default_rng(1947)
    for n, m in [(1, 1), (1, 9), (3, 2), (5, 5), (7, 4), (8, 20), (12, 11), (30, 30)]:
        for shift in (0, 1, 6):
            case("exact", samples(rng, n, 0, 6), samples(rng, m, shift, 6))
    for n, m in [(2, 2), (3, 6), (5, 5), (8, 7)]:
        for decimals in (0, 0, 1):
            case("permutation", samples(rng, n, 0, decimals), samples(rng, m, 1, decimals))
    for n, m in [(40, 30), (35, 35), (100, 61), (9, 70)]:
        for decimals in (0, 1, 6):
            for shift in (0, 0.5, 3):
                case("asymptotic", samples(rng, n, 0, decimals), samples(rng, m, shift, decimals))
    for n, m in [(2, 2), (5, 5), (3, 12), (20, 17), (50, 40)]:
        for shift in (0, 0.1, 1, 8):
            case("welch", samples(rng, n, 0, 6), [3 * x for x in samples(rng, m, shift - 6.6, 6)])
            case("welch", samples(rng, n, 0, 3), samples(rng, m, shift, 3))


main()

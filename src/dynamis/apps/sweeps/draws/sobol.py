"""The Sobol sequence: the points from which all others follow by exclusive or."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from itertools import count, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray


@cache
def sobol_steps(dimensions: int) -> NDArray[np.uint64]:
    """The points of the sequence with the indices 1, 2, 4, ...: in Gray's order, these combine to all the others.

    SciPy gives the first of them, a recurrence by a primitive polynomial the rest.
    """
    qmc: Any = import_module("scipy.stats.qmc")
    polynomials = [0, *islice(_primitive_polynomials(), dimensions - 1)]
    degree = polynomials[-1].bit_length() - 1 if dimensions > 1 else 0
    known = qmc.Sobol(dimensions, scramble=False, bits=30).random(2 ** max(1, degree))
    columns = list[list[int]]()
    for k, polynomial in enumerate(polynomials):
        s = polynomial.bit_length() - 1
        m = [1] * 52 if k == 0 else list[int]()
        gray = 0
        for bit in range(s if k else 0):
            gray ^= int(known[2**bit, k] * 2**30)
            m.append(gray >> (29 - bit))
        for j in range(len(m), 52):
            new = m[j - s] ^ (m[j - s] << s)
            for i in range(1, s):
                new ^= (m[j - i] << i) * (polynomial >> (s - i) & 1)
            m.append(new)
        directions = [x << (63 - j) for j, x in enumerate(m)]
        columns.append([x ^ (directions[j - 1] if j else 0) for j, x in enumerate(directions)])
    return np.array(columns, np.uint64).T.copy()


def _primitive_polynomials() -> Iterator[int]:
    """The primitive polynomials over GF(2), by degree and then by their coefficients."""
    for degree in count(1):
        order = 2**degree - 1
        divisors = [order // p for p in _primes_of(order)]
        for polynomial in range(2**degree + 1, 2 ** (degree + 1), 2):
            if _power(order, polynomial) == 1 and all(_power(k, polynomial) != 1 for k in divisors if k):
                yield polynomial


def _power(exponent: int, polynomial: int) -> int:
    """x to a power, modulo a polynomial over GF(2)."""
    result, square = 1, 2
    top = 1 << (polynomial.bit_length() - 1)
    if square & top:
        square ^= polynomial
    while exponent:
        if exponent & 1:
            result = _product(result, square, polynomial, top)
        square = _product(square, square, polynomial, top)
        exponent >>= 1
    return result


def _product(a: int, b: int, polynomial: int, top: int) -> int:
    result = 0
    while b:
        if b & 1:
            result ^= a
        b >>= 1
        a <<= 1
        if a & top:
            a ^= polynomial
    return result


def _primes_of(number: int) -> list[int]:
    primes, p = list[int](), 2
    while p * p <= number:
        if number % p == 0:
            primes.append(p)
            while number % p == 0:
                number //= p
        p += 1
    return [*primes, number] if number > 1 else primes

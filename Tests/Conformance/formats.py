"""Tells schemathesis what the format `isbn` is: no keyword of JSON Schema can describe check digits."""
import schemathesis
from hypothesis import strategies


def isbn10(number):
    digits = f"{number:09d}"
    check = -sum((10 - place) * int(digit) for place, digit in enumerate(digits)) % 11
    return digits + ("X" if check == 10 else str(check))


def isbn13(number):
    digits = f"{978_000_000_000 + number:012d}"
    return digits + str(-sum((1, 3)[place % 2] * int(digit) for place, digit in enumerate(digits)) % 10)


# Nine times the same digit stands for an ISBN that nobody knows.
numbers = strategies.integers(0, 999_999_999).filter(lambda number: number % 111_111_111)
schemathesis.openapi.format("isbn", strategies.one_of(numbers.map(isbn10), numbers.map(isbn13)))

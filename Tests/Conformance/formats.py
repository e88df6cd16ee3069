"""Tells schemathesis what the server's own formats are: no keyword of JSON Schema can describe check digits, and regular
expressions have no common notation for the letters of all scripts."""
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

word = strategies.characters(categories=["L", "N"])
other = strategies.text(strategies.characters(exclude_characters="\0"), max_size=200)
words = strategies.builds(lambda before, letter, after: before + letter + after, other, word, other).filter(
    lambda text: len(text) > 1 or not text.isascii())
schemathesis.openapi.format("search-words", words)
schemathesis.openapi.format("optional-search-words", strategies.one_of(strategies.just(""), words))

"""ISBNs in every damaged form, checked by `etl isbn` and by the short implementation below.

It follows docs/repairs.md: what a cell may look like, which damage is repaired, and nothing else.
"""
import collections, json, pathlib, re, unicodedata

DASHES = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
INVISIBLE = "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"


def check10(nine):
    return "0123456789X"[-sum((10 - i) * int(digit) for i, digit in enumerate(nine)) % 11]


def check13(twelve):
    return str(-sum((1, 3)[i % 2] * int(digit) for i, digit in enumerate(twelve)) % 10)


def to13(number):
    """The ISBN-13 of a number of ten or thirteen characters; None if it is no ISBN."""
    if re.fullmatch("[0-9]{9}[0-9X]", number):
        core = "978" + number[:9]
        return core + check13(core) if check10(number[:9]) == number[9] and not is_placeholder(number) else None
    if re.fullmatch("97[89][0-9]{10}", number) and check13(number[:12]) == number[12]:
        return None if number.startswith("9790") or is_placeholder(number) else number
    return None


def to10(isbn13):
    return isbn13[3:12] + check10(isbn13[3:12]) if isbn13.startswith("978") else None


def is_placeholder(number):
    """One digit again and again."""
    body = number[3:12] if len(number) == 13 and number[:3] in ("978", "979") else number
    return len(set(body)) == 1 or len(set(number)) == 1


def spreadsheet_number(text):
    """The digits of a number that a spreadsheet wrote with a fraction of zero or in scientific notation, and the rule."""
    if found := re.fullmatch("([0-9]+)[.,]0+", text):
        return found[1], "float_tail"
    if found := re.fullmatch("([0-9])(?:[.,]([0-9]+))?E[+]?([0-9]{1,2})", text.upper()):
        fraction, exponent = found[2] or "", int(found[3])
        return (found[1] + fraction if len(fraction) == exponent else "", "scientific_notation")
    return None


def answer(cell):
    """ISBN-13 and rule of repair; None without an ISBN. Undamaged numbers of a cell count before damaged ones."""
    text = "".join(unicodedata.normalize("NFKC", sign) if "\uff00" <= sign <= "\uffef" else sign for sign in cell)
    text = "".join(str(unicodedata.decimal(sign, sign)) for sign in text if sign not in INVISIBLE)
    text = re.sub("[(][^()]*[)]$", "", text.strip()).strip()
    found = [read for part in parts(text) if (read := one(part))]
    for damaged in (False, True):
        numbers = {isbn: rule for isbn, rule in found if (rule is not None) == damaged}
        if numbers:
            return next(iter(numbers.items())) if len(numbers) == 1 else (None, None)
    # Whole groups of digits that are an ISBN-13, beside others.
    groups = [re.sub("[" + DASHES + ".]", "", group) for group in re.split("[,;/|\\s]+", bare(text))]
    whole = {isbn for start in range(len(groups)) for end in range(start, len(groups))
             if len(number := "".join(groups[start:end + 1])) == 13 and (isbn := to13(number))}
    return (whole.pop(), None) if len(whole) == 1 else (None, None)


def bare(text):
    text = text.strip().lstrip("=").strip("'\"()[].,; \u00a0" + DASHES)
    return re.sub("^(urn:)?isbn([- ]?1[03](?=[: ]))?[: ]*", "", text, flags=re.IGNORECASE)


def parts(text):
    return [text] if spreadsheet_number(bare(text)) else re.split("[,;/|]", text)


def one(text):
    text = bare(text)
    number, rule = spreadsheet_number(text) or (re.sub("[" + DASHES + "\\s]", "", text).upper(), None)
    if not re.fullmatch("[0-9]+X?", number):
        return None
    if isbn := to13(number):
        return isbn, rule
    if len(number) == 18 and (isbn := to13(number[:13])):
        return isbn, "add_on"
    # One or two lost zeros are certain, three fit by chance. Eight digits may also have lost a zero and an X.
    found = {}
    if 8 <= len(number) <= 9 and (isbn := to13(number.zfill(10))):
        found[isbn] = "lost_leading_zeros"
    if len(number) == 8 and (isbn := to13("0" + number + "X")):
        found[isbn] = "lost_zeros_and_x"
    return next(iter(found.items())) if len(found) == 1 else None


class Numbers:
    """Makes cells of all classes."""

    def __init__(self, chance):
        self.chance = chance

    def digits(self, count):
        return "".join(self.chance.choice("0123456789") for _ in range(count))

    def ten(self):
        zeros = self.chance.choice([0, 0, 0, 1, 2, 3, 4])
        nine = ("0" * zeros + self.digits(9))[:9]
        return nine + check10(nine)

    def thirteen(self):
        twelve = self.chance.choice(["978", "978", "979", "9790", "979-8".replace("-", ""), "97800"])
        twelve += self.digits(12 - len(twelve))
        return twelve + check13(twelve)

    def number(self):
        """A number of one class, with the name of the class."""
        chance, ten, thirteen = self.chance, self.ten(), self.thirteen()
        wrong = chance.choice([ten, thirteen])
        at = chance.randrange(len(wrong))
        classes = {
            "ISBN-10": ten, "ISBN-13": thirteen,
            "one wrong digit": wrong[:at] + self.digits(1) + wrong[at + 1:],
            "two digits swapped": wrong[:at] + wrong[at:at + 2][::-1] + wrong[at + 2:],
            "X somewhere": ten[:at % 10] + chance.choice("Xx") + ten[at % 10 + 1:],
            "X behind": wrong + "X",
            "small x": ten.lower(),
            "lost zeros": ten.lstrip("0"),
            "lost zeros and X": ten.rstrip("X").lstrip("0"),
            "lost X": ten.rstrip("X"),
            "lost check digit": wrong[:-1],
            "added zeros": "0" * chance.randrange(1, 4) + wrong,
            "zeros behind": wrong + "0" * chance.randrange(1, 4),
            "any length": self.digits(chance.randrange(20)),
            "add-on": wrong + self.digits(chance.choice([2, 5, 5, 5])),
            "EAN": (ean := chance.choice(["977", "500", "294", "000", "980"]) + self.digits(9)) + check13(ean),
            "one digit": self.digits(1) * chance.choice([9, 10, 13]),
            "978 and one digit": "978" + (one := self.digits(1) * 9) + check13("978" + one),
            "fraction of zero": wrong.rstrip("X") + chance.choice([".0", ".00", ",0", "."]),
            "lost zeros, fraction": ten.rstrip("X").lstrip("0") + ".0",
            "scientific": wrong[0] + chance.choice(".,") + wrong[1:] + chance.choice(["E+", "E", "e+", "e"]) + str(len(wrong) - 1),
            "scientific, rounded": wrong[0] + "." + wrong[1:chance.randrange(3, 9)] + "E+" + str(len(wrong) - 1),
            "ASIN": "B0" + "".join(chance.choice("0123456789ABCDEFGHXYZ") for _ in range(8)),
            "full-width digits": "".join(chr(ord(sign) + 0xfee0) for sign in wrong),
            "digits of another script": "".join(
                chr(int(sign) + chance.choice([0x660, 0x6f0, 0x966])) if sign.isdigit() and chance.random() < 0.5 else sign for sign in wrong),
            "letters that look alike": wrong.replace("0", "O").replace("1", "l").replace("X", "\u0425"),
        }
        name = chance.choice(list(classes))
        return name, classes[name]

    def dressed(self, number):
        """A number as files have it."""
        chance = self.chance
        forms = [
            lambda n: n, lambda n: n, lambda n: self.divided(n, DASHES), lambda n: self.divided(n, "- \u00a0"), lambda n: self.divided(n, "-"),
            lambda n: "ISBN " + n, lambda n: "ISBN: " + n, lambda n: "isbn" + n, lambda n: "ISBN-13: " + n, lambda n: "urn:isbn:" + n,
            lambda n: f'="{n}"', lambda n: f'"{n}"', lambda n: "'" + n, lambda n: f"[{n}]", lambda n: f" {n}\t", lambda n: n + " (pbk.)",
            lambda n: n + chance.choice(INVISIBLE), lambda n: chance.choice(INVISIBLE) + n, lambda n: n + chance.choice(".;,"),
            lambda n: self.divided(n, "_*~")]
        return chance.choice(forms)(number)

    def divided(self, number, signs):
        for _ in range(self.chance.randrange(1, 5)):
            at = self.chance.randrange(len(number) + 1)
            number = number[:at] + self.chance.choice(signs) + number[at:]
        return number

    def cell(self):
        name, number = self.number()
        if self.chance.random() < 0.05:
            other, second = self.number()
            return f"{name} and {other}", number + self.chance.choice([",", ", ", ";", " / ", "|"]) + second
        return name, self.dressed(number)


def built_in_ranges():
    """The table that is built into etl: prefix → pairs of seven digits and length, in order."""
    table = {}
    for line in (tool_root() / "Sources/Books/ISBN/isbn_ranges.tsv").read_text().splitlines():
        if not line.startswith("#"):
            prefix, pairs = line.split("\t")
            table[prefix] = [(start.ljust(7, "0"), int(length)) for start, length in (pair.split(":") for pair in pairs.split())]
    return table


def tool_root():
    return pathlib.Path(__file__).resolve().parent.parent.parent


def random_ranges(chance):
    """A table like the agency's, with gaps, ranges that are not assigned, and lengths that leave no digit for a title."""
    def pairs(longest):
        starts = sorted({"0000000"} | {str(chance.randrange(10 ** 7)).zfill(7)[:chance.randrange(1, 8)].ljust(7, "0") for _ in range(6)})
        return [(start, chance.randrange(longest + 1)) for start in starts]

    table = {"978": pairs(5), "979": pairs(3)}
    for ean in ("978", "979"):
        for _ in range(40):
            digits = str(chance.randrange(10 ** 7)).zfill(7)
            length = element(table[ean], digits)
            if length:
                table[f"{ean}-{digits[:length]}"] = pairs(7)
    return table


def element(pairs, digits):
    """How many digits the next element has; 0 if that is not assigned."""
    return [length for start, length in pairs if start <= digits[:7].ljust(7, "0")][-1]


def hyphenated(isbn13, table):
    """The ISBN-13 with hyphens; None if its range is not assigned."""
    ean, rest = isbn13[:3], isbn13[3:12]
    group = element(table[ean], rest)
    registrant = f"{ean}-{rest[:group]}" in table and group and element(table[f"{ean}-{rest[:group]}"], rest[group:])
    if not registrant or group + registrant > 8:
        return None
    return "-".join([ean, rest[:group], rest[group:group + registrant], rest[group + registrant:], isbn13[12]])


def range_message(table):
    """The table as the agency publishes it."""
    def rules(pairs):
        ends = [str(int(start) - 1).zfill(7) for start, _ in pairs[1:]] + ["9999999"]
        return "".join(f"<Rule><Range>{start}-{end}</Range><Length>{length}</Length></Rule>" for (start, length), end in zip(pairs, ends))

    def element(name, prefix):
        return f"<{name}><Prefix>{prefix}</Prefix><Agency>-</Agency><Rules>{rules(table[prefix])}</Rules></{name}>"

    return (
        "<ISBNRangeMessage><MessageDate>Mon, 1 Jan 2024 00:00:00 GMT</MessageDate>"
        f"<EAN.UCCPrefixes>{''.join(element('EAN.UCC', prefix) for prefix in table if len(prefix) == 3)}</EAN.UCCPrefixes>"
        f"<RegistrationGroups>{''.join(element('Group', prefix) for prefix in table if len(prefix) > 3)}</RegistrationGroups></ISBNRangeMessage>")


def compare_hyphens(tool, chance, numbers, count, table=None):
    """Compares hyphens by the built-in table, or by one that is made up."""
    options = []
    if table is None:
        table, path = random_ranges(chance), tool.folder / "ranges.xml"
        path.write_text(range_message(table))
        options = ["--ranges", path]
    valid = []
    for _ in range(count):
        group = chance.choice([prefix for prefix in table if len(prefix) > 3]).replace("-", "")
        twelve = (chance.choice([group, group, "978", "979"]) + numbers.digits(9))[:12]
        if isbn := to13(twelve + check13(twelve)):
            valid.append(isbn)
    done = tool.run("isbn", "hyphenate", *options, input="\n".join(valid + [""]).encode())
    answers = [json.loads(line) for line in done.stdout.split(b"\n") if line]
    if len(answers) != len(valid):
        tool.find(f"isbn: {len(answers)} hyphenated of {len(valid)}: {done.stderr.decode()[:300]}")
    wrong = 0
    for isbn, got in zip(valid, answers):
        expected = hyphenated(isbn, table)
        ten = expected and isbn.startswith("978") and expected[4:-1] + to10(isbn)[-1] or None
        if (expected, ten) != (got.get("hyphenated"), got.get("hyphenated10")):
            wrong += 1
            if wrong <= 3:
                tool.find(f"isbn, hyphens: {isbn}: etl {got}, expected {expected}, {ten}")
    return len(valid)


def compare(tool, chance, dose):
    numbers, counts, wrong = Numbers(chance), collections.Counter(), collections.Counter()
    cells = [numbers.cell() for _ in range(1000 * dose)]
    lines = [cell for _, cell in cells]
    done = tool.run("isbn", "check", input="\n".join(lines + [""]).encode())
    answers = [json.loads(line) for line in done.stdout.split(b"\n") if line]
    if len(answers) != len(cells):
        tool.find(f"isbn: {len(answers)} answers for {len(cells)} lines: {done.stderr.decode()[:300]}")
    for (name, cell), got in zip(cells, answers):
        isbn, rule = answer(cell)
        expected = (isbn, isbn and to10(isbn), rule)
        verdict = "impossible" if isbn is None else "valid" if rule is None else "repaired"
        counts[verdict] += 1
        if (verdict, *expected) != (got["verdict"], got.get("isbn13"), got.get("isbn10"), got.get("rule")):
            wrong[name] += 1
            if wrong[name] <= 3:
                tool.find(f"isbn, {name}: {cell!a}: etl {got}, expected {verdict} {expected}")
    hyphenated = compare_hyphens(tool, chance, numbers, 20 * dose) + compare_hyphens(tool, chance, numbers, 20 * dose, built_in_ranges())
    print(f"isbn     {len(cells)} cells: " + ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items()))
          + f"; {hyphenated} hyphenated")

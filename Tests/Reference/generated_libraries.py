"""Makes exports of Goodreads and StoryGraph with the peculiarities of real ones."""
import csv, io, unicodedata

from isbn_reference import check10, check13, to10

GOODREADS = (
    "Book Id,Title,Author,Author l-f,Additional Authors,ISBN,ISBN13,My Rating,Average Rating,Publisher,Binding,Number of Pages,"
    "Year Published,Original Publication Year,Date Read,Date Added,Bookshelves,Bookshelves with positions,Exclusive Shelf,My Review,"
    "Spoiler,Private Notes,Read Count,Owned Copies").split(",")
STORYGRAPH = (
    "Title,Authors,Contributors,ISBN/UID,Format,Read Status,Date Added,Last Date Read,Dates Read,Read Count,Moods,Pace,"
    "Character- or Plot-Driven?,Strong Character Development?,Loveable Characters?,Diverse Characters?,Flawed Characters?,Star Rating,"
    "Review,Content Warnings,Content Warning Description,Tags,Owned?").split(",")
WORDS = (
    "The A Of Dune Emma Kindred Binti Ubik Solaris Night Day House Garden River Winter Zoë Köln Łódź Ærø Œuvre naïve "
    "Straße 三体 Дом café O'Clock Rock'n'Roll Well-Known C++ C# No.1 50% 1984 II Vol. Part Book — & and "
    "“Quoted” It’s ½ (Untitled) [Draft] Ｆｕｌｌ ـ שלום").split(" ")
GIVEN = "Ana Bo Ursula K. J. R. R. José Zoë Stanisław Ngũgĩ Mary-Jane N. K. Øyvind 慈欣 Фёдор D'Arcy Jr.".split(" ")
FAMILY = "Lee Ek Le Guin Tolkien García Lem O'Brien Müller Strugatsky Nesbø McCullers de Saint-Exupéry Þórsdóttir Đặng 刘 St. John".split(" ")
BINDINGS = [
    "Paperback", "Paperback", "Hardcover", "Kindle Edition", "Mass Market Paperback", "ebook", "Audio CD", "Audiobook",
    "Unknown Binding", "", "Library Binding", " paperback", "Nook", "Audio Cassette", "Trade Paperback", "MP3 CD", "Audible Audio"]
REVIEWS = [
    "", "", "", "", "Good.", "Line one<br/><br/>line two", "He said \"no\", and, well…", "two\nlines", "two\r\nlines",
    "<b>bold</b> &amp; more", "x" * 3000, "'=1+1"]


class Books:
    """Makes rows of one library; they have books, people and numbers in common."""

    def __init__(self, chance):
        self.chance = chance
        self.people = [self.person() for _ in range(25)]

    def person(self):
        names = [self.chance.choice(GIVEN) for _ in range(self.chance.randrange(1, 3))] + [self.chance.choice(FAMILY)]
        return self.chance.choice([" ", " ", " ", "  "]).join(names)

    def words(self, count):
        return [self.chance.choice(WORDS) for _ in range(count)]

    def word(self):
        """A word that no other title or name has."""
        return "".join(self.chance.choice("bdfgklmnprstvz") + self.chance.choice("aeiou") for _ in range(5)).title()

    def title(self):
        words = self.words(self.chance.randrange(5))
        words.insert(self.chance.randrange(len(words) + 1), self.word())
        return " ".join(words)

    def series(self):
        name = lambda: " ".join(self.words(self.chance.randrange(1, 4))).replace("#", "")
        part = lambda: f"{name()}{self.chance.choice([', ', ', ', ' '])}#{self.chance.choice(['1', '2', '0.5', '1-3', '12'])}"
        parts = "; ".join(part() for _ in range(self.chance.choice([1, 1, 1, 2])))
        return self.chance.choice([" ({})", " ({})", " ({})", "({})"]).format(parts)

    def digits(self, count):
        return "".join(self.chance.choice("0123456789") for _ in range(count))

    def isbn(self):
        if self.chance.random() < 0.1:
            twelve = "9798" + self.digits(8)
        else:
            twelve = "978" + self.chance.choice(["0", "1", "3", "84"])
            twelve += self.digits(12 - len(twelve))
        return twelve + check13(twelve)

    def damaged(self, number):
        """A number as a spreadsheet or a hand may have left it."""
        at = self.chance.randrange(len(number)) if number else 0
        return self.chance.choice([
            number, number, number, number.lstrip("0"), number + ".0", number[:-1], number[:at] + self.digits(1) + number[at + 1:],
            "", "n/a", "B00" + self.digits(7), "0" * 10, number[:1] + "." + number[1:] + f"E+{len(number) - 1}"])

    def year(self, low):
        years = [str(self.chance.randrange(first, 2024)) for first in (low, 1950, 1950)]
        return self.chance.choice(["", *years, *(["20x1", "0", "99999"] if self.chance.random() < 0.05 else [])])

    def date(self, sign="/"):
        chance = self.chance
        if chance.random() < 0.03:
            return chance.choice(["########", "2021/13/45", "2021/02/30", "soon", "2021"])
        return chance.choice(["", f"{chance.randrange(2000, 2024)}{sign}{chance.randrange(1, 13):02}{sign}{chance.randrange(1, 29):02}"])

    def pages(self):
        pages = [str(self.chance.randrange(1, 1200)) for _ in range(2)]
        return self.chance.choice(["", "0", *pages, "12a" if self.chance.random() < 0.1 else "7"])

    def shelves(self):
        return ", ".join(self.chance.sample(["sf", "to-own", "book-club", "2019", "ünïcode", "a b"], self.chance.choice([0, 0, 1, 2])))

    def numbers(self):
        """The cells ISBN and ISBN13."""
        isbn = self.isbn()
        ten, thirteen = to10(isbn) or "", isbn
        kind = self.chance.random()
        if kind < 0.25:
            ten = thirteen = ""
        elif kind < 0.35:
            ten, thirteen = self.chance.choice([(self.damaged(ten), thirteen), (ten, self.damaged(thirteen)), (self.damaged(ten), "")])
        elif kind < 0.38:
            ten = to10("978" + self.isbn()[3:12] + "0")
        return ten, thirteen

    def goodreads(self, number):
        chance = self.chance
        author = chance.choice(self.people) if chance.random() < 0.97 else ""
        others = chance.sample(self.people, chance.choice([0, 0, 0, 1, 2, 3]))
        others = [other + chance.choice(["", "", "", " (Translator)", " (Illustrator)", " (Editor)", " (Narrator)"]) for other in others]
        ten, thirteen = self.numbers()
        title = self.title() + (self.series() if chance.random() < 0.25 else "") if chance.random() < 0.98 else ""
        shelf = chance.choice(["read", "read", "to-read", "currently-reading", "gave-up", ""])
        return {
            "Book Id": str(number), "Title": title, "Author": author, "Author l-f": ", ".join(reversed(author.rsplit(" ", 1))),
            "Additional Authors": ", ".join(others), "ISBN": ten, "ISBN13": thirteen, "My Rating": chance.choice("0000345512"),
            "Average Rating": chance.choice(["", "3.97", "4.10", "0.00", "5"]),
            "Publisher": chance.choice(["", "Ace", " Penguin ", "Farrar, Straus and Giroux", "Éditions du Seuil"]),
            "Binding": chance.choice(BINDINGS), "Number of Pages": self.pages(), "Year Published": self.year(1800),
            "Original Publication Year": self.year(-500), "Date Read": self.date(), "Date Added": self.date(),
            "Bookshelves": self.shelves(), "Exclusive Shelf": shelf, "My Review": chance.choice(REVIEWS),
            "Spoiler": chance.choice(["", "true"]), "Private Notes": chance.choice(["", "", "mine"]),
            "Read Count": chance.choice("0112"), "Owned Copies": chance.choice("001")}

    def unrelated(self):
        """A row whose title and author have no word in common with any other row."""
        word = self.word
        row = self.goodreads(self.chance.randrange(10 ** 8))
        return row | {"Title": f"{word()} {word()}", "Author": f"{word()} {word()}", "Additional Authors": "", "Author l-f": ""}

    def short(self, number):
        """A row with a title of few letters, in which signs count."""
        title = " ".join(self.words(self.chance.choice([1, 1, 2])))
        return self.goodreads(number) | {"Title": title, "Author": f"{self.word()} {self.word()}", "Author l-f": ""}

    def storygraph(self):
        chance = self.chance
        date = self.date
        ends = sorted(end for end in (date(), date(), date(), date()) if end[4:5] == "/" and "/13/" not in end and "/30" not in end)
        pairs = zip(ends[::2], ends[1::2])
        readings = [f"{start}-{end}" if chance.random() < 0.7 else end for start, end in pairs][::-1]
        unique = "-".join("".join(chance.choice("0123456789abcdef") for _ in range(count)) for count in (8, 4, 4, 4, 12))
        roles = zip(chance.sample(self.people, 2), ["Narrator", "Translator"])
        return {
            "Title": self.title() if chance.random() < 0.98 else "",
            "Authors": ", ".join(chance.sample(self.people, chance.choice([0, 1, 1, 1, 2]))),
            "Contributors": ", ".join(f"{other} ({role})" for other, role in roles) if chance.random() < 0.2 else "",
            "ISBN/UID": chance.choice([self.isbn(), self.isbn(), self.isbn(), unique, "", "B00" + self.digits(7)]),
            "Format": chance.choice(["paperback", "hardcover", "digital", "audio", ""]),
            "Read Status": chance.choice(["read", "to-read", "currently-reading", "did-not-finish", "paused"]),
            "Date Added": date(), "Last Date Read": readings[0].split("-")[-1] if readings else "",
            "Dates Read": ", ".join(readings), "Read Count": str(len(readings)), "Moods": chance.choice(["", "dark, tense"]),
            "Star Rating": chance.choice(["", "0.25", "3.75", "4.5", "5.0"]), "Review": chance.choice(REVIEWS),
            "Tags": self.shelves(), "Owned?": chance.choice(["Yes", "No", ""])}


def is_latin(text):
    return all(not sign.isalpha() or unicodedata.name(sign, "").startswith(("LATIN", "FULLWIDTH LATIN")) for sign in text)


def repeated(chance, rows, books):
    """A row that has something in common with an earlier one."""
    # Titles of two scripts can be translations, and titles of few words say little: it must be clear what is another book.
    clear = [row for row in rows if row["Author"] and is_latin(row["Title"] + row["Author"] + row["Additional Authors"]) and len(row["Title"]) > 9]
    row = dict(chance.choice(clear or rows))
    if not clear:
        return row
    kind = chance.choice(["same row", "same id", "same ISBN", "same title", "same id, other book", "same ISBN, other book"])
    if kind == "same id":
        row |= {field: value for field, value in books.goodreads(0).items() if field in ("My Rating", "Date Read", "Bookshelves", "My Review", "Read Count")}
    elif kind in ("same ISBN", "same title"):
        fresh = books.goodreads(chance.randrange(10 ** 8))
        kept = ("Title", "Author", "Author l-f") + (() if kind == "same title" else ("ISBN", "ISBN13"))
        others = [f"{books.unrelated()['Author']}{role}" for role in chance.sample(["", "", " (Editor)", " (Translator)"], chance.randrange(3))]
        row = fresh | {field: row[field] for field in kept} | {"Additional Authors": ", ".join(others)}
        row |= {"ISBN": "", "ISBN13": ""} if kind == "same title" else {}
    elif kind == "same id, other book":
        row = books.unrelated() | {"Book Id": row["Book Id"]}
    elif kind == "same ISBN, other book":
        row = books.unrelated() | {"ISBN": row["ISBN"], "ISBN13": row["ISBN13"]}
    return row


def library(chance, count):
    """The bytes of an export with about that many rows, and of a newer one of the same person."""
    books, rows = Books(chance), []
    header = GOODREADS if chance.random() < 0.7 else STORYGRAPH
    while len(rows) < count:
        if header is STORYGRAPH:
            rows.append(books.storygraph() if chance.random() < 0.98 or not rows else chance.choice(rows))
        elif rows and chance.random() < 0.08:
            rows.append(repeated(chance, rows, books))
        else:
            number = 1000 + 7 * len(rows)
            rows.append(books.short(number) if chance.random() < 0.05 else books.goodreads(number))
    return [written(chance, header, rows), written(chance, header, newer(chance, header, rows, books))]


def newer(chance, header, rows, books):
    """Some rows are gone, some have other values or none, and some are new, one of them with a later date than all others."""
    made = books.goodreads if header is GOODREADS else lambda _: books.storygraph()
    fields = [
        "My Rating", "Date Read", "Date Added", "Bookshelves", "My Review", "Private Notes", "Read Count", "Exclusive Shelf", "Publisher",
        "Number of Pages", "Binding", "Average Rating", "Star Rating", "Review", "Tags", "Owned?", "Moods"]
    found = []
    for row in rows:
        if chance.random() < 0.9:
            fresh = made(0) if chance.random() < 0.3 else {}
            found.append(row | {field: fresh[field] for field in fields if field in fresh and chance.random() < 0.3})
    found += [made(10 ** 8 + number) for number in range(len(rows) // 10)]
    return found + [made(10 ** 9) | {"Date Added": "2025/01/01"}]


def written(chance, header, rows):
    formula, newline = chance.random() < 0.7, chance.choice(["\n", "\r\n"])
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator=newline, quoting=chance.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]))
    writer.writerow(header)
    for row in rows:
        cells = [f'="{row[field]}"' if formula and field in ("ISBN", "ISBN13") else row.get(field, "") for field in header]
        writer.writerow(cells)
        if chance.random() < 0.01:
            text.write(newline)
    return (b"\xef\xbb\xbf" if chance.random() < 0.3 else b"") + text.getvalue().encode()

"""A reference for `etl import`: reads a Goodreads or StoryGraph export and makes the canonical dump of the library.

Written from docs/formats.md, docs/imports.md, docs/repairs.md, docs/matching.md and docs/store.md, for imports without a
catalog or a service. It leaves out what these pages leave to tables in the program: genres, and lineage.
"""
import datetime, json, re, unicodedata

import generated_libraries, hostile_csv, isbn_reference

# What the dump has of tables in the program, or always in the same way.
LEFT_OUT = {
    "lineage", "subjectTags", "subjects", "goodreadsWorkIDs", "librarythingIDs", "amazonASINs", "googleBooksVolumeIDs", "contributors",
    "isbndbQuality", "gender", "identification", "message", "field", "value"}
KEYS = {"work": "id", "edition": "id", "author": "key", "entry": "sourceId", "reject": "raw"}

GOODREADS = {
    "Book Id": "sourceId", "Title": "title", "Author": "author", "Author l-f": "lastFirst", "Additional Authors": "additional", "ISBN": "isbn10",
    "ISBN13": "isbn13", "My Rating": "rating", "Average Rating": "averageRating", "Publisher": "publisher",
    "Binding": "format", "Number of Pages": "pageCount", "Year Published": "published",
    "Original Publication Year": "firstPublished", "Date Read": "dateRead", "Date Added": "dateAdded",
    "Bookshelves": "shelves", "Exclusive Shelf": "shelf", "My Review": "review", "Private Notes": "notes",
    "Read Count": "readCount", "Owned Copies": "ownedCopies"}
STORYGRAPH = {
    "Title": "title", "Authors": "people", "Contributors": "contributors", "ISBN/UID": "isbn13", "Format": "format",
    "Read Status": "shelf", "Date Added": "dateAdded", "Last Date Read": "dateRead", "Dates Read": "readings",
    "Read Count": "readCount", "Star Rating": "rating", "Review": "review", "Tags": "shelves", "Owned?": "ownedCopies"}
FORMATS = {
    "Hardcover": ["hardcover", "library binding", "hardback", "cloth", "gebundene ausgabe", "tapa dura", "capa dura"],
    "Paperback": ["paperback", "trade paperback", "tapa blanda", "capa comum", "broschiert", "taschenbuch"],
    "Mass Market": ["mass market paperback", "poche"],
    "E-book": ["kindle edition", "ebook", "nook", "digital"],
    "Audiobook": ["audiobook", "audio cd", "audio cassette", "audible audio", "mp3 cd", "audio"]}
FORMAT_OF = {name: format for format, names in FORMATS.items() for name in names}
ROLES = {"translator": "translator", "illustrator": "illustrator", "editor": "editor", "narrator": "narrator"}
LANGUAGES = {"english": "en", "french": "fr", "german": "de", "italian": "it", "spanish": "es"}
LETTERS = str.maketrans({
    "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "þ": "th", "ð": "d", "ı": "i", "ς": "σ"})


def folded(text):
    """Lower case, without accents and punctuation; apostrophes and marks join, other signs separate words."""
    text = unicodedata.normalize("NFKD", re.sub("['’‘ʼ´`]", "", text)).casefold()
    text = "".join(sign for sign in text if not unicodedata.combining(sign) and unicodedata.category(sign) != "Cf").translate(LETTERS)
    return " ".join("".join(sign if sign.isalnum() else " " for sign in text).split())


def bare(text):
    """Without marks that are not seen, and with single blanks."""
    return " ".join("".join(sign for sign in text if unicodedata.category(sign) != "Cf").split())


def title_fold(title):
    """With the signs that tell titles apart: all of a short title, and those of `C++` and `C#`."""
    text = folded(title)
    if not text:
        return "".join(unicodedata.normalize("NFKD", title).lower().split())
    if len(text.replace(" ", "")) <= 3:
        signs = "".join(sign for sign in title if sign in "+#&@%=<>$" or unicodedata.category(sign) in ("Sc", "Sm", "So"))
    else:
        signs = "".join(re.findall(r"(?<![^\W_])[A-Za-z]([+#]+)(?![^\W_])", title))
    return text + (" " + signs if signs else "")


def is_initial(word):
    return len(word) == 1 and word.upper() != word


def name_fold(name):
    """As `folded`, with initials joined: `J. R. R. Tolkien` and `JRR Tolkien` are one."""
    words, joined = folded(name).split(), []
    for index, word in enumerate(words):
        if is_initial(word) and index and is_initial(words[index - 1]):
            joined[-1] += word
        else:
            joined.append(word)
    return " ".join(joined)


def number(text, low=0, high=10 ** 9):
    return int(text) if re.fullmatch("[0-9]{1,9}", text) and low <= int(text) <= high else None


def year(text, low):
    return int(text) if re.fullmatch("-?[0-9]{1,4}", text) and low <= int(text) <= 2100 and int(text) else None


def date(text):
    """`2026-04-02`; the text itself if it is not a date."""
    if found := re.fullmatch("([0-9]{4})[-/]([0-9]{1,2})(?:[-/]([0-9]{1,2}))?", text):
        try:
            day = datetime.date(int(found[1]), int(found[2]), int(found[3] or 1)).isoformat()
            return day if found[3] else day[:7]
        except ValueError:
            return text
    return text


def is_date(text):
    return re.fullmatch("[0-9]{4}(-[0-9]{2}){0,2}", text)


def stored_date(text):
    """A date as it is stored; None for a text that is none."""
    return date(text) if is_date(date(text)) else None


def shelf(text):
    """A shelf for books that were given up is that status."""
    return "did-not-finish" if text == "gave-up" else text


def stars(text):
    try:
        value = float(text)
    except ValueError:
        return None
    return value if 0.25 <= value <= 5 and value * 4 % 1 == 0 else None


# How damaged cells are told from others; a rating or a number of 0 is none, not damaged.
READ = {
    "dateRead": lambda text: is_date(date(text)), "dateAdded": lambda text: is_date(date(text)),
    "rating": lambda text: stars(text) or (float(text) == 0 if re.fullmatch("0(.0*)?", text) else None),
    "pageCount": number, "readCount": number, "ownedCopies": number,
    "published": lambda text: 0 if text == "0" else year(text, 1000), "firstPublished": lambda text: 0 if text == "0" else year(text, -9999)}


def split_title(title):
    """The title without the series in brackets at its end, and the series."""
    depth = 0
    for at in range(len(title) - 1, 0, -1) if title.endswith(")") else []:
        depth += (title[at] == ")") - (title[at] == "(")
        if depth == 0:
            found = [re.fullmatch(r"\s*(.*?),?\s*#([0-9][0-9.,–-]*)\s*", part) for part in title[at + 1:-1].split(";")]
            if all(match and match[1] for match in found) and title[:at].strip():
                return title[:at].strip(), [{"name": match[1], "number": match[2]} for match in found]
            break
    return title, []


def people(row):
    """Names with roles, each person once."""
    found = []

    def add(cell, role):
        for part in cell.split(","):
            match = re.fullmatch(r"\s*(.*?)\s*(?:[(]([^()]*)[)])?\s*", part, flags=re.DOTALL)
            name = bare(match[1])
            if name and name_fold(name) not in [name_fold(other) for other, _ in found]:
                found.append((name, ROLES.get((match[2] or "").lower(), role)))

    author = row.get("author") or " ".join(reversed(row.get("lastFirst", "").split(",", 1)))
    if author.strip():
        found.append((bare(author), "author"))
    add(row.get("additional", ""), "contributor")
    for part in row.get("people", "").split(","):
        add(part, "contributor" if found else "author")
    add(row.get("contributors", ""), "contributor")
    # Without an author, the first of the others is one, unless his role is another.
    if found and found[0][1] == "contributor":
        found[0] = (found[0][0], "author")
    return found


def row_isbn(row):
    """The row's ISBN-13: the one of the column ISBN13, else the other one's."""
    for field in ("isbn13", "isbn10"):
        isbn, _ = isbn_reference.answer(row.get(field, ""))
        if isbn:
            return isbn
    return None


def agree(facts, others, names=("year", "publisher", "published", "pages", "format")):
    """Whether nothing contradicts. Sources count years and pages a little differently."""
    for name in names:
        one, other = facts.get(name), others[name]
        if one is None or other is None:
            continue
        if name == "format":
            one, other = (value.replace("Mass Market", "Paperback") for value in (one, other))
        slack = {"year": 2, "published": 1}.get(name) or (name == "pages" and max(8, max(one, other) // 16))
        if abs(one - other) > slack if slack else one != other:
            return False
    return True


class Library:
    """The library that the rows of a file make, in their order."""

    def __init__(self, format):
        self.format, self.rejects = format, {}
        self.works, self.editions, self.entries = {}, {}, {}

    def add(self, row, cells, raw):
        isbn = row_isbn(row)
        if not row.get("title") and not isbn:
            # The dump has a rejected row once, however often it was imported.
            self.rejects[raw] = {
                "kind": "reject", "library": "default", "sourceFormat": self.format, "code": "no_title_or_isbn", "raw": raw}
            return
        title, series = split_title(" ".join(row.get("title", "").split()) if "title" in row else "")
        persons = people(row)
        first = persons[0][0] if persons else ""
        edition = re.search(r"[(]([a-z]+) edition[)]$", title.lower())
        language = LANGUAGES.get(edition[1]) if edition else None
        book = {
            "title": title, "language": language, "series": series, "people": persons, "isbn": isbn,
            "text": f"{title_fold(title)}|{folded(first)}",
            "key": f"title:{title_fold(title)}|{folded(first)}|{language or ''}",
            "facts": {
                "year": year(row.get("firstPublished", ""), -9999), "publisher": folded(row.get("publisher", "")) or None,
                "published": year(row.get("published", ""), 1000), "pages": number(row.get("pageCount", ""), 1),
                "format": FORMAT_OF.get(" ".join(re.sub("[_-]", " ", row.get("format", "").lower()).split()))}}
        if not row.get("format", "").strip() and any("narrator" in person for person in persons):
            book["facts"]["format"] = "Audiobook"
        unique = re.fullmatch("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", row.get("isbn13", ""))
        source = row.get("sourceId") or (unique and unique[0]) or f"~{book['text']}|{isbn or ''}"
        if source in self.entries and not self.is_one(book, self.works[self.entries[source]["work"]]):
            source += f"~{book['text']}|{isbn or ''}"
        known = None
        if source in self.entries:
            if cells == self.entries[source]["dump"]["cells"]:
                return
            known = self.entries[source]["dump"]["edition"]
        if known and isbn in (None, self.editions[known]["isbn"]):
            edition = known
        else:
            edition = self.edition(book)
        if source in self.entries:
            # What cannot be read keeps the stored value, with its cell.
            for column, field in GOODREADS.items():
                old = self.entries[source]["dump"]["cells"].get(column, "")
                if old and field in row and field in READ and READ[field](row[field]) is None:
                    row[field], cells[column] = old.strip(), old
                    if not row[field]:
                        del row[field]
        self.store(book, row, source, edition)
        self.entries[source] = {
            "work": self.editions[edition]["work"],
            "dump": self.entry(row, cells, source, edition)}

    def is_one(self, book, work):
        """Whether title or author agree."""
        if not book["title"] or not work["text"].split("|")[0]:
            return True
        (title, author), (known, known_author) = (text["text"].split("|") for text in (book, work))
        return title == known or author == known_author != ""

    def edition(self, book):
        """The key of the row's edition."""
        if book["isbn"]:
            key = f"isbn:{book['isbn']}"
            if key not in self.editions or self.is_one(book, self.works[self.editions[key]["work"]]):
                return key
        # Rows without an ISBN are one edition if nothing contradicts.
        works = [work for work in self.works if work.split("|~")[0] == book["key"]]
        fitting = [work for work in works if agree(self.works[work]["facts"], book["facts"], ["year"])]
        work = fitting[0] if fitting else book["key"] + (f"|~w{len(self.works)}" if works else "")
        editions = [key for key, edition in self.editions.items() if edition["work"] == work]
        fitting = [
            key for key in editions
            if book["isbn"] in (None, self.editions[key]["isbn"]) and agree(self.editions[key]["facts"], book["facts"])]
        if fitting:
            return fitting[0]
        key = work if not editions else book["key"] + f"|~e{len(self.editions)}"
        self.editions[key] = {"work": work, "fields": {}, "isbn": book["isbn"], "facts": {}}
        return key

    def store(self, book, row, owner, key):
        edition = self.editions.setdefault(key, {"work": key, "fields": {}, "isbn": book["isbn"], "facts": {}})
        work = self.works.setdefault(edition["work"], {"fields": {}, "text": book["text"], "facts": {}})
        facts = book["facts"]
        published = facts["published"]
        values = {
            "publisher": row.get("publisher"), "pageCount": facts["pages"], "format": facts["format"],
            "publicationDate": published and str(published),
            "language": book["language"], "goodreadsID": row.get("sourceId") if self.format == "goodreads" else None}
        about = {"title": book["title"] or None, "series": book["series"] or None, "firstPublicationYear": facts["year"]}
        for thing, found in ((edition, values), (work, about)):
            for field, value in found.items():
                # A value stands until the same entry has another one; others fill gaps.
                if value is not None and (field not in thing["fields"] or thing["fields"][field][1] == owner):
                    thing["fields"][field] = (value, owner)
        if book["title"] and not book["series"] and work["fields"].get("series", (None, None))[1] == owner:
            del work["fields"]["series"]
        for thing in (edition, work):
            stored = {name: value for name, (value, _) in thing["fields"].items()}
            thing["facts"] = {
                "year": stored.get("firstPublicationYear"), "publisher": folded(stored.get("publisher", "")) or None,
                "format": stored.get("format"), "published": stored.get("publicationDate") and int(stored["publicationDate"]),
                "pages": stored.get("pageCount")}
        average = re.fullmatch(r"[0-5](?:\.[0-9]+)?", row.get("averageRating", ""))
        if average and float(average[0]) > 0:
            edition["fields"]["averageRating"] = (float(average[0]), owner)
        # The people of all its entries, in the order in which these came; an entry's later row replaces its people.
        work.setdefault("people", {})[owner] = [("name:" + name_fold(name), name, role) for name, role in book["people"]]

    def people(self, work):
        """Each person once. An author of another entry is one only if there is none."""
        found = {}
        for persons in work["people"].values():
            has_author = any(role == "author" for _, _, role in found.values())
            for key, name, role in persons:
                if role != "author" or not has_author:
                    found.setdefault(key, (key, name, role))
        return list(found.values())

    def entry(self, row, cells, source, edition):
        owned = {"Yes": 1, "No": 0}.get(row.get("ownedCopies", ""), number(row.get("ownedCopies", "")))
        values = {
            "rating": stars(row.get("rating", "")), "shelf": shelf(row.get("shelf")), "shelves": row.get("shelves"),
            "dateRead": stored_date(row.get("dateRead", "")), "dateAdded": stored_date(row.get("dateAdded", "")),
            "readCount": number(row.get("readCount", "")), "ownedCopies": owned, "review": row.get("review"), "notes": row.get("notes")}
        values |= readings(row)
        return {"kind": "entry", "library": "default", "sourceFormat": self.format, "sourceId": source, "edition": edition, "cells": cells} | {
            field: value for field, value in values.items() if value is not None}

    def dump(self):
        """The records of the canonical dump, without what is not compared."""
        for key, work in self.works.items():
            fields = {name: value for name, (value, _) in work["fields"].items()}
            yield {"kind": "work", "id": key, "series": fields.pop("series", []), "synthetic": True, "reviewStatus": "needsReview",
                   "people": [{"author": person, "role": role} for person, _, role in self.people(work)]} | fields
        for key, edition in self.editions.items():
            fields = {name: value for name, (value, _) in edition["fields"].items()}
            isbns = [edition["isbn"], isbn_reference.to10(edition["isbn"])] if edition["isbn"] else []
            yield {"kind": "edition", "id": key, "workId": edition["work"], "isbns": [isbn for isbn in isbns if isbn]} | (
                {"isbn": isbns[0]} if isbns else {}) | fields
        authors = {}
        for work in self.works.values():
            for key, name, _ in self.people(work):
                authors.setdefault(key, name)
        for key, name in authors.items():
            yield {"kind": "author", "key": key, "name": name}
        for entry in self.entries.values():
            yield entry["dump"]
        yield from self.rejects.values()


def readings(row):
    """Start and end of the last reading, and the other ones, of StoryGraph's list."""
    found = []
    for part in row.get("readings", "").split(","):
        ends = [date(end.strip()) for end in part.split("-") if end.strip()]
        if ends:
            found.append((ends[0] if len(ends) > 1 else None, ends[-1]))
    if not found:
        return {}
    found.sort(key=lambda reading: reading[1])
    start, end = found[-1]
    earlier = [f"{begin}/{finish}" if begin else finish for begin, finish in found[:-1]]
    return {"dateRead": end} | ({"dateStarted": start} if start else {}) | ({"earlierReadings": earlier} if earlier else {})


def read(texts):
    """The library that files make, one after the other."""
    library = None
    for text in texts:
        rows = ((cells, text[start:end].rstrip("\r\n")) for cells, start, end in hostile_csv.read_by_csv(text) if cells)
        header, _ = next(rows)
        columns = GOODREADS if "Book Id" in header else STORYGRAPH
        library = library or Library("goodreads" if columns is GOODREADS else "storygraph")
        for cells, raw in rows:
            if any(cell.strip() for cell in cells):
                names = header + [f"#{number}" for number in range(len(header) + 1, len(cells) + 1)]
                named = {name: cell for name, cell in zip(names, cells) if cell}
                row = {columns[name]: cell.strip() for name, cell in named.items() if name in columns and cell.strip()}
                library.add(row, named, raw)
    return library


def name_by_entries(dump):
    """Names further books of one title and author by their entries: the ends of such keys are opaque."""
    editions = {}
    for entry in (record for record in dump if record["kind"] == "entry"):
        editions.setdefault(entry["edition"], entry["sourceId"])
        editions[entry["edition"]] = min(editions[entry["edition"]], entry["sourceId"])
    works = {}
    for edition in (record for record in dump if record["kind"] == "edition"):
        owner = editions.get(edition["id"], "")
        works[edition["workId"]] = min(works.get(edition["workId"], owner), owner)

    def name(key, owners):
        parts = key.split("|")
        return "|".join(parts[:3]) + "|" + owners.get(key, "") if key.startswith("title:") and len(parts) > 3 else key

    for record in dump:
        if record["kind"] == "entry":
            record["edition"] = name(record["edition"], editions)
        elif record["kind"] == "edition":
            record["id"], record["workId"] = name(record["id"], editions), name(record["workId"], works)
        elif record["kind"] == "work":
            record["id"] = name(record["id"], works)


def imported(tool, paths):
    """The dump of a new store into which files were imported, each of them twice."""
    for old in tool.folder.glob("library.sqlite*"):
        old.unlink()
    dump = b""
    for path in paths:
        for again in (False, True):
            done = tool.run("import", "--quiet", "--db", "library.sqlite", path)
            if done.returncode != 0:
                tool.find(f"library: import ended with {done.returncode}: {done.stderr.decode()[:300]}", path)
                return []
            before, dump = dump, tool.run("export", "--what", "all", "--db", "library.sqlite").stdout
            if again and dump != before:
                tool.find("library: importing the file again changed the library", path)
    return [json.loads(line) for line in dump.split(b"\n") if line]


def differences(ours, theirs):
    """The records that differ, with what does."""
    for records in (ours, theirs):
        name_by_entries(records)
    for kind, key in KEYS.items():
        expected = {record[key]: record for record in ours if record["kind"] == kind}
        got = {record[key]: record for record in theirs if record["kind"] == kind}
        counts = [sum(record["kind"] == kind for record in records) for records in (theirs, ours)]
        if counts[0] != counts[1]:
            yield kind, "", {"count": counts}
        for name in sorted(expected.keys() | got.keys()):
            one, other = expected.get(name), got.get(name)
            if not one or not other:
                yield kind, name, "missing" if one else "not expected"
                continue
            fields = {field for field in one.keys() | other.keys() if field not in LEFT_OUT and one.get(field) != other.get(field)}
            if fields:
                yield kind, name, {field: (other.get(field), one.get(field)) for field in sorted(fields)}


def compare_files(tool, paths):
    """Compares the reference's library with the tool's; returns the number of records of the dump."""
    theirs = imported(tool, paths)
    ours = list(read([path.read_bytes().decode("utf-8-sig") for path in paths]).dump())
    for number, (kind, name, difference) in enumerate(differences(ours, theirs)):
        if number < 5:
            tool.find(f"library: {kind} {name[:120]!a} (etl, reference): {str(difference)[:500]}", " ".join(map(str, paths)))
    return len(ours)


def compare(tool, chance, dose):
    rows = records = 0
    for number in range(dose):
        count = chance.choice([30, 300, 1000])
        paths = [tool.folder / f"library{number}.csv", tool.folder / f"newer{number}.csv"]
        for path, text in zip(paths, generated_libraries.library(chance, count)):
            path.write_bytes(text)
        found = tool.findings
        records += compare_files(tool, paths[:1]) + compare_files(tool, paths)
        rows += 2 * count
        if tool.findings == found:
            for path in paths:
                path.unlink()
    print(f"library  {dose} libraries, each with a newer export, {rows} rows: {records} records of the dump; each file imported twice")

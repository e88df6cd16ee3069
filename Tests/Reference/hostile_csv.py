"""Hostile tables, read by `etl convert --raw`, by Python's csv module and by `sqlite3 .import`.

Each difference that is meant is named below. Every other one is a finding.
"""
import collections, csv, io, json, re, shutil, sqlite3, subprocess

csv.field_size_limit(1 << 30)

# Differences from csv and from sqlite3 that are meant. Those of `sqlite3` are properties of a table for which it is not asked.
DIFFERENCES = {
    "csv: blank line": "csv returns an empty record; etl skips the line",
    "csv: over a limit": "csv has no limits; etl leaves records over a limit out",
    "sqlite3: NUL": "sqlite3 ends a cell at a NUL byte",
    "sqlite3: CR": "sqlite3 ends records at LF only",
    "sqlite3: text after a quote": "sqlite3 reads on to the next quote that ends a cell",
    "sqlite3: empty cell at the end": "sqlite3 loses it if the file ends behind the delimiter",
    "sqlite3: over a limit": "sqlite3 has no limits",
    "sqlite3: encoding": "sqlite3 reads UTF-8 only",
}
HEADER = ["Title", "Author", "ISBN13", "Publisher", "Date Read", "My Rating", "Shelves", "Notes", "Language", "Format"]
WORDS = ["", "", " ", "a", "Dune", "9780441172719", "=\"0441172717\"", "Zoë", "三体", "🐉", "x" * 300, "1,5", "\\", "'", "\t", "\x0b",
         "\x85", "\u2028", "\ufeff", "#", "--", "NULL", "-", " lead", "trail ", "a;b", "a|b", "say \"so\"", "\"", "\"\"", "two\nlines", "two\r\nlines",
         "CR\rhere", "\n", "end\\", "//"]


def table(chance):
    """The text of a table with its delimiter and encoding. One kind is written properly, the other is a soup of signs."""
    delimiter = chance.choice(",,,,;\t|")
    columns = chance.choice([3, 4, 5, 8, 10])
    newline = chance.choice(["\n", "\n", "\r\n", "\r"])
    rows = chance.choice([0, 1, 2, 5, 20, 60])
    lines = [delimiter.join(HEADER[:columns])]
    soup = chance.random() < 0.5
    for _ in range(rows):
        end = chance.choice(["\n", "\r\n", "\r"]) if chance.random() < 0.1 else newline
        lines.append(end + (mixed if soup and chance.random() < 0.4 else written)(chance, delimiter, columns))
    text = "".join(lines) + chance.choice(["", newline, newline, newline * 3])
    encoding = chance.choice(["utf-8"] * 4 + ["utf-8-sig", "utf-16", "utf-16-be", "cp1252"])
    if encoding == "cp1252":
        text = text.replace("Zoë", "Zoë Müller, café").encode("cp1252", "ignore").decode("cp1252")
        if "ë" not in text:
            encoding = "utf-8"
    elif encoding == "utf-8" and chance.random() < 0.1:
        text = text.replace("Dune", "Du\0ne")
    return text, delimiter, encoding


def written(chance, delimiter, columns):
    """A record as programs write it: cells that need quotes have them, others may have them."""
    if chance.random() < 0.05:
        return ""
    if chance.random() < 0.05:
        columns = max(1, columns + chance.choice([-2, -1, 1, 2]))
    cells = []
    for _ in range(columns):
        cell = chance.choice(WORDS)
        if chance.random() < 0.1 or any(sign in cell for sign in "\r\n\"" + delimiter):
            cell = '"' + cell.replace('"', '""') + '"'
        cells.append(cell)
    return delimiter.join(cells)


def mixed(chance, delimiter, columns):
    """Quotes, delimiters and text in any order."""
    parts = ['"', '"', '""', delimiter, delimiter, delimiter, "\r", "\n", " ", "=\"1\"", "a", "b c", "é", "\0", "'", '"x"', "\"y\"" + delimiter]
    return "".join(chance.choice(parts) for _ in range(chance.randrange(3 * columns)))


def tables_at_limits():
    """Tables with records at and over the limits of docs/formats.md."""
    header = ",".join(HEADER[:3]) + "\n"
    yield header + "a,b,c\n" + "x" * (1 << 20) + ",fits,c\nd,e,f\n", ",", "utf-8"
    yield header + "a,b,c\n" + "x" * ((1 << 20) + 1) + ",too long,c\nd,e,f\n", ",", "utf-8"
    yield header + "a,b,c\n" + ",".join(["x" * 1_000_000] * 5) + "\nd,e,f\n", ",", "utf-8"
    yield header + "a,b,c\n" + "," * 1023 + "\n" + "x," * 1024 + "\nd,e,f\n", ",", "utf-8"


def tables_at_edges():
    """Tables in which a quote, a line end or a letter is at the edge of a block of 256 KiB, in which etl reads."""
    header, block = ",".join(HEADER[:3]) + "\n", 256 * 1024
    for end in ('"\r\n', '""x"\r\n', '\r"\r\n', 'é"\n', '\n"\n'):
        for shift in range(6):
            cell = '"' + "y" * (block - len(header.encode()) - shift - 6) + end
            yield header + "a,b," + cell + "d,e,f\n", ",", "utf-8"


def read_by_csv(text, delimiter=","):
    """Records of Python's csv module, each with the positions in the text where it begins and ends."""
    at = 0

    def lines():
        nonlocal at
        for line in io.StringIO(text, newline=""):
            at += len(line)
            yield line

    start = 0
    for cells in csv.reader(lines(), delimiter=delimiter):
        yield cells, start, at
        start = at


def expected(text, delimiter, seen):
    """The records of csv, without those that etl leaves out as documented."""
    for cells, start, end in read_by_csv(text, delimiter):
        if not cells:
            seen["csv: blank line"] += 1
        elif len(cells) > 1024 or end - start > 1 << 22 or any(len(cell.encode()) > 1 << 20 for cell in cells):
            seen["csv: over a limit"] += 1
        else:
            yield cells


def first_difference(ours, theirs):
    return next((index for index, (a, b) in enumerate(zip(ours, theirs)) if a != b), min(len(ours), len(theirs)))


def compare(tool, chance, dose):
    seen, sqlite_tables = collections.Counter(), []
    edges = list(tables_at_edges())
    tables = list(tables_at_limits()) + chance.sample(edges, min(len(edges), 2 * dose))
    tables += [table(chance) for _ in range(10 * dose)]
    for number, (text, delimiter, encoding) in enumerate(tables):
        path = tool.folder / f"table{number}.csv"
        mark = "\ufeff" if encoding.startswith("utf-16") else ""
        path.write_bytes((mark + text).encode({"utf-16": "utf-16-le"}.get(encoding, encoding)))
        done = tool.run("convert", "--raw", "--delimiter", {"\t": "tab"}.get(delimiter, delimiter), "--quote", '"', path)
        ours = [json.loads(line) for line in done.stdout.split(b"\n") if line]
        over = seen["csv: over a limit"]
        theirs = list(expected(text, delimiter, seen))
        if done.returncode == 0 and ours == theirs:
            sqlite_tables.append((number, text, delimiter, encoding, ours, seen["csv: over a limit"] > over))
        else:
            at = first_difference(ours, theirs)
            tool.find(f"csv, table {number} ({delimiter!r}, {encoding}), record {at + 1}: etl {str(ours[at:at + 1])[:300]}, "
                      f"csv {str(theirs[at:at + 1])[:300]} {done.stderr.decode()[:200]}", path)
    asked = compare_with_sqlite(tool, sqlite_tables, seen)
    print(f"csv      {len(tables)} tables; {asked} of them also by sqlite3")
    for name in DIFFERENCES:
        print(f"         {seen[name]:6} {name}")


def compare_with_sqlite(tool, tables, seen):
    if not shutil.which("sqlite3"):
        print("sqlite3 is missing: tables were compared with csv only")
        return 0
    asked, script, database = [], [".mode csv"], tool.folder / "tables.sqlite"
    database.unlink(missing_ok=True)
    for number, text, delimiter, encoding, records, is_over in tables:
        quoted = r'(?:^|(?<=[\r\n' + re.escape(delimiter) + r']))"(?:[^"]|"")*"(?!")'
        differences = {
            "sqlite3: NUL": "\0" in text,
            "sqlite3: CR": "\r" in re.sub(quoted, "", text).replace("\r\n", "\n"),
            "sqlite3: text after a quote": re.search(quoted + r"[^\r\n" + re.escape(delimiter) + "]", text),
            "sqlite3: empty cell at the end": text.endswith(delimiter),
            "sqlite3: over a limit": is_over,
            "sqlite3: encoding": not encoding.startswith("utf-8"),
        }
        path = tool.folder / f"table{number}.csv"
        names = [name for name, holds in differences.items() if holds]
        if names:
            seen.update(names)
            path.unlink()
            continue
        asked.append((number, records))
        columns = ", ".join(f"c{i} TEXT" for i in range(len(records[0])))
        separator = {"\t": "\\t"}.get(delimiter, delimiter)
        script += [f"CREATE TABLE t{number} ({columns});", f".separator \"{separator}\" \"\\n\"", f".import '{path}' t{number}"]
    subprocess.run(["sqlite3", database], input="\n".join(script).encode(), capture_output=True, timeout=600)
    with sqlite3.connect(database) as connection:
        for number, records in asked:
            path, width = tool.folder / f"table{number}.csv", len(records[0])
            theirs = [row for row in connection.execute(f"SELECT * FROM t{number} ORDER BY rowid")]
            theirs = [row for row in theirs if row != ("",) + (None,) * (width - 1)]
            ours = [tuple((record + [None] * width)[:width]) for record in records if record != [""]]
            if ours != theirs:
                at = first_difference(ours, theirs)
                tool.find(f"sqlite3, table {number}, record {at + 1}: etl {str(ours[at:at + 1])[:300]}, sqlite3 {str(theirs[at:at + 1])[:300]}", path)
            else:
                path.unlink()
    return len(asked)

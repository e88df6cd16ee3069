"""The commands that `torture` attacks, what prepares a folder for them, and the services that they ask."""
import atexit, csv, http.server, pathlib, sqlite3, subprocess, sys, threading

PROJECT = pathlib.Path(__file__).resolve().parent.parent.parent
SAMPLE = PROJECT / "Pipelines/sample"
MIGRATIONS = PROJECT / "Pipelines/migrations"


class Services:
    """Fake services on this machine. They give the same answers each time."""

    def __init__(self, etl):
        self.process = subprocess.Popen(
            [etl, "fake-providers", "--port", "0", "--rate", "10000", "--quiet"], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, bufsize=1)
        atexit.register(self.process.kill)
        lines, last = [], "ETL_ISBNDB_KEY="
        while last not in (line := self.process.stdout.readline()):
            lines += [line] if line else sys.exit("the fake services do not start")
        self.variables = dict(line.strip().removeprefix("export ").split("=", 1) for line in lines + [line])


class Images(http.server.BaseHTTPRequestHandler):
    """A proxy that answers every address with an image of its own: the head of a PNG of 20 x 20 pixels, and the address."""

    def do_GET(self):
        body = bytes.fromhex("89504e470d0a1a0a0000000d4948445200000014000000140802000000") + self.path.encode() * 9
        self.send_response(200)
        self.send_header("Content-Type", "image/png")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def serve_images():
    """The variables that lead to the images."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Images)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return {"http_proxy": f"http://127.0.0.1:{server.server_port}"}


def decide(work):
    """Accepts the uncertain matches, except titles that are there twice. One is left: the fake service has no answer."""
    with open(work / "review.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    titles = [row["title"] for row in rows]
    for row in rows:
        row["decision"] = "" if row["title"] == "Middlemarch" else "none" if titles.count(row["title"]) > 1 else "accept"
    with open(work / "review.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)


def correct(work):
    """Gives the rejected row a title."""
    text = (work / "rejects.csv").read_text()
    (work / "rejects.csv").write_text(text.replace("990009007,,", "990009007,Collected Poems,"))


def make_unfinished(work):
    """Makes the job one whose process was killed."""
    with sqlite3.connect(work / "library.sqlite") as store:
        store.execute("UPDATE jobs SET status = 'processing'")
    store.close()


def give_covers(work):
    """Gives a few editions a cover, some of them the same."""
    with sqlite3.connect(work / "library.sqlite") as store:
        store.execute("UPDATE editions SET cover = 'http://images.invalid/' || (id % 7) || '.png' WHERE id < 9")
    store.close()


def make_rules(work):
    (work / "rules.yaml").write_text("shelves:\n  abandoned: {status: did-not-finish}\n")


class Command:
    """A command that writes.

    - before: what prepares the folder, `@`: commands, whose output goes to the file after `>`, and functions.
    - again: how it is finished after a disturbance: `run`, or `once` if it must not be run when it is complete.
    - whole: files that are old or new at any time; of a folder, its name and a slash.
    - seal: the file without which a folder is known to be incomplete.
    - asks: "services" or "images", if it asks any.
    - prints: whether its output is compared, too.
    - answers: whether it is about cached answers. All are compared then; else those that there were must stay.
    """

    def __init__(self, name, *arguments, before=(), again="run", whole=(), seal=None, asks=None, prints=False, answers=False):
        self.name, self.arguments, self.before, self.again = name, arguments, before, again
        self.whole, self.seal, self.asks, self.prints, self.answers = whole, seal, asks, prints, answers


DB = ["--db", "@library.sqlite"]
IMPORT = ["import", "--quiet", *DB, "--job", "first", "--same-person", SAMPLE / "goodreads_2015.csv"]
BIG = ["import", "--quiet", *DB, "--job", "big", "--same-person", SAMPLE / "goodreads_library_export.csv"]
BUILD = ["catalog", "build", "--quiet", "--out", "@catalog.sqlite"] + sorted((SAMPLE / "catalog").iterdir())
BOOK = "9780441569595"
STORYGRAPH = ["run", "--quiet", MIGRATIONS / "goodreads_to_storygraph.yaml", SAMPLE / "goodreads_library_export.csv"]
ADD_STORYGRAPH = ["import", "--quiet", *DB, "--job", "other", "@storygraph.csv"]
RULES = [make_rules, ["rules", "set", *DB, "@rules.yaml"]]
REVIEW = [BIG, ["review", *DB, ">", "@review.csv"], decide]
PENDING = REVIEW + [["review", "--quiet", *DB, "--apply", "@review.csv"]]
SET = ["set", *DB, BOOK, "publisher=Nobody"]
XLSX = ["export", "--quiet", *DB, "--format", "xlsx", "--output", "@books.xlsx"]
POSTGRESQL = ["run", "--quiet", *DB, MIGRATIONS / "store_to_postgresql.yaml"]
HTML = ["stats", "--quiet", *DB, "--html", "@report.html"]
COMMANDS = [
    Command("import", *BIG),
    Command("import with a catalog", *BIG[:2], "--catalog", "@catalog.sqlite", *BIG[2:], before=[BUILD]),
    Command("import with services", *BIG, asks="services"),
    Command("import of a newer export", *IMPORT[:5], "second", SAMPLE / "goodreads_newer.csv", before=[BIG]),
    Command("import into another library", *BIG[:5], "second", "--library", "b", SAMPLE / "goodreads_2015.csv", before=[BIG]),
    Command("import --join", *ADD_STORYGRAPH, "--join", before=[BIG, STORYGRAPH]),
    Command("import --rejects", "import", "--quiet", *DB, "--job", "big", "--rejects", "@rejects.csv",
            before=[BIG, ["errors", *DB, "--format", "csv", ">", "@rejects.csv"], correct]),
    Command("run clean_import", "run", "--quiet", *DB, "--job", "big", PROJECT / "Pipelines/clean_import.yaml",
            SAMPLE / "goodreads_library_export.csv"),
    Command("run store_to_store", "run", "--quiet", "--db", "@other.sqlite", "--job", "all",
            MIGRATIONS / "store_to_store.yaml", "@library.sqlite", before=[BIG, [*IMPORT[:3], "@other.sqlite", *IMPORT[4:]]]),
    Command("enrich", "enrich", "--quiet", *DB, "--catalog", "@catalog.sqlite", before=[BIG, BUILD]),
    Command("redo", "redo", "--quiet", *DB, "--catalog", "@catalog.sqlite", "--rows", "2-60", before=[BIG, BUILD]),
    Command("review --apply", "review", "--quiet", *DB, "--apply", "@review.csv", before=REVIEW, asks="services", again="once"),
    Command("resume", "resume", "--quiet", *DB, before=PENDING, asks="services"),
    Command("retry", "retry", "--quiet", *DB, before=PENDING,
            asks="services"),
    Command("cancel", "cancel", *DB, "big", before=[BIG, make_unfinished], again="once"),
    Command("covers", "covers", "--quiet", *DB, "@covers", before=[IMPORT, give_covers], asks="images",
            whole=["covers/covers.csv"]),
    Command("set", *SET, before=[IMPORT]),
    Command("lock", "lock", *DB, BOOK, "publisher", before=[IMPORT]),
    Command("unlock", "unlock", *DB, BOOK, before=[IMPORT, SET]),
    Command("remove", "remove", *DB, BOOK, before=[IMPORT], again="once"),
    Command("merge", "merge", *DB, BOOK, "9780060853983", before=[IMPORT], again="once"),
    Command("split", "split", *DB, BOOK, before=[IMPORT, ["merge", *DB, BOOK, "9780060853983"]], again="once"),
    Command("duplicates --apply", "duplicates", "--quiet", *DB, "--apply", "@duplicates.csv",
            before=[BIG, STORYGRAPH, ADD_STORYGRAPH, ["duplicates", *DB, "--format", "csv", ">", "@duplicates.csv"]]),
    Command("rules set", *RULES[1], before=[BIG, make_rules]),
    Command("rules clear", "rules", "clear", *DB, before=[BIG, *RULES]),
    Command("cache import", "cache", "import", *DB, "@answers.ndjson", asks="services", answers=True,
            before=[BIG, ["cache", "export", *DB, ">", "@answers.ndjson"], ["cache", "purge", "--quiet", *DB, "--all"]]),
    Command("cache purge", "cache", "purge", *DB, "--all", before=[BIG], asks="services", answers=True),
    Command("undo", "undo", *DB, "big", before=[IMPORT, BIG], again="once"),
    Command("forget", "forget", *DB, "default", before=[BIG], again="once"),
    Command("search", "search", *DB, "--quiet", "dune", before=[BIG], prints=True),
    Command("doctor --prune", "doctor", *DB, "--prune", "--older-than", "0", before=[IMPORT, BIG]),
    Command("catalog build", *BUILD),
    Command("catalog update", *BUILD[:2], "--update", *BUILD[2:], before=[BUILD[:-1]]),
    Command("export xlsx", *XLSX, before=[IMPORT, XLSX, BIG], whole=["books.xlsx"]),
    Command("export calibre-library", "export", "--quiet", *DB, "--to", "calibre-library", "--output", "@calibre",
            before=[IMPORT], whole=["calibre/"], again="once"),
    Command("run store_to_postgresql", *POSTGRESQL, before=[IMPORT, POSTGRESQL, BIG], whole=["postgresql/"],
            seal="postgresql/load.sql"),
    Command("run goodreads_to_storygraph", *STORYGRAPH, before=[[*STORYGRAPH[:3], SAMPLE / "goodreads_2015.csv"]],
            whole=["storygraph.csv"]),
    Command("convert xlsx", "convert", "--quiet", "--to", "xlsx", "--output", "@books.xlsx",
            SAMPLE / "goodreads_library_export.csv", before=[IMPORT, XLSX], whole=["books.xlsx"]),
    Command("stats --html", *HTML, before=[IMPORT, HTML, BIG], whole=["report.html"]),
]

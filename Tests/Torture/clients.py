"""The light traffic of `soak`: what clients do with a server, each kind of them on a thread of its own."""
import base64, collections, csv, http.client, io, json, pathlib, random, re, socket, struct, threading, time

PROJECT = pathlib.Path(__file__).resolve().parent.parent.parent
SAMPLE = PROJECT / "Pipelines/sample"
TIMEOUT = 60


class Clients:
    """Traffic on threads of their own, until `ended` is set."""

    def __init__(self, port, seed):
        self.port, self.seed, self.ended, self.lock = port, seed, threading.Event(), threading.Lock()
        self.counts, self.findings, self.slowest = collections.Counter(), [], 0.0
        with open(SAMPLE / "goodreads_library_export.csv", newline="") as file:
            self.header, *rows = csv.reader(file)
        # One row for each ISBN, so that ten rows are ten books.
        books = {row[6]: row for row in rows if len(row) > 6 and re.fullmatch('="978[0-9]{10}"', row[6])}
        self.rows = [row for isbn, row in sorted(books.items())]
        # Those that the catalog certainly has.
        with open(SAMPLE / "catalog/ol_dump_editions.txt") as file:
            self.isbns = sorted(set(re.findall(r'"isbn_13": ?\["(97[89]\d{10})"', file.read())))[:60]
        self.threads = [
            threading.Thread(target=self.repeat, args=values, daemon=True)
            for values in ((self.ask, 1), (self.upload, 20), (self.watch, 600), (self.idle, 1))]

    def repeat(self, work, seconds):
        chance, number = random.Random(f"{self.seed} {work.__name__}"), 0
        while not self.ended.wait(seconds * chance.uniform(0.5, 1.5) if number else seconds / 10):
            try:
                work(chance, number)
            except Exception as error:
                self.find(f"{work.__name__}: {type(error).__name__} {error}")
            number += 1

    def start(self):
        for thread in self.threads:
            thread.start()

    def progress(self):
        """How many answers there were, and how many seconds the slowest since the last call took."""
        with self.lock:
            slowest, self.slowest = self.slowest, 0.0
            return sum(self.counts.values()), slowest

    def find(self, text):
        if not self.ended.is_set():
            with self.lock:
                self.findings.append(text)
                if len(self.findings) <= 20:
                    print(f"  FOUND {text}", flush=True)

    def count(self, kind):
        with self.lock:
            self.counts[kind] += 1

    def request(self, kind, method, path, body=None, fields={}, status=200, connection=None):
        """The answer's body, counted; anything but the status that is right is found."""
        own = connection or http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)
        start = time.monotonic()
        try:
            own.request(method, path, body, fields)
            answer = own.getresponse()
            text = answer.read()
        finally:
            if not connection:
                own.close()
        self.count(kind)
        with self.lock:
            self.slowest = max(self.slowest, time.monotonic() - start)
        if answer.status != status:
            raise ValueError(f"{path.split('?')[0]} was answered with {answer.status}: {text[:200]}")
        return text

    def ask(self, chance, number):
        isbn, word = chance.choice(self.isbns), chance.choice(("the", "house", "memory", "odyssey", "city", "night"))
        path, expected = chance.choice((
            ("/health", '"ok"'), ("/ready", "true"), ("/metrics", "etl_"), ("/openapi.json", "/v1/jobs"), ("/", "<html"),
            (f"/v1/search/isbn?isbn={isbn}", isbn), (f"/v1/search/isbn?isbn={isbn}", isbn), (f"/api/v2/search?q={word}", '"success":true'),
            (f"/v1/search/title?q={word}", '"success":true'), ("/page/library", "<html")))
        if expected not in self.request(path.split("?")[0], "GET", path).decode():
            raise ValueError(f"{path} was answered without {expected}")

    def submit(self, kind, text, library, services):
        body = "".join(
            f'--X\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
            for name, value in (("library", library), ("providers", services)))
        body += f'--X\r\nContent-Disposition: form-data; name="file"; filename="list.csv"\r\n\r\n{text}\r\n--X--\r\n'
        fields = {"Content-Type": "multipart/form-data; boundary=X"}
        return json.loads(self.request(kind, "POST", "/api/v2/imports", body.encode(), fields, 202))["data"]

    def check(self, job, books):
        """Status and results of a job that is done."""
        fields = {"Authorization": f"Bearer {job['token']}"}
        status = json.loads(self.request("status", "GET", job["statusUrl"], fields=fields))["data"]
        results = json.loads(self.request("results", "GET", job["resultsUrl"], fields=fields))["data"]
        if status["status"] != "completed" or status["processedCount"] != books or len(results["books"]) != books:
            raise ValueError(f"a job of {books} books has the status {status} and {len(results['books'])} books")

    def upload(self, chance, number):
        """A list of ten books, into one of four libraries, followed as events until it is done."""
        text = io.StringIO()
        rows = chance.sample(self.rows, 10)
        csv.writer(text).writerows([self.header] + rows)
        job = self.submit("upload", text.getvalue(), f"l{number % 4}", "catalog")
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)
        try:
            connection.request("GET", job["streamUrl"], headers={"Authorization": f"Bearer {job['token']}"})
            events = [line[6:].strip() for line in connection.getresponse() if line.startswith(b"event:")]
        finally:
            connection.close()
        if not events or events[-1] != b"completed":
            raise ValueError(f"a stream ended with {events[-1:]}")
        self.count("streams")
        self.check(job, 10)
        export = self.request("/page/export", "GET", "/page/export").decode()
        # The sample has books twice, under two ISBNs.
        if not any(row[6].strip('="') in export for row in rows):
            raise ValueError("the books of an upload are not in the export")

    def watch(self, chance, number):
        """An import that asks services once a second and takes minutes, watched over a WebSocket."""
        books = ["Title,Author,ISBN13"] + [f"Book {i},Somebody {i},{made_up(number * 120 + i)}" for i in range(120)]
        job = self.submit("slow upload", "\n".join(books), "slow", "openlibrary,google-books")
        with socket.create_connection(("127.0.0.1", self.port), TIMEOUT) as wire, wire.makefile("rb") as stream:
            key = base64.b64encode(chance.randbytes(16)).decode()
            wire.sendall(
                f"GET {job['websocketUrl']} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nUpgrade: websocket\r\n"
                f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n".encode())
            if b" 101 " not in (line := stream.readline()):
                raise ValueError(f"the WebSocket was answered with {line}")
            while stream.readline().strip():
                pass
            wire.sendall(frame(1, b'{"type":"ready"}'))
            types, opcode = [], 0
            while opcode != 8:
                opcode, body = read_frame(stream)
                if opcode == 9:
                    wire.sendall(frame(10, body))
                elif opcode == 1:
                    types.append(json.loads(body)["type"])
            wire.sendall(frame(8, body[:2]))
        if types[-1:] != ["job_complete"] or body[:2] != struct.pack(">H", 1000):
            raise ValueError(f"a WebSocket ended with {types[-1:]} and {body}")
        self.count("WebSockets")
        self.check(job, 120)

    def idle(self, chance, number):
        """A connection that asks, is silent for 50 seconds, and asks again, three times."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)
        try:
            for _ in range(4):
                self.request("idle", "GET", "/health", connection=connection)
                if self.ended.wait(50):
                    return
        finally:
            connection.close()


def frame(opcode, body):
    """A masked frame with a mask of zeros."""
    return bytes((0x80 | opcode, 0x80 | len(body))) + bytes(4) + body


def read_frame(stream):
    head = stream.read(2)
    if len(head) < 2:
        raise ValueError("the WebSocket broke")
    size = head[1] & 127
    if size > 125:
        size = int.from_bytes(stream.read(2 if size == 126 else 8), "big")
    return head[0] & 15, stream.read(size)


def made_up(number):
    """An ISBN that no catalog has."""
    digits = f"979912{number:06d}"
    return digits + str(-sum(int(d) * (1, 3)[i % 2] for i, d in enumerate(digits)) % 10)

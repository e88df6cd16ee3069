#!/usr/bin/env python3
"""Measures `etl similar` by the tags that readers gave to books (goodbooks-10k): nDCG at 10, beside simpler ways.

    Tests/Reference/similar_quality.py ETL MODEL books.csv tags.csv book_tags.csv

Tags are split into two halves by their names. The four most frequent tags of one half become shelves of an import, from which etl makes
genres. The other half judges: two books are the more similar the more rare tags they share. Tags about reading and owning, and
those with an author's name, are left out. A book's own other editions count as nothing. Needs numpy.
"""

import collections
import csv
import hashlib
import json
import math
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile

import numpy

NO_TOPIC = re.compile(
    r"read|own|book|favou?rite|librar|kindle|audio|shelf|wish|buy|default|list|my-|20\d\d|19\d\d|ya$|reviewed|finished|series|dnf"
    r"|abandon|novels?$|collection")


def load(books_path, tags_path, book_tags_path):
    books = {row["goodreads_book_id"]: row for row in csv.DictReader(open(books_path))}
    names = {row["tag_id"]: row["tag_name"] for row in csv.DictReader(open(tags_path))}
    tags = collections.defaultdict(dict)
    for line in open(book_tags_path).read().split("\n")[1:-1]:
        book, tag, count = line.split(",")
        if book in books and tag in names:
            tags[book][names[tag]] = int(count)
    chosen = [book for book in tags if len(tags[book]) > 50]
    shown, judged = {}, {}
    for book in chosen:
        people = [word for word in re.split(r"[^a-z]+", books[book]["authors"].lower()) if len(word) > 3]
        topics = {name: count for name, count in tags[book].items()
                  if not NO_TOPIC.search(name) and not any(word in name for word in people)}
        half = {name: int(hashlib.md5(name.encode()).hexdigest(), 16) % 2 for name in topics}
        visible = {name: count for name, count in topics.items() if half[name] == 0}
        shown[book] = sorted(visible, key=lambda name: -visible[name])[:4]
        judged[book] = {name: count for name, count in topics.items() if half[name] == 1}
    return books, chosen, shown, judged


def relevance(chosen, judged, same):
    names = sorted({name for book in chosen for name in judged[book]})
    place = {name: number for number, name in enumerate(names)}
    matrix = numpy.zeros((len(chosen), len(names)))
    for row, book in enumerate(chosen):
        for name, count in judged[book].items():
            matrix[row, place[name]] = math.log1p(count)
    matrix *= numpy.log(len(chosen) / (matrix > 0).sum(0))
    matrix /= numpy.linalg.norm(matrix, axis=1, keepdims=True) + 1e-9
    gains = matrix @ matrix.T
    gains[same] = 0
    return gains


def ndcg(gains, ranking, row):
    discounts = 1 / numpy.log2(numpy.arange(2, 12))
    got = (gains[row][ranking[:10]] * discounts[:len(ranking[:10])]).sum()
    return got / ((numpy.sort(gains[row])[::-1][:10] * discounts).sum() + 1e-9)


def main(etl, model, *paths):
    books, chosen, shown, judged = load(*paths)
    core = [re.sub(r"\(.*", "", books[book]["title"]).split(":")[0].strip().lower() for book in chosen]
    same = numpy.array([[a == b for b in core] for a in core])
    gains = relevance(chosen, judged, same)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        with open(folder / "books.csv", "w") as file:
            writer = csv.writer(file)
            writer.writerow(["Book Id", "Title", "Author", "Additional Authors", "Bookshelves", "Exclusive Shelf",
                             "Original Publication Year"])
            for book in chosen:
                first, *others = books[book]["authors"].split(", ")
                writer.writerow([book, books[book]["title"], first, ", ".join(others), ", ".join(shown[book]), "read",
                                 books[book]["original_publication_year"].split(".")[0]])
        store = folder / "books.sqlite"
        subprocess.run([etl, "import", "--db", store, folder / "books.csv"], check=True, capture_output=True)
        subprocess.run([etl, "embed", "--db", store, "--model", model], check=True)
        rows = sqlite3.connect(store).execute(
            "SELECT e.source_id, w.key, w.genres FROM entries e JOIN editions d ON d.id = e.edition JOIN works w ON w.id = d.work")
        keys, genres = {}, {}
        for source, key, stored in rows:
            keys[key] = chosen.index(source)
            genres[chosen.index(source)] = set(json.loads(stored or "[]"))
        scores = collections.defaultdict(list)
        random = numpy.random.default_rng(1)
        for row, book in enumerate(chosen):
            noise = random.random(len(chosen)) * 1e-3
            own = set(books[book]["authors"].split(", "))
            author = [len(own & set(books[other]["authors"].split(", "))) > 0 for other in chosen]
            overlap = [len(genres[row] & genres[other]) / max(1, len(genres[row] | genres[other])) for other in range(len(chosen))]
            for title, values in (("random", noise), ("same author", author + noise), ("genre overlap", overlap + noise)):
                order = numpy.argsort(numpy.where(same[row], 9, -numpy.asarray(values)), kind="stable")
                scores[title].append(ndcg(gains, order, row))
            answer = subprocess.run([etl, "similar", "--db", store, "--json", "--limit", "20", f"id:{book}"],
                                    capture_output=True, text=True)
            found = [keys.get(hit["key"], -1)
                     for hit in json.loads(answer.stdout).get("similar", [])]
            scores["etl similar"].append(ndcg(gains, [hit for hit in found if hit >= 0 and not same[row][hit]], row))
        print(f"{len(chosen)} books, nDCG at 10")
        for title, values in scores.items():
            print(f"{title:14} {numpy.mean(values):.3f}")


if __name__ == "__main__":
    main(*sys.argv[1:])

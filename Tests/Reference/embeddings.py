#!/usr/bin/env python3
"""Compares the vectors of `etl embed` with those of WordLlama, for 1,000 titles in ten languages.

    pip install wordllama==0.4.0.post1
    Tests/Reference/embeddings.py .build/debug/etl

The wheel contains a model and its tokenizer (MIT). Imports the titles into a new store, computes their vectors with etl,
reads them from the file next to the store, and computes the same texts with the package itself. Prints the least cosine;
ends with status 1 if it is below 0.9999.
"""

import pathlib
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile

import numpy
import wordllama

WORDS = {
    "en": (["The house", "A quiet book", "My brother", "The last winter", "Letters", "Nobody's garden", "The art",
            "A history", "Seven days", "Don't look"],
           ["of grief in Japan", "by the sea", "and the dragon", "without a name", "in 1984", "for beginners",
            "— a novel", "& other stories", "under the mountain", "(once more)"]),
    "de": (["Das Haus", "Ein stilles Buch", "Mein Bruder", "Der letzte Winter", "Briefe", "Über den Fluss", "Die Kunst",
            "Geschichte", "Sieben Tage", "Größe"],
           ["am Meer", "und der Drache", "ohne Namen", "für Anfänger", "im Süden", "von früher", "aus Österreich",
            "der Übersetzer", "des Königs", "mit Fußnoten"]),
    "fr": (["La maison", "Un livre", "Mon frère", "L’hiver", "Lettres", "Le garçon", "L’art", "Histoire", "Sept jours", "À l’ombre"],
           ["de la mer", "et le dragon", "sans nom", "pour débutants", "du Sud", "d’autrefois", "des cœurs", "à Noël",
            "des rois", "où naît le vent"]),
    "es": (["La casa", "Un libro", "Mi hermano", "El invierno", "Cartas", "El niño", "El arte", "Historia", "Siete días", "¿Quién"],
           ["del mar", "y el dragón", "sin nombre", "para principiantes", "del sur", "de antaño", "del corazón",
            "en otoño", "de los reyes", "de mañana?"]),
    "it": (["La casa", "Un libro", "Mio fratello", "L'inverno", "Lettere", "Il ragazzo", "L'arte", "Storia", "Sette giorni", "Perché"],
           ["del mare", "e il drago", "senza nome", "per principianti", "del Sud", "di una volta", "del cuore", "è già",
            "dei re", "più in là"]),
    "pt": (["A casa", "Um livro", "Meu irmão", "O inverno", "Cartas", "O menino", "A arte", "História", "Sete dias", "Não"],
           ["do mar", "e o dragão", "sem nome", "para iniciantes", "do Sul", "de outrora", "do coração", "de amanhã",
            "dos reis", "à noite"]),
    "pl": (["Dom", "Książka", "Mój brat", "Zima", "Listy", "Chłopiec", "Sztuka", "Historia", "Siedem dni", "Źródło"],
           ["nad morzem", "i smok", "bez imienia", "dla początkujących", "z południa", "dawnych lat", "serca", "w śniegu",
            "królów", "pod górą"]),
    "ru": (["Дом", "Тихая книга", "Мой брат", "Зима", "Письма", "Мальчик", "Искусство", "История", "Семь дней", "Ёлка"],
           ["у моря", "и дракон", "без имени", "для начинающих", "юга", "прошлого", "сердца", "в снегу", "королей", "под горой"]),
    "ja": (["海辺の", "静かな", "兄の", "最後の", "手紙と", "少年の", "芸術と", "歴史の", "七日間の", "はじめての"],
           ["家", "本", "竜", "名前", "冬", "心", "王", "夜", "カフカ", "物語"]),
    "ar": (["بيت", "كتاب", "أخي", "شتاء", "رسائل", "الصبي", "فن", "تاريخ", "سبعة أيام", "ليلة"],
           ["البحر", "والتنين", "بلا اسم", "للمبتدئين", "الجنوب", "القلب", "الملوك", "الجبل", "الحزن", "الغد"]),
}


def vectors(path):
    """The halves of a file of vectors by work, as VectorHeader and VectorLayout in Sources/Support/Vectors/Index say."""
    data = path.read_bytes()
    count, dimension = struct.unpack_from("<Q", data, 8)[0], struct.unpack_from("<I", data, 64)[0]
    stride, rows = (dimension + 31) // 32 * 32, 1_024
    block = rows * (28 + stride + dimension * 2)
    found = {}
    for row in range(count):
        start = 4_096 + row // rows * block
        work = struct.unpack_from("<q", data, start + row % rows * 8)[0]
        halves = start + rows * (28 + stride) + row % rows * dimension * 2
        found[work] = numpy.frombuffer(data, numpy.float16, dimension, halves).astype(numpy.float32)
    return found


def main(etl):
    package = pathlib.Path(wordllama.__file__).parent
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        model = folder / "l2_supercat_256.safetensors"
        shutil.copy(package / "weights" / model.name, model)
        shutil.copy(package / "tokenizers" / "l2_supercat_tokenizer_config.json", folder / "tokenizer.json")
        titles = [f"{first} {second}" for firsts, seconds in WORDS.values() for first in firsts for second in seconds]
        lines = [f'{number},"{title}",Author {number}' for number, title in enumerate(titles)]
        (folder / "titles.csv").write_text("Book Id,Title,Author\n" + "\n".join(lines) + "\n")
        store = folder / "titles.sqlite"
        subprocess.run([etl, "import", "--db", store, folder / "titles.csv"], check=True, capture_output=True)
        subprocess.run([etl, "embed", "--db", store, "--model", model], check=True)
        texts = {}
        for work, title, subtitle in sqlite3.connect(store).execute("SELECT id, title, subtitle FROM works"):
            texts[work] = f"{title}: {subtitle}" if subtitle else title
        names = dict(sqlite3.connect(store).execute(
            "SELECT c.id >> 16, a.name FROM contributors c JOIN authors a ON a.id = c.author"))
        found = vectors(pathlib.Path(f"{store}.vectors"))
        works = sorted(found)
        # The package looks for its tokenizer in another folder than the one that the wheel has.
        original = wordllama.WordLlama.load(cache_dir=package, disable_download=True)
        expected = original.embed([f"{texts[work]}. {names[work]}" for work in works], norm=True)
        cosines = (expected * numpy.array([found[work] for work in works])).sum(axis=1)
        print(f"{len(works)} titles, least cosine {cosines.min():.6f}, mean {cosines.mean():.6f}")
        return 0 if len(works) >= 900 and cosines.min() >= 0.9999 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

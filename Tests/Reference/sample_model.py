#!/usr/bin/env python3
"""Writes the static model of Pipelines/sample/model: words of a few topics, and letters for all others.

    Tests/Reference/sample_model.py Pipelines/sample/model

A topic is a direction; a word points to its topic and a little into a direction of its own. It shows how similar books and search by
meaning work, and is no substitute for a real model (docs/similar.md).
"""

import json
import pathlib
import string
import struct
import sys

TOPICS = [
    "fantasy magic wizard wizards dragon dragons sword elf quest earthsea hobbit ring witch",
    "science space planet robot robots galaxy future dune alien time machine cyberpunk left",
    "mystery murder detective crime police clue thriller spy noir",
    "love romance wedding heart bride pride prejudice marriage",
    "history war army battle king empire peace soldier historical",
    "greek classics odyssey iliad epic mythology homer gods troy",
    "horror ghost frankenstein vampire haunted gothic monster dracula",
    "poetry poems poem verse sonnets songs",
    "philosophy meditations ethics republic truth wisdom",
    "children child wonderland fairy tales young juvenile animal",
    "memoir biography life autobiography diary letters memory",
    "comics graphic maus persepolis manga",
    "humor humorous satire comic absurd hitchhiker",
    "sea island ocean ship whale voyage adventure treasure",
    "japan japanese tokyo samurai pillow",
    "africa nigeria kenya african colonialism",
    "grief loss death sorrow quiet lonely solitude",
    "dystopian dystopias totalitarianism orwell brave handmaid",
]
DIMENSION = 64


def main(folder):
    letters = list(string.ascii_lowercase + string.digits)
    tokens, vectors = ["[UNK]"], [[0.0] * DIMENSION]

    def add(token, parts):
        vector = [0.0] * DIMENSION
        for place, number in parts:
            vector[place] = number
        tokens.append(token)
        vectors.append(vector)

    for topic, words in enumerate(TOPICS):
        for number, word in enumerate(words.split()):
            add(word, [(topic, 1.0), (20 + number, 0.25)])
    for number, letter in enumerate(letters):
        add(letter, [(36 + number % 28, 0.0625)])
        add("##" + letter, [(36 + number % 28, 0.03125)])
    numbers = b"".join(struct.pack(f"<{DIMENSION}e", *vector) for vector in vectors)
    header = json.dumps({"embeddings": {
        "dtype": "F16", "shape": [len(tokens), DIMENSION], "data_offsets": [0, len(numbers)]}}).encode()
    folder.mkdir(exist_ok=True)
    (folder / "sample.safetensors").write_bytes(struct.pack("<Q", len(header)) + header + numbers)
    (folder / "tokenizer.json").write_text(json.dumps({
        "version": "1.0",
        "normalizer": {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": None,
                       "lowercase": True},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                  "max_input_chars_per_word": 100, "vocab": {token: number for number, token in enumerate(tokens)}},
    }) + "\n")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))

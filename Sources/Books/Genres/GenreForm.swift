import Bytes

/// Recognizes genres that the table does not have by their form: `Hopepunk`, `French fiction`, `Love poetry`.
package enum GenreForm {
    /// Whether a text is several words joined by hyphens, as users write tags: `church-fiction`.
    package static func isTag(_ text: UnsafeRawBufferPointer) -> Bool {
        text.contains(UInt8(ascii: "-")) && !text.contains { $0 <= 0x20 }
    }

    /// A genre as it is shown: of a tag, its words with capitals; nil if the text stays as it is.
    package static func shown(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
        guard isTag(text) else { return nil }
        var isFirst = true
        return text.map { byte in
            defer { isFirst = byte == UInt8(ascii: "-") }
            if byte == UInt8(ascii: "-") { return 0x20 }
            return isFirst && byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") ? byte - 0x20 : byte
        }
    }

    /// Whether a key (``GenreKey``) names a genre: one word that ends in `punk`, or up to three words of which
    /// the last is a literary form. Names of shelves, such as `my poetry`, are no genres. `Drama` is an ordinary
    /// word too, so only the words of plays and novels may be before it: no `office drama`.
    package static func isGenre(_ key: UnsafeRawBufferPointer) -> Bool {
        guard key.count <= 40, key.allSatisfy({ $0 >= 0x61 && $0 <= 0x7A || $0 == 0x20 || $0 >= 0x80 }) else {
            return false
        }
        let words = key.split(separator: 0x20)
        guard let last = words.last else { return false }
        if words.count == 1 { return key.count > 5 && key.ends(with: "punk") }
        if "drama" == UnsafeRawBufferPointer(rebasing: last) {
            return words.count == 2 && dramas.contains { $0 == UnsafeRawBufferPointer(rebasing: words[0]) }
        }
        return words.count <= 3 && forms.contains { $0 == UnsafeRawBufferPointer(rebasing: last) }
            && !words.dropLast().contains { word in
                notInGenres.contains { $0 == UnsafeRawBufferPointer(rebasing: word) }
            }
    }

    private static let forms: [StaticString] = ["fiction", "poetry"]

    private static let dramas: [StaticString] = [
        "ancient", "biblical", "catalan", "childrens", "christian", "christmas", "classical", "closet",
        "contemporary",
        "courtroom", "crime",
        "domestic", "elizabethan", "experimental", "expressionist", "family", "fantasy", "feminist", "folk",
        "gay",
        "historical", "jacobean", "juvenile", "legal", "lesbian", "liturgical", "lyric", "medical",
        "medieval", "modern",
        "nordic",
        "pastoral", "poetic", "political", "psychological", "queer", "radio", "religious", "renaissance",
        "restoration", "revenge", "romantic", "social", "television", "tragic", "verse", "victorian", "war",
    ]

    /// Words that users put before a genre in the names of their shelves, and words that join two things.
    private static let notInGenres: [StaticString] =
        forms + ["drama", "noir"] + [
            "a", "about", "all", "and", "audio", "bad", "best", "book", "books", "current", "currently",
            "default",
            "did", "e", "fav", "favorite", "favorites", "favourite", "favourites", "finished", "for", "from",
            "general",
            "good", "great", "i", "ibooks", "in", "kindle", "less", "library", "like", "misc", "more", "my",
            "new",
            "next", "no", "non", "not", "of", "old", "on", "or", "other", "our", "own", "owned", "own",
            "random",
            "re",
            "read", "reading", "recommended", "some", "tbr", "the", "to", "top", "unread", "want", "wish",
            "with",
            "x",
        ]
}

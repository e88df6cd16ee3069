import Books
import Bytes

/// Composes the keys by which works, editions, authors and entries are recognized.
///
///     work      ol:OL45804W · isbn:9780441013593 · title:dune|frank herbert|en
///     edition   isbn:9780441013593 · title:dune|frank herbert|en · ol:OL45804W if nothing else is known
///               title:dune|frank herbert|en|dune 2 for another book or edition with that title (TitleIdentity)
///               title:dune|frank herbert|en|? if it is not certain which book has the title
///     author    ol:OL34184A · name:frank herbert
///     entry     library ␟ format ␟ source id; or ~title|author|isbn if there is none;
///               or 6~title|author|isbn if the id belongs to another book;
///               with ~#2 at the end for a second copy (EntryCopies)
///
/// Titles and names are in ``KeyNormalizer``'s form: folded, but with the signs that distinguish `C` and
/// `C++`. Hashes are computed from the stored key text, so an index can be rebuilt from the rows.
package struct KeyComposer: Sendable {
    private let entryPrefix: [UInt8]
    /// The beginning that source ids in our own spreadsheet have if they come from this library. It is
    /// removed; otherwise ids would get longer with each export and import. Empty for other formats.
    private let ownLibrary: [UInt8]

    init(library: String, formatName: String) {
        entryPrefix = Self.entryPrefix(library: library, formatName: formatName)
        ownLibrary = formatName == Self.spreadsheet ? Array("\(library)/".utf8) : []
    }

    /// The format whose source ids include their library: `theirs/goodreads/1`.
    static let spreadsheet = "etl"

    static func entryPrefix(library: String, formatName: String) -> [UInt8] {
        Array("\(library)\u{1F}\(programs[formatName] ?? formatName)\u{1F}".utf8)
    }

    /// Formats whose exports have the ids of another format's, because one program writes both: they describe
    /// the same entries.
    private static let programs = [
        "librarything-json": "librarything", "bookwyrm-archive": "bookwyrm",
    ]

    /// For a format another one of the same program.
    static let siblings = Dictionary(
        uniqueKeysWithValues: programs.flatMap { [($0.key, $0.value), ($0.value, $0.key)] })

    /// The key of an entry: its prefix and source id.
    static func entryKey(prefix: [UInt8], sourceID: UnsafeRawBufferPointer) -> TextKey {
        // The first hash seeds the second, so nothing is copied.
        let seed = KeyHash.hash(prefix)
        return TextKey(
            hash: KeyHash.hash(sourceID, seed: seed),
            check: UInt32(truncatingIfNeeded: KeyHash.hash(sourceID, seed: ~seed) >> 41))
    }

    struct Identity {
        var workKey: Text
        var editionKey: Text
        var openLibraryKey: TextKey?
        var titleKey: TextKey?
    }

    /// The keys of a work and its edition, from the strongest known identifier.
    ///
    /// - Parameter isUncertain: Whether several books fit the record. Its title is then not that of a book that
    ///   was found with certainty.
    func identity(
        title: Text, author: Text, language: Text, openLibraryWork: Text, isbn: ISBN?,
        isUncertain: Bool = false,
        scratch: inout [UInt8], arena: inout Arena
    ) -> Identity {
        var identity = Identity(workKey: .none, editionKey: .none, openLibraryKey: nil, titleKey: nil)
        if let isbn {
            identity.editionKey = arena.append { out in
                out.append(contentsOf: "isbn:".utf8)
                isbn.appendISBN13(to: &out)
            }
        } else if title.isEmpty, !openLibraryWork.isEmpty {
            // Otherwise all books without a title would be one book.
            let number = arena.bytes(openLibraryWork)
            identity.editionKey = arena.append { $0 += Array("ol:".utf8) + number }
            identity.titleKey = arena.withBytes(identity.editionKey) { TextKey($0) }
        } else {
            identity.editionKey = titleKey(
                title, author, language, isUncertain, scratch: &scratch, arena: &arena)
            identity.titleKey = arena.withBytes(identity.editionKey) { TextKey($0) }
        }
        if openLibraryWork.isEmpty {
            identity.workKey = identity.editionKey
        } else {
            let number = arena.bytes(openLibraryWork)
            identity.workKey = arena.append { out in
                out.append(contentsOf: "ol:".utf8)
                out.append(contentsOf: number)
            }
            identity.openLibraryKey = arena.withBytes(identity.workKey) { TextKey($0) }
        }
        return identity
    }

    private func titleKey(
        _ title: Text, _ author: Text, _ language: Text, _ isUncertain: Bool, scratch key: inout [UInt8],
        arena: inout Arena
    ) -> Text {
        key.removeAll(keepingCapacity: true)
        arena.withBytes(title) { title in
            arena.withBytes(author) { author in
                arena.withBytes(language) {
                    Self.appendTitleKey(title: title, author: author, language: $0, to: &key)
                }
            }
        }
        if isUncertain { key.append(contentsOf: "|?".utf8) }
        return arena.append(key)
    }

    /// Appends the key of an edition without an ISBN.
    static func appendTitleKey(
        title: UnsafeRawBufferPointer, author: UnsafeRawBufferPointer, language: UnsafeRawBufferPointer,
        to key: inout [UInt8]
    ) {
        key.append(contentsOf: "title:".utf8)
        KeyNormalizer.fold(title, into: &key)
        key.append(UInt8(ascii: "|"))
        KeyNormalizer.fold(author, into: &key)
        key.append(UInt8(ascii: "|"))
        key.append(contentsOf: language)
    }

    /// The key of an author: Open Library's, else the name with its initials joined, so that `J. K. Rowling` and
    /// `JK Rowling` are one author.
    func author(_ author: BookAuthor, scratch key: inout [UInt8], arena: inout Arena) -> Text {
        key.removeAll(keepingCapacity: true)
        guard author.key.isEmpty else {
            key.append(contentsOf: "ol:".utf8)
            arena.withBytes(author.key) { key.append(contentsOf: $0) }
            return arena.append(key)
        }
        key.append(contentsOf: "name:".utf8)
        let start = key.count
        arena.withBytes(author.name) { KeyNormalizer.fold($0, into: &key) }
        if Self.hasInitials(key, from: start)
            || arena.withBytes(author.name, { $0.contains(UInt8(ascii: ",")) })
        {
            let name = arena.withBytes(author.name) { PersonKey.fold($0) }
            if !name.isEmpty { key.replaceSubrange(start..., with: name) }
        }
        return arena.append(key)
    }

    /// The public key of the author with a name, of whom no other identifier is known: `name:frank herbert`.
    package static func authorKey(named name: String) -> String {
        var (arena, scratch) = (Arena(), [UInt8]())
        let author = BookAuthor(name: arena.append(name), role: .author, origin: .row)
        let key = KeyComposer(library: "", formatName: "").author(author, scratch: &scratch, arena: &arena)
        return arena[key]
    }

    /// Whether a folded name has two words of one letter next to each other. No other name has initials to join.
    private static func hasInitials(_ key: [UInt8], from start: Int) -> Bool {
        var (place, length, before) = (start, 0, 0)
        while place <= key.count {
            if place == key.count || key[place] == 0x20 {
                if length == 1, before == 1 { return true }
                (before, length) = (length, 0)
            } else if key[place] & 0xC0 != 0x80 {
                length += 1
            }
            place += 1
        }
        return false
    }

    func candidate(_ candidate: Candidate, arena: Arena) -> TextKey {
        arena.withBytes(candidate.record) {
            Self.candidateKey(candidate.provider, candidate.match, record: $0)
        }
    }

    static func candidateKey(
        _ provider: Provider, _ match: Candidate.Match, record: UnsafeRawBufferPointer
    ) -> TextKey {
        let seed = UInt64(provider.rawValue) << 8 | UInt64(match.rawValue)
        return TextKey(
            hash: KeyHash.hash(record, seed: seed),
            check: UInt32(truncatingIfNeeded: KeyHash.hash(record, seed: ~seed) >> 41))
    }

    /// The key of an entry, and its source id or stand-in. A stand-in is made of the row's own title, author
    /// and ISBN, regardless of providers.
    func entry(
        sourceID: Text, title: Text, author: Text, isbn: ISBN?, scratch text: inout [UInt8],
        arena: inout Arena
    ) -> (key: TextKey, sourceID: Text) {
        var id = sourceID
        if id.isEmpty {
            text.removeAll(keepingCapacity: true)
            arena.withBytes(title) { title in
                arena.withBytes(author) {
                    Self.appendStandIn(title: title, author: $0, isbn: isbn, to: &text)
                }
            }
            id = arena.append(text)
        } else if !ownLibrary.isEmpty, id.length > ownLibrary.count,
            arena.withBytes(id, { $0.starts(with: ownLibrary) })
        {
            id = id.part(ownLibrary.count..<Int(id.length))
        }
        return (arena.withBytes(id) { Self.entryKey(prefix: entryPrefix, sourceID: $0) }, id)
    }

    /// The first character of stand-ins for source ids.
    static let standInMark = UInt8(ascii: "~")

    /// Appends the stand-in for a missing source id, or the part that distinguishes equal ids of different
    /// books.
    static func appendStandIn(
        title: UnsafeRawBufferPointer, author: UnsafeRawBufferPointer, isbn: ISBN?, to text: inout [UInt8]
    ) {
        text.append(standInMark)
        KeyNormalizer.fold(title, into: &text)
        text.append(UInt8(ascii: "|"))
        KeyNormalizer.fold(author, into: &text)
        text.append(UInt8(ascii: "|"))
        isbn?.appendISBN13(to: &text)
    }
}

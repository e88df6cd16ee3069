import Bytes

/// The keys by which works, editions, authors and entries are found again (contract.md section 5a).
///
///     work      ol:OL45804W · isbn:9780441013593 · title:dune|frank herbert|en
///     edition   isbn:9780441013593 · title:dune|frank herbert|en · ol:OL45804W where nothing else is known
///     author    ol:OL34184A · name:frank herbert
///     entry     library ␟ profile ␟ source's own id, or ~title|author|isbn, or 6~title|author|isbn where the id
///               is another book's
///
/// Titles and names stand in them as ``KeyNormalizer`` has them: folded, with the signs that tell `C` from `C++`. The stored
/// key text is what is hashed, so an index can be made again from the rows.
struct KeyComposer: Sendable {
    private let entryPrefix: [UInt8]
    /// What source ids of our own spreadsheet begin with where they come from this very library: nothing is gained
    /// by it, and an entry that goes out and comes back would get a longer id each time. Empty for other profiles.
    private let ownLibrary: [UInt8]

    init(library: String, profile: String) {
        entryPrefix = Self.entryPrefix(library: library, profile: profile)
        ownLibrary = profile == Self.spreadsheet ? Array("\(library)/".utf8) : []
    }

    /// The profile whose source ids say their library: `theirs/goodreads/1`.
    static let spreadsheet = "etl"

    static func entryPrefix(library: String, profile: String) -> [UInt8] {
        Array("\(library)\u{1F}\(profile)\u{1F}".utf8)
    }

    /// The place of an entry: its prefix and its source id.
    static func entryKey(prefix: [UInt8], sourceID: UnsafeRawBufferPointer) -> TextKey {
        // One hash seeds the other: nothing is copied for the sake of hashing.
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

    /// The keys of a work and its edition, from the strongest identifier known.
    func identity(
        title: Text, author: Text, language: Text, openLibraryWork: Text, isbn: ISBN?,
        scratch: inout [UInt8], arena: inout Arena
    ) -> Identity {
        var identity = Identity(workKey: .none, editionKey: .none, openLibraryKey: nil, titleKey: nil)
        if let isbn {
            identity.editionKey = arena.append { out in
                out.append(contentsOf: "isbn:".utf8)
                isbn.appendISBN13(to: &out)
            }
        } else if title.isEmpty, !openLibraryWork.isEmpty {
            // Books without a title are not all one book.
            let number = arena.bytes(openLibraryWork)
            identity.editionKey = arena.append { $0 += Array("ol:".utf8) + number }
            identity.titleKey = arena.withBytes(identity.editionKey) { TextKey($0) }
        } else {
            identity.editionKey = titleKey(title, author, language, scratch: &scratch, arena: &arena)
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
        _ title: Text, _ author: Text, _ language: Text, scratch key: inout [UInt8], arena: inout Arena
    ) -> Text {
        key.removeAll(keepingCapacity: true)
        key.append(contentsOf: "title:".utf8)
        arena.withBytes(title) { KeyNormalizer.fold($0, into: &key) }
        key.append(UInt8(ascii: "|"))
        arena.withBytes(author) { KeyNormalizer.fold($0, into: &key) }
        key.append(UInt8(ascii: "|"))
        arena.withBytes(language) { key.append(contentsOf: $0) }
        return arena.append(key)
    }

    func author(_ author: BookAuthor, scratch key: inout [UInt8], arena: inout Arena) -> Text {
        key.removeAll(keepingCapacity: true)
        if author.key.isEmpty {
            key.append(contentsOf: "name:".utf8)
            arena.withBytes(author.name) { KeyNormalizer.fold($0, into: &key) }
        } else {
            key.append(contentsOf: "ol:".utf8)
            arena.withBytes(author.key) { key.append(contentsOf: $0) }
        }
        return arena.append(key)
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

    /// The entry's place and what stands for the source's id: the row's own title, author and ISBN, whatever a
    /// provider may say of them.
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

    /// What stands in for a source's id begins with it.
    static let standInMark = UInt8(ascii: "~")

    /// Appends what stands in for a source's id that is missing, or tells it from the same id of another book.
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

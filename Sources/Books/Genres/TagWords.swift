import Bytes

/// Words of users' tags that are no genres, or genres with a certain place in a tag. The table is `tag_words.tsv`.
package struct TagWords: Sendable {
    /// The built-in table.
    static let standard = TagWords(PackageResources.tag_words_tsv)

    /// What a term does in a tag. The comment in `tag_words.tsv` describes each.
    enum Kind: String, CaseIterable {
        case filler, link, head, front, block, modifier, named
    }

    private var lists: [Kind: GenreKeys] = [:]

    /// - Parameter text: Lines of `kind<TAB>term; term; …`. Lines of other kinds are ignored.
    init(_ text: [UInt8]) {
        text.withUnsafeBytes { text in
            for line in TableLines(text) {
                guard let kind = Kind(rawValue: String(decoding: line.field(0), as: UTF8.self)) else {
                    continue
                }
                for term in line.items(1) {
                    lists[kind, default: GenreKeys(expected: 256)].insert(term, as: 0)
                }
            }
        }
    }

    /// Whether a key (``GenreKey``) is a term of a kind.
    func contains(_ key: UnsafeRawBufferPointer, as kind: Kind) -> Bool {
        lists[kind]?.value(of: key) != nil
    }
}

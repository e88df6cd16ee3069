import Bytes

/// The map from spellings to canonical genres, `genres.tsv`: parsed once, then read by every worker.
///
/// Open addressing over the keys' bytes: a look-up hashes the key once and makes no `String`.
struct GenreTable: Sendable {
    /// A canonical genre: its number in the order of the file.
    typealias Genre = UInt8

    /// The table the project ships.
    static let standard = GenreTable(PackageResources.genres_tsv)

    /// Canonical names, UTF-8, by number.
    let names: [[UInt8]]
    private let keys: GenreKeys

    /// - Parameter text: Lines of `canonical<TAB>spelling; spelling; …`. A genre may take several lines.
    init(_ text: [UInt8]) {
        var names: [[UInt8]] = []
        var keys = GenreKeys(expected: text.count / 12)
        var key: [UInt8] = []
        text.withUnsafeBytes { text in
            for line in TableLines(text) {
                let canonical = line.field(0)
                if names.last.map({ canonical.elementsEqual($0) }) != true {
                    names.append(Array(canonical))
                    keys.insert(canonical, as: UInt16(names.count - 1), key: &key)
                }
                for spelling in line.items(1) {
                    keys.insert(spelling, as: UInt16(names.count - 1), key: &key)
                }
            }
        }
        self.names = names
        self.keys = keys
    }

    /// The genre a key (``GenreKey``) means.
    @inline(__always)
    func genre(forKey key: UnsafeRawBufferPointer) -> Genre? {
        keys.value(of: key).map { Genre(truncatingIfNeeded: $0) }
    }

    /// The genre a key means in its singular form.
    func genre(forSingularOf key: UnsafeRawBufferPointer, scratch: inout [UInt8]) -> Genre? {
        SingularForm.first(of: key, scratch: &scratch) { genre(forKey: $0) }
    }
}

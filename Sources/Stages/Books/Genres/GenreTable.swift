import Bytes

/// The map from spellings to canonical genres, `genres.tsv`. It is parsed once and read by all workers.
///
/// Open addressing over the bytes of the keys: a lookup hashes the key once and creates no `String`.
struct GenreTable: Sendable {
    /// A canonical genre: its index in the order of the file.
    typealias Genre = UInt8

    /// The built-in table.
    static let standard = GenreTable(PackageResources.genres_tsv)

    /// Canonical names, UTF-8, by index.
    let names: [[UInt8]]
    private let keys: GenreKeys

    /// - Parameter text: Lines of `canonical<TAB>spelling; spelling; …`. A genre can have several lines.
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

    /// The genre of a key (``GenreKey``).
    @inline(__always)
    func genre(forKey key: UnsafeRawBufferPointer) -> Genre? {
        keys.value(of: key).map { Genre(truncatingIfNeeded: $0) }
    }

    /// The genre of a key's singular form.
    func genre(forSingularOf key: UnsafeRawBufferPointer, scratch: inout [UInt8]) -> Genre? {
        SingularForm.first(of: key, scratch: &scratch) { genre(forKey: $0) }
    }
}

/// A map from keys of genres (``GenreKey``) to small numbers: an open-addressing table over bytes.
struct GenreKeys: Sendable {
    private var storage: [UInt8] = []
    private var entries: [Entry] = []
    /// Index of the entry plus one; 0 is a free slot.
    private var slots: [UInt16]

    private struct Entry {
        var offset: UInt32
        var length: UInt16
        var value: UInt16
    }

    init(expected: Int) {
        var size = 64
        while size < expected * 2 { size *= 2 }
        slots = Array(repeating: 0, count: size)
        storage.reserveCapacity(expected * 16)
        entries.reserveCapacity(expected)
    }

    /// Adds the key of a spelling. If the key exists, its first value is kept.
    mutating func insert(_ spelling: UnsafeRawBufferPointer, as value: UInt16, key: inout [UInt8]) {
        key.removeAll(keepingCapacity: true)
        GenreKey.append(spelling, to: &key)
        guard !key.isEmpty, key.withUnsafeBytes({ self.value(of: $0) }) == nil else { return }
        if (entries.count + 1) * 2 > slots.count { grow() }
        entries.append(
            Entry(offset: UInt32(storage.count), length: UInt16(clamping: key.count), value: value))
        storage.append(contentsOf: key)
        place(entries.count - 1)
    }

    @inline(__always)
    func value(of key: UnsafeRawBufferPointer) -> UInt16? {
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: KeyHash.hash(key)) & mask
        while true {
            let number = Int(slots[slot])
            guard number > 0 else { return nil }
            let entry = entries[number - 1]
            if Int(entry.length) == key.count, matches(entry, key) { return entry.value }
            slot = (slot + 1) & mask
        }
    }

    @inline(__always)
    private func matches(_ entry: Entry, _ key: UnsafeRawBufferPointer) -> Bool {
        storage.withUnsafeBytes { $0.part(Int(entry.offset), key.count).hasSameBytes(as: key) }
    }

    private mutating func place(_ number: Int) {
        let entry = entries[number]
        let range = Int(entry.offset)..<Int(entry.offset) + Int(entry.length)
        let hash = storage.withUnsafeBytes { KeyHash.hash(UnsafeRawBufferPointer(rebasing: $0[range])) }
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 { slot = (slot + 1) & mask }
        slots[slot] = UInt16(number + 1)
    }

    private mutating func grow() {
        slots = Array(repeating: 0, count: slots.count * 2)
        for number in entries.indices { place(number) }
    }
}

package import Bytes

/// The keys that distinguish a JSON file's records from its other objects: at most 63.
package struct JSONRecordKeys: Sendable {
    /// Requirement on a key's value to make its object a record.
    package enum Value: Sendable {
        case any, text
        /// A list that begins with an object.
        case objects
    }

    /// A key of records.
    package struct Key: Sendable {
        /// The last eight bytes of its name. The last byte is the lowest.
        let word: UInt64
        let value: Value
        /// Whether only records have this key. Any other key identifies a record only if no record is open.
        let isCertain: Bool

        package init(_ name: StaticString, _ value: Value = .any, isCertain: Bool = true) {
            word = name.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt64($1) } }
            self.value = value
            self.isCertain = isCertain
        }
    }

    private let keys: [Key]
    /// Whether records within a record that has all the keys belong to it, such as a library's holdings to a
    /// book.
    let holdRecords: Bool

    package init(_ keys: [Key], holdRecords: Bool) {
        self.keys = keys
        self.holdRecords = holdRecords
    }

    /// All keys, one bit each.
    package var all: UInt64 { (1 << UInt64(keys.count)) - 1 }

    subscript(index: Int) -> Key { keys[index] }

    /// The index of a key, given the last eight bytes of its name.
    func index(of word: UInt64) -> Int? { keys.firstIndex { $0.word == word } }
}

/// The first bytes of a file that begins like JSON in UTF-8.
package struct JSONHead {
    private let text: ArraySlice<UInt8>

    /// - Returns: Nil if the bytes begin with neither an object nor a list.
    package init?(_ head: [UInt8]) {
        text = head.starts(with: TextEncoding.utf8.byteOrderMark) ? head.dropFirst(3) : head[...]
        guard let first = text.first(where: { $0 > 0x20 }),
            first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        else { return nil }
    }

    /// The keys that occur in it.
    package func keys(of wanted: [String]) -> [String] {
        wanted.filter { text.firstRange(of: Array("\"\($0)\"".utf8)) != nil }
    }
}

/// Records that are a JSON document each.
extension Record {
    /// Decodes the record's bytes if they are complete. Its cells are what `decode` returns. Anomalies are
    /// added to its flags.
    ///
    /// Strings may contain line ends: many JSON readers allow it, so many files have them.
    package mutating func readJSON(
        in arena: inout Arena,
        _ decode: (inout JSONReader, inout Arena) throws(JSONReadError) -> Range<Int>
    ) {
        guard flags.isDisjoint(with: .withoutCells) else { return }
        let bytes = arena.bytes(raw)
        do throws(JSONReadError) {
            let (cells, hasBareControls) = try JSONReader.read(bytes) { (reader) throws(JSONReadError) in
                reader.allowsBareControls = true
                let cells = try decode(&reader, &arena)
                try reader.finish()
                return (cells, reader.hasBareControls)
            }
            self.cells = cells
            if hasBareControls { flags.insert(.bareControls) }
            if !bytes.withUnsafeBytes({ $0.isUTF8 }) { flags.insert(.invalidUTF8) }
        } catch {
            flags.insert(.unreadable)
        }
    }
}

/// The keys that tell the records of a file of JSON from its other objects: 63 at the most.
package struct JSONRecordKeys: Sendable {
    /// What a key's value must be for its object to be a record.
    package enum Value: Sendable {
        case any, text
        /// A list that begins with an object.
        case objects
    }

    /// A key of records.
    package struct Key: Sendable {
        /// The last eight bytes of its name: the latest is the lowest.
        let word: UInt64
        let value: Value
        /// Whether nothing else has the key. Any other one tells a record only where none is open.
        let isCertain: Bool

        package init(_ name: StaticString, _ value: Value = .any, isCertain: Bool = true) {
            word = name.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt64($1) } }
            self.value = value
            self.isCertain = isCertain
        }
    }

    private let keys: [Key]
    /// Whether records within a record that has all the keys belong to it, as a library's holdings do to a book.
    let holdRecords: Bool

    package init(_ keys: [Key], holdRecords: Bool) {
        self.keys = keys
        self.holdRecords = holdRecords
    }

    /// All the keys, a bit each.
    var all: UInt64 { (1 << UInt64(keys.count)) - 1 }

    subscript(index: Int) -> Key { keys[index] }

    /// The key of a name, given by its last eight bytes.
    func index(of word: UInt64) -> Int? { keys.firstIndex { $0.word == word } }
}

/// Values that records have in objects within them and that belong in columns of their own, such as
/// `{"ids": {"isbn13": "…"}}` and `{"identifiers": [{"type": "ISBN_13", "identifier": "…"}]}`.
enum JSONLiftedKeys {
    /// Keys that say what another key of the same object holds, and those that hold it.
    private static let kinds: Set = ["type", "kind", "scheme"]
    private static let holders: Set = ["identifier", "value", "id", "text", "number"]
    /// Maximum number of values of a record that are looked at.
    private static let most = 512

    /// The keys and values in the objects within a record; of an object with a type, the type is the key.
    ///
    /// - Parameter record: A JSON object. Nothing is found if it is not valid.
    static func pairs(in record: [UInt8]) -> [(key: String, value: [UInt8])] {
        var pairs: [(key: String, value: [UInt8])] = []
        try? JSONReader.read(record) { (reader) throws(JSONReadError) in
            try reader.forEachKey { (_, reader) throws(JSONReadError) in try visit(&reader, &pairs) }
        }
        return pairs
    }

    private static func visit(
        _ reader: inout JSONReader, _ pairs: inout [(key: String, value: [UInt8])]
    ) throws(JSONReadError) {
        switch try reader.peek() {
        case .array:
            try reader.forEachElement { (reader) throws(JSONReadError) in try visit(&reader, &pairs) }
        case .object:
            var kind: String?
            var held: [UInt8] = []
            try reader.forEachKey { (key, reader) throws(JSONReadError) in
                let name = key.string
                switch try reader.peek() {
                case .object: try visit(&reader, &pairs)
                default:
                    var value: [UInt8] = []
                    try appendFirst(&reader, to: &value, &pairs)
                    guard !value.isEmpty, pairs.count < most else { return }
                    pairs.append((name, value))
                    if kinds.contains(name.lowercased()) { kind = String(decoding: value, as: UTF8.self) }
                    if holders.contains(name.lowercased()) { held = value }
                }
            }
            if let kind, !held.isEmpty { pairs.append((kind, held)) }
        default: try reader.skip()
        }
    }

    /// Takes a value, of a list the first one. Objects in a list are visited.
    private static func appendFirst(
        _ reader: inout JSONReader, to value: inout [UInt8], _ pairs: inout [(key: String, value: [UInt8])]
    ) throws(JSONReadError) {
        guard try reader.peek() == .array else { return try JSONTexts.append(&reader, to: &value) }
        try reader.forEachElement { (reader) throws(JSONReadError) in
            switch try reader.peek() {
            case .object, .array: try visit(&reader, &pairs)
            default:
                var item: [UInt8] = []
                try JSONTexts.append(&reader, to: &item)
                if value.isEmpty { value = item }
            }
        }
    }
}

/// A JSON value as the text of one cell.
enum JSONTexts {
    /// Keys under which an object has its name, in order of precedence.
    private static let names = ["name", "label", "title", "value", "text", "fl"]
    /// Keys under which it has its place in a series.
    private static let numbers = ["number", "position", "index", "volume"]

    static func append(_ reader: inout JSONReader, to text: inout [UInt8]) throws(JSONReadError) {
        switch try reader.peek() {
        case .string: try reader.string().append(to: &text)
        case .number: text.append(contentsOf: try reader.number())
        case .bool: text += Array((try reader.bool() ? "true" : "false").utf8)
        case .null: try reader.skip()
        case .array:
            var isFirst = true
            try reader.forEachElement { (reader) throws(JSONReadError) in
                var item: [UInt8] = []
                try append(&reader, to: &item)
                guard !item.isEmpty else { return }
                if !isFirst { text += Array("; ".utf8) }
                isFirst = false
                text += item
            }
        case .object: try appendObject(&reader, to: &text)
        }
    }

    /// `{"name": "Earthsea", "number": "1"}` becomes `Earthsea #1`; an object without a name, its keys and values.
    private static func appendObject(_ reader: inout JSONReader, to text: inout [UInt8]) throws(JSONReadError)
    {
        var values: [(key: String, value: [UInt8])] = []
        try reader.forEachKey { (key, reader) throws(JSONReadError) in
            var value: [UInt8] = []
            try append(&reader, to: &value)
            if !value.isEmpty, values.count < 64 { values.append((key.string, value)) }
        }
        let find = { (keys: [String]) in
            keys.lazy.compactMap { key in values.first { $0.key.lowercased() == key } }.first?.value
        }
        guard let name = find(names) else {
            text += values.map { Array("\($0.key)=".utf8) + $0.value }.joined(separator: Array(", ".utf8))
            return
        }
        text += name
        if let number = find(numbers) { text += Array(" #".utf8) + number }
        if let role = find(["role"]) { text += Array(" (".utf8) + role + Array(")".utf8) }
    }
}

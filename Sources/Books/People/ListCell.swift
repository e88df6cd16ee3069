import Syntax

/// A cell that is a list in the notation of a program: `["Ana Lee", "Bo Ek"]`, or `['Ana Lee', 'Bo Ek']`.
package enum ListCell {
    /// Keys under which the objects of a list have their names, and the role of a person.
    private static let keys = ["name", "label", "title", "value", "author", "text"]

    /// The items of a list, of objects their names with the role in brackets; nil if the cell is not a list.
    package static func items(_ cell: String) -> [String]? {
        guard cell.utf8.first == UInt8(ascii: "["), cell.utf8.last == UInt8(ascii: "]") else { return nil }
        if let items = json(Array(cell.utf8)) { return items }
        return quoted(cell.dropFirst().dropLast())
    }

    private static func json(_ bytes: [UInt8]) -> [String]? {
        try? JSONReader.read(bytes) { (reader) throws(JSONReadError) in
            var items: [String] = []
            try reader.forEachElement { (reader) throws(JSONReadError) in
                switch try reader.peek() {
                case .string: items.append(try reader.string().string)
                case .number: items.append(String(decoding: try reader.number(), as: UTF8.self))
                case .object: if let name = try name(&reader) { items.append(name) }
                default: try reader.skip()
                }
            }
            try reader.finish()
            return items
        }
    }

    private static func name(_ reader: inout JSONReader) throws(JSONReadError) -> String? {
        var values: [String: String] = [:]
        try reader.forEachKey { (key, reader) throws(JSONReadError) in
            let key = key.string.lowercased()
            if let text = try reader.stringIfAny() { values[key] = text.string }
        }
        guard let name = keys.lazy.compactMap({ values[$0] }).first else { return nil }
        return values["role"].map { $0.isEmpty ? name : "\(name) (\($0))" } ?? name
    }

    /// Items in quotes as Python writes them. A quote ends an item only before a comma or at the end.
    private static func quoted(_ list: Substring) -> [String]? {
        var items: [String] = []
        var rest = list.drop(while: \.isWhitespace)
        while let quote = rest.first {
            guard quote == "'" || quote == "\"" else { return nil }
            rest = rest.dropFirst()
            var end: Substring.Index?
            for index in rest.indices where rest[index] == quote {
                let after = rest[rest.index(after: index)...].drop(while: \.isWhitespace)
                if after.isEmpty || after.first == "," {
                    end = index
                    break
                }
            }
            guard let end else { return nil }
            items.append(String(rest[..<end]))
            rest = rest[rest.index(after: end)...].drop { $0.isWhitespace || $0 == "," }
        }
        return items.isEmpty ? nil : items
    }
}

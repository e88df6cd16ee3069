import Bytes
import Syntax

/// One statement about an item: its rank, its value, and whether it has ended.
struct WikidataStatement {
    enum Rank {
        case deprecated, normal, preferred
    }

    var rank = Rank.normal
    /// Whether the statement has an end date (P582), even an unknown one.
    var hasEnded = false
    /// The value, if it is an item.
    var item: UInt32?
    /// The value, if it is a string.
    var text: String?
    var date: WikidataDate?

    /// Parses the statements of one property; anything but an array counts as no statements.
    static func read(_ reader: inout JSONReader) throws(JSONReadError) -> [WikidataStatement] {
        var statements: [WikidataStatement] = []
        guard try reader.peek() == .array else { return statements }
        try reader.forEachElement { reader throws(JSONReadError) in
            guard try reader.peek() == .object else { return }
            var statement = WikidataStatement()
            try reader.forEachKey { key, reader throws(JSONReadError) in
                switch key {
                case "rank":
                    guard let rank = try reader.stringIfAny() else { return }
                    statement.rank =
                        rank == "preferred" ? .preferred : rank == "deprecated" ? .deprecated : .normal
                case "mainsnak", "value": try statement.readValue(&reader)
                case "qualifiers": statement.hasEnded = try readHasEnded(&reader)
                default: break
                }
            }
            statements.append(statement)
        }
        return statements
    }

    /// The number of an item id: 42 for `Q42`; nil if it is not an item id.
    static func itemNumber(_ id: JSONString) -> UInt32? {
        guard id.raw.first == UInt8(ascii: "Q") else { return nil }
        return TableLine.number(UnsafeRawBufferPointer(rebasing: id.raw.dropFirst()))
    }

    /// Parses a snak (`datavalue`) or a REST value (`content`), however deeply the value is nested.
    private mutating func readValue(_ reader: inout JSONReader) throws(JSONReadError) {
        guard try reader.peek() == .object else { return }
        try reader.forEachKey { key, reader throws(JSONReadError) in
            switch key {
            case "datavalue": try readValue(&reader)
            case "value", "content":
                switch try reader.peek() {
                case .string:
                    let string = try reader.string()
                    // REST has the item's id as a string where the other formats have an object.
                    item = Self.itemNumber(string)
                    text = string.string
                case .object: try readStructured(&reader)
                default: break
                }
            default: break
            }
        }
    }

    /// Parses the value of an item (`id`) or of a time.
    private mutating func readStructured(_ reader: inout JSONReader) throws(JSONReadError) {
        var year: Int32?
        var precision: Int64 = 0
        try reader.forEachKey { key, reader throws(JSONReadError) in
            switch key {
            case "id": item = try reader.stringIfAny().flatMap(Self.itemNumber)
            case "time": year = try reader.stringIfAny().flatMap { WikidataDate.year($0.raw) }
            case "precision": if try reader.peek() == .number { precision = try reader.integer() ?? 0 }
            default: break
            }
        }
        if let year { date = WikidataDate(year: year, precision: Int(clamping: precision)) }
    }

    /// Whether the qualifiers contain an end date. They are a map of properties, or a list in REST.
    private static func readHasEnded(_ reader: inout JSONReader) throws(JSONReadError) -> Bool {
        var hasEnded = false
        switch try reader.peek() {
        case .object:
            try reader.forEachKey { property, reader throws(JSONReadError) in
                guard property == "P582", try reader.peek() == .array else { return }
                try reader.forEachElement { reader throws(JSONReadError) in
                    let isNone = try readIsNoValue(&reader)
                    hasEnded = hasEnded || !isNone
                }
            }
        case .array:
            try reader.forEachElement { reader throws(JSONReadError) in
                guard try reader.peek() == .object else { return }
                var isEnd = false
                var isNone = false
                try reader.forEachKey { key, reader throws(JSONReadError) in
                    guard try reader.peek() == .object else { return }
                    if key == "property" {
                        try reader.forEachKey { key, reader throws(JSONReadError) in
                            if key == "id" { isEnd = try reader.stringIfAny().map { $0 == "P582" } ?? false }
                        }
                    } else if key == "value" {
                        isNone = try readIsNoValue(&reader)
                    }
                }
                hasEnded = hasEnded || isEnd && !isNone
            }
        default: break
        }
        return hasEnded
    }

    /// Whether a snak or value is `novalue`: the statement explicitly has no end.
    private static func readIsNoValue(_ reader: inout JSONReader) throws(JSONReadError) -> Bool {
        guard try reader.peek() == .object else { return false }
        var isNone = false
        try reader.forEachKey { key, reader throws(JSONReadError) in
            if key == "snaktype" || key == "type", let type = try reader.stringIfAny() {
                isNone = isNone || type == "novalue"
            }
        }
        return isNone
    }
}

extension [WikidataStatement] {
    /// The statements of the best rank. Deprecated ones never count.
    var best: [WikidataStatement] {
        let preferred = filter { $0.rank == .preferred }
        return preferred.isEmpty ? filter { $0.rank == .normal } : preferred
    }

    var items: [UInt32] { compactMap(\.item) }

    /// All strings that are not deprecated, regardless of rank, because an older identifier still identifies.
    var texts: [String] { filter { $0.rank != .deprecated }.compactMap(\.text) }
}

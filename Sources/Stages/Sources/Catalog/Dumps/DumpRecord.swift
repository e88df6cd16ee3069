import Books
import Bytes

/// Type of a dump's line, judged from the line alone: Open Library's five columns or a Wikidata entity.
struct DumpRecord {
    enum Kind: Hashable {
        case edition, work, author, redirect, delete
        /// A Wikidata entity.
        case entity
        /// A row of Open Library's copy of Wikidata; its record is in quotes.
        case wikidataRow
        /// An Open Library type that a catalog does not use: lists, languages, pages.
        case other
        /// Nothing: a blank line, a bracket of Wikidata's JSON array, a table header.
        case nothing
    }

    var kind: Kind
    /// Key of an Open Library record; nil for anything else.
    var key: OpenLibraryKey?
    var revision: Int64
    var json: UnsafeRawBufferPointer

    /// Splits a line into `type`, `key`, `revision`, `last_modified` and the record, separated by tabs.
    ///
    /// The record starts at the first brace, and type and key contain no spaces. So a line with spaces
    /// instead of tabs, or without the date, is parsed as well.
    init(_ line: UnsafeRawBufferPointer) throws(DumpLineError) {
        let bytes = line.trimmed
        guard let first = bytes.first else {
            self.init(.nothing)
            return
        }
        if first == UInt8(ascii: "{") {
            self.init(.entity, json: bytes.withoutTrailingComma)
            return
        }
        if first == UInt8(ascii: "Q") || first == UInt8(ascii: "\""), let record = Self.wikidataRow(bytes) {
            self.init(.wikidataRow, json: record)
            return
        }
        if bytes.begins(with: "id\tdata") {
            self.init(.nothing)
            return
        }
        if bytes.count <= 2, first == UInt8(ascii: "[") || first == UInt8(ascii: "]") {
            self.init(.nothing)
            return
        }
        guard bytes.begins(with: "/type/") else { throw .unknownKind }
        guard let brace = bytes.offset(of: UInt8(ascii: "{"), from: 0) else { throw .noRecord }
        var columns = Columns(UnsafeRawBufferPointer(rebasing: bytes[..<brace]))
        let type = columns.next()
        let json = UnsafeRawBufferPointer(rebasing: bytes[brace...])
        let kind = Self.kind(type)
        guard kind != .other else {
            self.init(.other, json: json)
            return
        }
        guard let key = OpenLibraryKey(columns.next()) else { throw .badKey }
        switch (kind, key.kind) {
        case (.redirect, _), (.delete, _), (.edition, .edition), (.work, .work), (.author, .author): break
        default: throw .badKey
        }
        self.init(kind, key: key, revision: Self.number(columns.next()), json: json)
    }

    private init(
        _ kind: Kind, key: OpenLibraryKey? = nil, revision: Int64 = 0,
        json: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0)
    ) {
        self.kind = kind
        self.key = key
        self.revision = revision
        self.json = json
    }

    private static func kind(_ type: UnsafeRawBufferPointer) -> Kind {
        switch type.count {
        case 13 where "/type/edition" == type: .edition
        case 10 where "/type/work" == type: .work
        case 12 where "/type/author" == type: .author
        case 14 where "/type/redirect" == type: .redirect
        case 12 where "/type/delete" == type: .delete
        default: .other
        }
    }

    /// Whether a line is almost certainly from a dump, judged without parsing its record. JSON without a
    /// Wikidata id does not count: many other files have such lines.
    static func isOfDump(_ line: UnsafeRawBufferPointer) -> Bool {
        guard let record = try? DumpRecord(line) else { return false }
        return switch record.kind {
        case .nothing: false
        case .entity: record.json.last == UInt8(ascii: "}") && record.json.namesEntity
        default: true
        }
    }

    /// The record of a tab-separated row `id`, `data`, `updated`, including its quotes; nil if the line is
    /// something else.
    private static func wikidataRow(_ line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        guard let tab = line.firstIndex(of: 0x09), (2...14).contains(tab) else { return nil }
        let id = line[..<tab].filter { $0 != UInt8(ascii: "\"") }
        guard id.first == UInt8(ascii: "Q"), id.count > 1, id.dropFirst().allSatisfy({ $0 &- 0x30 < 10 })
        else { return nil }
        let rest = UnsafeRawBufferPointer(rebasing: line[(tab + 1)...])
        // JSON contains no raw tabs, so the next one ends the column.
        return UnsafeRawBufferPointer(rebasing: rest[..<(rest.firstIndex(of: 0x09) ?? rest.count)])
    }

    /// Writes the record without the surrounding quotes of a table cell, in which quotes are doubled.
    func unquote(into out: inout [UInt8]) {
        let quote = UInt8(ascii: "\"")
        out.removeAll(keepingCapacity: true)
        guard json.first == quote else { return out.append(contentsOf: json) }
        var at = 1
        while at < json.count {
            if json[at] == quote {
                guard at + 1 < json.count, json[at + 1] == quote else { return }
                at += 1
            }
            out.append(json[at])
            at += 1
        }
    }

    /// A revision; 0 if there is none.
    private static func number(_ bytes: UnsafeRawBufferPointer) -> Int64 {
        guard (1...9).contains(bytes.count) else { return 0 }
        var number: Int64 = 0
        for byte in bytes {
            guard byte &- UInt8(ascii: "0") < 10 else { return 0 }
            number = number * 10 + Int64(byte &- UInt8(ascii: "0"))
        }
        return number
    }

    /// Iterates over the columns before the record, separated by tabs or spaces.
    private struct Columns {
        private var rest: UnsafeRawBufferPointer

        init(_ bytes: UnsafeRawBufferPointer) { rest = bytes }

        mutating func next() -> UnsafeRawBufferPointer {
            rest = rest.trimmed
            var end = 0
            while end < rest.count, rest[end] != 0x09, rest[end] != 0x20 { end += 1 }
            let column = UnsafeRawBufferPointer(rebasing: rest[..<end])
            rest = UnsafeRawBufferPointer(rebasing: rest[end...])
            return column
        }
    }
}

/// Why a line was skipped. `etl catalog build` counts lines by these raw values.
package enum DumpLineError: String, Error, Sendable, Hashable, CaseIterable, Codable {
    case unknownKind = "unknown_kind"
    case noRecord = "no_record"
    case badKey = "bad_key"
    case badJSON = "bad_json"
    case tooLong = "line_too_long"

    /// The reason as one sentence for the user.
    package var sentence: String {
        switch self {
        case .unknownKind: "The line is neither an Open Library dump record nor a Wikidata entity."
        case .noRecord: "The line has no record after its columns."
        case .badKey: "The key is not an Open Library key, or does not match the record's type."
        case .badJSON: "The record is not valid JSON."
        case .tooLong: "The line is longer than 8 MiB."
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether the JSON has a member `id` with a Wikidata id such as `Q42`.
    fileprivate var namesEntity: Bool {
        var rest = UnsafeRawBufferPointer(rebasing: self[...])
        while let quote = rest.offset(of: UInt8(ascii: "\""), from: 0) {
            rest = UnsafeRawBufferPointer(rebasing: rest[(quote + 1)...])
            guard rest.begins(with: "id\"") else { continue }
            let value = UnsafeRawBufferPointer(
                rebasing: rest[3...].drop { $0 <= 0x20 || $0 == 0x3A }.prefix(20))
            guard value.count > 3, value[0] == UInt8(ascii: "\""), "QPL".utf8.contains(value[1]),
                let end = value[2...].firstIndex(where: { !$0.isDigit })
            else { continue }
            if end > 2, value[end] == UInt8(ascii: "\"") { return true }
        }
        return false
    }

    /// Without the comma that separates the entities of Wikidata's array.
    var withoutTrailingComma: UnsafeRawBufferPointer {
        last == UInt8(ascii: ",") ? UnsafeRawBufferPointer(rebasing: dropLast()) : self
    }
}

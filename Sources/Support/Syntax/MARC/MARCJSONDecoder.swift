package import Bytes

/// Decodes one record of MARC-in-JSON, as written by pymarc, ruby-marc, marc4j and FOLIO:
/// `{"leader": "…", "fields": [{"001": "…"}, {"245": {"ind1": "1", "ind2": "0", "subfields": [{"a": "…"}]}}]}`.
///
/// Keys may be in any order. Unknown values are skipped. A number is read as its digits.
package enum MARCJSONDecoder {
    /// Fills a record from the next object.
    package static func decode(
        _ reader: inout JSONReader, in arena: inout Arena, into record: inout MARCRecord
    ) throws(JSONReadError) {
        record.removeAll()
        try reader.forEachKey { (key, reader) throws(JSONReadError) in
            if key == "leader" {
                record.leader = try text(&reader, &arena)
            } else if key == "fields" {
                try takeFields(&reader, &arena, &record)
            }
        }
    }

    private static func takeFields(
        _ reader: inout JSONReader, _ arena: inout Arena, _ record: inout MARCRecord
    ) throws(JSONReadError) {
        guard try reader.peek() == .array else { return }
        try reader.forEachElement { (reader) throws(JSONReadError) in
            guard try reader.peek() == .object else { return }
            try reader.forEachKey { (tag, reader) throws(JSONReadError) in
                var field = MARCRecord.Field(
                    tag: MARCTag(tag.raw), indicator1: 0x20, indicator2: 0x20, value: .none,
                    subfields: record.subfields.count..<record.subfields.count)
                if try reader.peek() == .object {
                    try take(&field, &reader, &arena, &record)
                } else {
                    field.value = try text(&reader, &arena)
                }
                record.fields.append(field)
            }
        }
    }

    /// Reads the indicators and subfields of a field.
    private static func take(
        _ field: inout MARCRecord.Field, _ reader: inout JSONReader, _ arena: inout Arena,
        _ record: inout MARCRecord
    ) throws(JSONReadError) {
        try reader.forEachKey { (key, reader) throws(JSONReadError) in
            if key == "ind1" {
                field.indicator1 = try indicator(&reader, &arena)
            } else if key == "ind2" {
                field.indicator2 = try indicator(&reader, &arena)
            } else if key == "subfields", try reader.peek() == .array {
                try reader.forEachElement { (reader) throws(JSONReadError) in
                    try takeSubfields(&reader, &arena, &record)
                }
            }
        }
        field.subfields = field.subfields.lowerBound..<record.subfields.count
    }

    /// The first byte of a value; a space if it is empty.
    private static func indicator(
        _ reader: inout JSONReader, _ arena: inout Arena
    ) throws(JSONReadError) -> UInt8 {
        let value = try text(&reader, &arena)
        return arena.withBytes(value) { $0.first ?? 0x20 }
    }

    private static func takeSubfields(
        _ reader: inout JSONReader, _ arena: inout Arena, _ record: inout MARCRecord
    ) throws(JSONReadError) {
        guard try reader.peek() == .object else { return }
        try reader.forEachKey { (code, reader) throws(JSONReadError) in
            let value = try text(&reader, &arena)
            guard !value.isEmpty else { return }
            record.subfields.append(.init(code: code.raw.first ?? 0x20, value: value))
        }
    }

    /// A string or the digits of a number. Any other value is skipped and gives the absent text.
    private static func text(
        _ reader: inout JSONReader, _ arena: inout Arena
    ) throws(JSONReadError) -> Text {
        switch try reader.peek() {
        case .string: return try reader.text(into: &arena)
        case .number: return arena.append(try reader.number())
        default:
            try reader.skip()
            return .none
        }
    }
}

extension JSONRecordKeys {
    /// The keys of a MARC-in-JSON record.
    package static let marc = JSONRecordKeys(
        [Key("leader", .text), Key("fields", .objects)], holdRecords: true)
}

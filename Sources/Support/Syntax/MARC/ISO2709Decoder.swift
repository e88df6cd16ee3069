package import Bytes

/// Decodes one record (ISO 2709, MARC 21 Specifications for Record Structure): a leader of 24 bytes, a
/// directory with entries of 12 bytes, and the fields that the entries point at.
///
/// The decoder accepts any bytes. If the directory's lengths do not agree with the field terminators, they
/// are ignored, and the n-th entry's tag is used for the n-th field.
package struct ISO2709Decoder {
    /// Ends the directory and each field.
    private static let fieldEnd: UInt8 = 0x1E
    /// Begins a subfield.
    private static let subfieldMark: UInt8 = 0x1F
    private static let entryLength = 12

    /// Anomalies of the last decoded record.
    package private(set) var flags: RecordFlags = []
    private var marc8 = MARC8()
    private var isMARC8 = false

    package init() {}

    /// Fills a record from the bytes of a text.
    ///
    /// - Returns: False if there is no readable directory.
    package mutating func decode(_ raw: Text, in arena: inout Arena, into record: inout MARCRecord) -> Bool {
        record.removeAll()
        flags = []
        let shape = arena.withBytes(raw) { Shape($0) }
        guard let shape else { return false }
        record.leader = raw.part(0..<MARCRecord.leaderLength)
        if shape.hasWrongLengths { flags.insert(.wrongLengths) }
        marc8 = MARC8()
        isMARC8 = shape.isMARC8
        for field in shape.fields { add(field.tag, raw.part(field.range), &arena, &record) }
        if marc8.replaced > 0 { flags.insert(.replacedCharacters) }
        return true
    }

    private mutating func add(
        _ tag: MARCTag, _ field: Text, _ arena: inout Arena, _ record: inout MARCRecord
    ) {
        let first = record.subfields.count
        guard !tag.isControl else {
            let value = read(field, &arena)
            record.fields.append(
                .init(tag: tag, indicator1: 0x20, indicator2: 0x20, value: value, subfields: first..<first))
            return
        }
        let (marks, indicators) = arena.withBytes(field) { bytes in
            let marks = bytes.indices.filter { bytes[$0] == Self.subfieldMark }
            let end = marks.first ?? bytes.count
            return (marks, (end > 0 ? bytes[0] : 0x20, end > 1 ? bytes[1] : 0x20))
        }
        for (number, mark) in marks.enumerated() {
            let end = number + 1 < marks.count ? marks[number + 1] : Int(field.length)
            guard end > mark + 1 else { continue }
            let code = arena.withBytes(field) { $0[mark + 1] }
            let value = read(field.part(mark + 2..<max(mark + 2, end)), &arena)
            record.subfields.append(.init(code: code, value: value))
        }
        record.fields.append(
            .init(
                tag: tag, indicator1: indicators.0, indicator2: indicators.1, value: .none,
                subfields: first..<record.subfields.count))
    }

    /// A text as UTF-8. If the bytes are already UTF-8, they are not copied.
    private mutating func read(_ text: Text, _ arena: inout Arena) -> Text {
        if arena.withBytes(text, { isMARC8 ? MARC8.isPlain($0) : $0.isUTF8 }) { return text }
        let bytes = arena.bytes(text)
        guard isMARC8 else {
            flags.insert(.invalidUTF8)
            return arena.append(String(decoding: bytes, as: UTF8.self))
        }
        return arena.append { output in bytes.withUnsafeBytes { marc8.decode($0, into: &output) } }
    }
}

extension ISO2709Decoder {
    /// Positions of a record's fields.
    private struct Shape {
        var fields: [(tag: MARCTag, range: Range<Int>)] = []
        var hasWrongLengths = false
        var isMARC8: Bool

        init?(_ bytes: UnsafeRawBufferPointer) {
            guard bytes.count > MARCRecord.leaderLength,
                let directoryEnd = bytes.offset(of: fieldEnd, from: MARCRecord.leaderLength)
            else { return nil }
            // The leader declares the encoding. If it declares MARC-8, but the bytes are valid UTF-8 beyond
            // ASCII and have no escape sequence, the leader is wrong.
            let isASCII = bytes.allSatisfy { $0 < 0x80 }
            isMARC8 =
                bytes[9] != UInt8(ascii: "a")
                && (isASCII || bytes.contains(0x1B) || !bytes.isUTF8)
            let end = bytes.last == MARCFraming.terminator ? bytes.count - 1 : bytes.count
            let directory = MARCRecord.leaderLength..<directoryEnd
            let entries = stride(from: directory.lowerBound, to: directory.upperBound, by: entryLength)
            let data = min(directoryEnd + 1, end)..<end
            let hasWholeEntries = directory.count % entryLength == 0
            if hasWholeEntries, let pointed = Self.pointed(entries, data, bytes) {
                fields = pointed
                hasWrongLengths = Self.number(bytes, 0..<5) != bytes.count
                return
            }
            hasWrongLengths = true
            var start = data.lowerBound
            for entry in entries where entry + 3 <= directoryEnd && start < data.upperBound {
                let end = bytes[start..<data.upperBound].firstIndex(of: fieldEnd) ?? data.upperBound
                fields.append((Self.tag(bytes, entry), start..<end))
                start = end + 1
            }
            guard !fields.isEmpty else { return nil }
        }

        /// The fields that the directory points at.
        ///
        /// - Returns: Nil if a field is not enclosed by field terminators, or if the fields are longer in
        ///   total than the record. In that case several entries point at the same field, and a few bytes
        ///   could produce many fields.
        private static func pointed(
            _ entries: StrideTo<Int>, _ data: Range<Int>, _ bytes: UnsafeRawBufferPointer
        ) -> [(tag: MARCTag, range: Range<Int>)]? {
            var fields: [(tag: MARCTag, range: Range<Int>)] = []
            var left = data.count
            for entry in entries {
                guard let length = number(bytes, entry + 3..<entry + 7),
                    let offset = number(bytes, entry + 7..<entry + 12), length > 0
                else { return nil }
                let start = data.lowerBound + offset
                let end = start + length
                left -= length
                guard left >= 0, end <= data.upperBound, bytes[end - 1] == fieldEnd,
                    bytes[start - 1] == fieldEnd,
                    !bytes[start..<end - 1].contains(fieldEnd)
                else { return nil }
                fields.append((tag(bytes, entry), start..<end - 1))
            }
            return fields.isEmpty ? nil : fields
        }

        private static func tag(_ bytes: UnsafeRawBufferPointer, _ entry: Int) -> MARCTag {
            MARCTag(bytes[entry], bytes[entry + 1], bytes[entry + 2])
        }

        private static func number(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int? {
            var number = 0
            for byte in bytes[range] {
                guard byte &- UInt8(ascii: "0") < 10 else { return nil }
                number = number * 10 + Int(byte - UInt8(ascii: "0"))
            }
            return number
        }
    }
}

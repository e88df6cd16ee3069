package import Bytes

/// Decodes one record of MARCXML (MARC 21 XML Schema, Library of Congress) or of MARCXchange, which uses the
/// same names.
///
/// There may be other elements around the record and between its fields. They are ignored.
package struct MARCXMLDecoder {
    private var text: [UInt8] = []

    package init() {}

    /// Fills a record from a document that contains it.
    ///
    /// - Throws: ``XMLFault`` if the document is not well-formed.
    package mutating func decode(
        _ document: UnsafeRawBufferPointer, in arena: inout Arena, into record: inout MARCRecord
    ) throws(XMLFault) {
        record.removeAll()
        let reader = try XMLReader(document)
        var open = OpenElement()
        while let node = try reader.next() {
            switch node {
            case .start:
                text.removeAll(keepingCapacity: true)
                begin(reader.localName, reader, &open, &record)
                if reader.isEmptyElement { end(reader.localName, &open, &arena, &record) }
            case .end: end(reader.localName, &open, &arena, &record)
            case .text: reader.withText { text.append(contentsOf: $0) }
            case .entity: throw XMLFault("The XML uses an unsupported entity.", line: reader.line)
            case .other: break
            }
        }
    }

    /// The element being read.
    private struct OpenElement {
        var tag: MARCTag = 000
        var code: UInt8 = 0
    }

    private func begin(
        _ name: String, _ reader: borrowing XMLReader, _ open: inout OpenElement, _ record: inout MARCRecord
    ) {
        switch name {
        case "controlfield", "datafield":
            open.tag = MARCTag((reader.attribute("tag") ?? "").utf8)
            guard name == "datafield" else { return }
            let first = record.subfields.count
            record.fields.append(
                .init(
                    tag: open.tag, indicator1: Self.byte(reader.attribute("ind1")),
                    indicator2: Self.byte(reader.attribute("ind2")), value: .none, subfields: first..<first))
        case "subfield": open.code = Self.byte(reader.attribute("code"))
        default: break
        }
    }

    private func end(
        _ name: String, _ open: inout OpenElement, _ arena: inout Arena, _ record: inout MARCRecord
    ) {
        switch name {
        case "leader": record.leader = arena.append(text)
        case "controlfield":
            let first = record.subfields.count
            record.fields.append(
                .init(
                    tag: open.tag, indicator1: 0x20, indicator2: 0x20, value: arena.append(text),
                    subfields: first..<first))
        case "subfield":
            guard let last = record.fields.indices.last, !text.isEmpty else { return }
            record.subfields.append(.init(code: open.code, value: arena.append(text)))
            let start = record.fields[last].subfields.lowerBound
            record.fields[last].subfields = start..<record.subfields.count
        default: break
        }
    }

    /// The first byte of an attribute; a space if it is missing.
    private static func byte(_ value: String?) -> UInt8 { value?.utf8.first ?? 0x20 }
}

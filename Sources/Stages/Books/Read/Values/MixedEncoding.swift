import Bytes
import Syntax

/// Text that mixes encodings within one cell: UTF-8, MARC-8 from library catalogs, windows-1252 from readers.
///
/// A cell is looked at line by line and heading by heading, for each came from somewhere else. What is UTF-8 stays.
/// What is none is MARC-8 where every mark in it stands before a letter that has such a form (`n\xE2ee`), which
/// other text hardly ever does by chance; else windows-1252, in which every byte means something.
enum MixedEncoding {
    /// The cell as UTF-8; nil where it is UTF-8 already.
    static func decoded(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        guard String(validating: bytes, as: UTF8.self) == nil else { return nil }
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count + bytes.count / 4)
        var left = bytes[...]
        while !left.isEmpty {
            let part = left.prefix { !isSeparator($0) }
            decode(UnsafeRawBufferPointer(rebasing: part), into: &output)
            left = left[part.endIndex...]
            if let separator = left.popFirst() { output.append(separator) }
        }
        return output
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\n"), UInt8(ascii: "|"), UInt8(ascii: ">"), UInt8(ascii: ";"): true
        default: false
        }
    }

    private static func decode(_ part: UnsafeRawBufferPointer, into output: inout [UInt8]) {
        if String(validating: part, as: UTF8.self) != nil {
            output.append(contentsOf: part)
            return
        }
        var decoder = MARC8()
        var marc: [UInt8] = []
        decoder.decode(part, into: &marc)
        let hasLooseMark = String(decoding: marc, as: UTF8.self).unicodeScalars.contains {
            (0x0300...0x036F).contains($0.value) || (0xFE20...0xFE2F).contains($0.value)
        }
        if decoder.replaced == 0, !hasLooseMark {
            output.append(contentsOf: marc)
        } else {
            output.append(contentsOf: TextEncoding.windows1252.utf8(ofHead: Array(part)))
        }
    }
}

extension LibraryRows {
    /// Decodes the cells of a row that are no UTF-8, each for itself, and says of the first what it became.
    mutating func decodeMixedText(of row: inout LibraryRow) {
        for index in row.cells {
            guard let decoded = arena.withBytes(cells[index], { MixedEncoding.decoded($0) }) else { continue }
            let text = arena.append(decoded)
            cells[index] = text
            guard row.notices.isEmpty else { continue }
            let column = index - row.cells.lowerBound
            let name = columns.names.indices.contains(column) ? columns.names[column] : nil
            let shown = arena[text.part(0..<min(Int(text.length), Self.shownBytes))]
            row.notices.append(Warning(.textDecoded, field: name, value: shown))
        }
    }
}

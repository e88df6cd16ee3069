import Books
import Bytes
import Syntax

/// Decodes text that mixes encodings within one cell: UTF-8, MARC-8 from library catalogs, windows-1252 from
/// users.
///
/// Each line and each heading of a cell is decoded separately, because they may have different origins. Valid
/// UTF-8 is kept. Other text is MARC-8 if every combining mark in it comes before a letter that it can
/// combine with (`n\xE2ee`), which almost never happens by chance in other text. Otherwise it is
/// windows-1252, in which every byte is valid.
enum MixedEncoding {
    /// The cell as UTF-8; nil if it is already UTF-8.
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
    /// Decodes the cells of a row that are not UTF-8, and notes the first one with its decoded text.
    mutating func decodeMixedText(of row: inout LibraryRow) {
        for index in row.cells {
            guard let decoded = arena.withBytes(cells[index], { MixedEncoding.decoded($0) }) else { continue }
            let text = arena.append(decoded)
            cells[index] = text
            guard row.warnings.isEmpty else { continue }
            let column = index - row.cells.lowerBound
            let name = columns.names.indices.contains(column) ? columns.names[column] : nil
            let shown = arena[text.part(0..<min(Int(text.length), Self.shownBytes))]
            row.warnings.append(Warning(.textDecoded, field: name, value: shown))
        }
    }
}

import Books
import Bytes

extension LibraryRows {
    /// Replaces a language, given as any code or in English, with its two-letter code; of several languages
    /// the first.
    mutating func readLanguage(_ field: LibraryField = .language, of row: inout LibraryRow) {
        let cell = cell(field, of: row)
        guard !cell.isEmpty, let code = arena.withBytes(cell, { LanguageNames.code($0) }),
            !arena.withBytes(cell, { $0.elementsEqual(code.utf8) })
        else { return }
        read(field, as: arena.append(code), of: &row)
    }

    /// Takes the language from a title that ends with it, if the row has no other: `Momo (German Edition)`.
    mutating func readLanguageOfEdition(in title: Text, of row: inout LibraryRow) {
        guard arena.withBytes(title, { $0.hasFoldedSuffix(Self.edition) }), cell(.language, of: row).isEmpty
        else { return }
        let code = arena.withBytes(title) { bytes -> String? in
            let end = bytes.count - Self.edition.count
            guard let open = bytes[..<end].lastIndex(of: UInt8(ascii: "(")) else { return nil }
            return LanguageNames.code(UnsafeRawBufferPointer(rebasing: bytes[(open + 1)..<end]))
        }
        if let code { read(.language, as: arena.append(code), of: &row) }
    }

    private static let edition = Array(" edition)".utf8)
}

extension UnsafeRawBufferPointer {
    /// Whether the bytes end with lowercase letters, spaces and marks, whatever the case.
    fileprivate func hasFoldedSuffix(_ suffix: [UInt8]) -> Bool {
        count >= suffix.count
            && zip(self[(count - suffix.count)...], suffix).allSatisfy { byte, wanted in
                byte == wanted || byte | 0x20 == wanted && wanted.isLetter
            }
    }
}

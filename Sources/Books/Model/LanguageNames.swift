import Bytes

/// Names of languages in many languages, and language codes. The table is `language_names.tsv`.
package enum LanguageNames {
    /// The two-letter code of the first language in a cell: `eng`, `French`, `Português (Brasil)`, `French,
    /// English`; nil if it is unknown.
    package static func code(_ bytes: UnsafeRawBufferPointer) -> String? {
        let trimmed = bytes.trimmedBlanks
        let first = bytes[trimmed].prefix {
            switch $0 {
            case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "|"), UInt8(ascii: "("),
                UInt8(ascii: "/"):
                false
            default: true
            }
        }
        guard (2...48).contains(first.count) else { return nil }
        let name = String(decoding: first, as: UTF8.self).lowercased()
        let bare = name.split(separator: " ").joined(separator: " ")
        return Languages.twoLetters(bare) ?? codes[bare] ?? codes[Folding.fold(bare)]
    }

    /// The two-letter code of the first language in a text.
    package static func code(_ text: String) -> String? {
        var text = text
        return text.withUTF8 { code(UnsafeRawBufferPointer($0)) }
    }

    /// The English names of all languages, each with the first letter in upper case.
    package static var english: [String] { names.keys.sorted().map(english) }

    /// The English name of a two-letter code: `French`; the code itself if it is unknown.
    package static func english(_ code: String) -> String {
        guard let name = names[code] else { return code }
        return name.split(separator: " ").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(
            separator: " ")
    }

    /// The English names, which come first in the table.
    private static let names: [String: String] = {
        var names: [String: String] = [:]
        PackageResources.language_names_tsv.withUnsafeBytes { table in
            for line in TableLines(table) {
                let code = String(decoding: line.field(0), as: UTF8.self)
                for item in line.items(1) where names[code] == nil {
                    names[code] = String(decoding: item, as: UTF8.self)
                }
            }
        }
        return names
    }()

    private static let codes: [String: String] = {
        var codes: [String: String] = [:]
        PackageResources.language_names_tsv.withUnsafeBytes { table in
            for line in TableLines(table) {
                let code = String(decoding: line.field(0), as: UTF8.self)
                for item in line.items(1) {
                    let name = String(decoding: item, as: UTF8.self)
                    codes[name] = code
                    // Without accents, if no other language has that name.
                    let folded = Folding.fold(name)
                    if codes[folded] == nil { codes[folded] = code }
                }
            }
        }
        return codes
    }()
}

import Bytes

/// What a tokenizer does to a text before it splits it, as `normalizer` of a `tokenizer.json` says.
enum TextNormalizer: Sendable, Hashable {
    /// Puts something before a text that is not empty.
    case prepend([UInt8])
    /// The same, unless the text begins with it.
    case prependOnce([UInt8])
    /// Replaces one text by another.
    case replace([UInt8], [UInt8])
    case lowercase
    case stripAccents
    case form(NormalizationForm)
    /// What the models of the BERT family do.
    case bert(cleansText: Bool, spacesIdeographs: Bool, stripsAccents: Bool, lowercases: Bool)

    /// Changes a text of UTF-8.
    func apply(to text: inout [UInt8]) {
        switch self {
        case .prepend(let start): if !text.isEmpty { text.insert(contentsOf: start, at: 0) }
        case .prependOnce(let start):
            if !text.isEmpty, !text.starts(with: start) { text.insert(contentsOf: start, at: 0) }
        case .replace(let old, let new): replace(old, by: new, in: &text)
        case .lowercase: text = Array(String(decoding: text, as: UTF8.self).lowercased().utf8)
        case .stripAccents: text = Array(Self.withoutAccents(String(decoding: text, as: UTF8.self)).utf8)
        case .form(let form): text = Array(String(decoding: text, as: UTF8.self).normalized(form).utf8)
        case .bert(let cleans, let spaces, let strips, let lowercases):
            if text.allSatisfy({ $0 < 0x80 }) {
                return Self.normalizePlain(&text, cleans: cleans, lowercases: lowercases)
            }
            var string = String(decoding: text, as: UTF8.self)
            if cleans || spaces { string = Self.cleaned(string, cleans: cleans, spaces: spaces) }
            if strips { string = Self.withoutAccents(string) }
            text = Array((lowercases ? string.lowercased() : string).utf8)
        }
    }

    private func replace(_ old: [UInt8], by new: [UInt8], in text: inout [UInt8]) {
        guard let first = old.first else { return }
        var (result, index) = ([UInt8](), 0)
        result.reserveCapacity(text.count + text.count / 4)
        while index < text.count {
            if text[index] == first, text[index...].starts(with: old) {
                result += new
                index += old.count
            } else {
                result.append(text[index])
                index += 1
            }
        }
        text = result
    }

    /// The same as for any text, for one of ASCII.
    private static func normalizePlain(_ text: inout [UInt8], cleans: Bool, lowercases: Bool) {
        if cleans {
            text.removeAll { ($0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D) || $0 == 0x7F }
            for index in text.indices where text[index] < 0x20 { text[index] = 0x20 }
        }
        if lowercases { for index in text.indices where text[index] &- 0x41 < 26 { text[index] |= 0x20 } }
    }

    private static func cleaned(_ text: String, cleans: Bool, spaces: Bool) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if cleans {
                if scalar.properties.isWhitespace {
                    result.append(" ")
                    continue
                }
                if scalar.value == 0 || scalar.value == 0xFFFD || isControl(scalar) { continue }
            }
            guard spaces, isIdeograph(scalar.value) else {
                result.append(scalar)
                continue
            }
            result.append(contentsOf: [" ", scalar, " "])
        }
        return String(result)
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .unassigned, .privateUse, .surrogate: true
        default: false
        }
    }

    /// Whether a character is written without spaces, so that it is a word of its own.
    private static func isIdeograph(_ code: UInt32) -> Bool {
        switch code {
        case 0x4E00...0x9FFF, 0x3400...0x4DBF, 0x20000...0x2A6DF, 0x2A700...0x2B73F, 0x2B740...0x2B81F,
            0x2B920...0x2CEAF, 0xF900...0xFAFF, 0x2F800...0x2FA1F:
            true
        default: false
        }
    }

    private static func withoutAccents(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.normalized(.d).unicodeScalars
        where scalar.properties.generalCategory != .nonspacingMark {
            result.append(scalar)
        }
        return String(result)
    }
}

import Bytes

/// A user's rating as exporters write it: `4`, `3.75`, `4,5`, `4/5`, `8/10`, `★★★★`, `4 stars`.
package enum StarRating {
    /// The content of a cell.
    package enum Reading: Equatable {
        /// A plain decimal number from 0 to 5.
        case plain
        /// More than 0 and up to 5 stars, in another notation.
        case stars(Double)
        /// Blank, or a dash.
        case absent
        /// Not a rating out of five stars.
        case damaged
    }

    /// The maximum number of stars.
    package static let most = 5.0
    /// Longest cell that is parsed, in bytes.
    private static let longest = 32

    package static func read(_ bytes: UnsafeRawBufferPointer) -> Reading {
        if bytes.count == 1, (0x30...0x35).contains(bytes[0]) { return .plain }
        let trimmed = bytes.trimmedBlanks
        guard trimmed.count <= longest else { return .damaged }
        let text = String(decoding: bytes[trimmed], as: UTF8.self)
        if text.isEmpty || text == "-" { return .absent }
        if let stars = number(Substring(text)) {
            guard (0...most).contains(stars) else { return .damaged }
            return text.utf8.count == bytes.count && !text.contains(",") ? .plain : reading(stars)
        }
        if text.allSatisfy({ "★☆⭐½".contains($0) }) {
            let stars = text.reduce(0.0) { $0 + ("★⭐".contains($1) ? 1 : $1 == "½" ? 0.5 : 0) }
            return stars <= most ? reading(stars) : .damaged
        }
        let sides = text.split(separator: "/", omittingEmptySubsequences: false)
        if sides.count == 2, let stars = number(sides[0]), let scale = number(sides[1]), scale > 0,
            stars <= scale
        {
            return reading((stars * most / scale * 4).rounded() / 4)
        }
        let words = text.split(separator: " ")
        if words.count == 2, words[1].lowercased().hasPrefix("star"), let stars = number(words[0]),
            stars <= most
        {
            return reading(stars)
        }
        return .damaged
    }

    private static func reading(_ stars: Double) -> Reading { stars > 0 ? .stars(stars) : .absent }

    /// The number in a cell that has nothing else.
    package static func number(_ bytes: UnsafeRawBufferPointer) -> Double? {
        bytes.count > longest ? nil : number(String(decoding: bytes[bytes.trimmedBlanks], as: UTF8.self)[...])
    }

    /// A decimal number with a period or comma, without a sign.
    private static func number(_ text: Substring) -> Double? {
        guard text.utf8.first.map({ $0 &- 0x30 < 10 }) == true,
            text.utf8.allSatisfy({ $0 &- 0x30 < 10 || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",") })
        else { return nil }
        return Double(
            String(
                decoding: text.utf8.map { $0 == UInt8(ascii: ",") ? UInt8(ascii: ".") : $0 }, as: UTF8.self))
    }
}

/// Series as Hardcover writes them: each name with the place behind it in brackets, commas between them.
enum BracketedSeries {
    /// `Sprawl` and `0`, of `Sprawl (#0.0)`; a name without a place stands alone.
    static func mentions(in cell: String) -> [(name: Substring, number: Substring)] {
        var mentions: [(Substring, Substring)] = []
        var rest = cell[...]
        while let mark = rest.firstRange(of: "(#"), let close = rest[mark.upperBound...].firstIndex(of: ")") {
            mentions.append((trimmed(rest[..<mark.lowerBound]), place(rest[mark.upperBound..<close])))
            rest = rest[close...].dropFirst()
        }
        if mentions.isEmpty { mentions.append((trimmed(rest), "")) }
        return mentions
    }

    private static func trimmed(_ text: Substring) -> Substring {
        text.drop { $0 == "," || $0.isWhitespace }
    }

    /// `1` of `1.0`; `1.5` stays.
    private static func place(_ number: Substring) -> Substring {
        number.hasSuffix(".0") ? number.dropLast(2) : number
    }
}

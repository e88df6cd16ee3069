/// What a setting's value is: how its text is read, what its bounds are, and how both are told to people. The
/// same table validates, documents and explains.
public enum SettingKind: Sendable, Hashable {
    case integer(ClosedRange<Int>)
    case number(ClosedRange<Double>)
    /// A number of bytes, with or without unit: `1MiB`, `64KiB`, `4096`.
    case bytes(ClosedRange<Int>)
    /// A duration with its unit: `500ms`, `30s`, `1h30m`, `7d`.
    case duration(ClosedRange<Duration>)
    case flag
    case text
    /// An `http` or `https` address, without user, password, query and fragment: keys have no place in a definition.
    case url
    /// One of a few words.
    case choice([String])
    /// A list of some of these words, or of any text where there are none.
    case list(of: [String])

    /// What a value must be, to follow "must be": `a whole number from 1 to 64`.
    package var words: String {
        switch self {
        case .integer(let bounds):
            bounds.upperBound == .max
                ? "a whole number from \(bounds.lowerBound)"
                : "a whole number from \(bounds.lowerBound) to \(bounds.upperBound)"
        case .number(let bounds): "a number from \(bounds.lowerBound) to \(bounds.upperBound)"
        case .bytes(let bounds):
            bounds.upperBound == .max
                ? "a size (such as 1MiB) from \(ByteCountText.exact(bounds.lowerBound))"
                : "a size (such as 1MiB) from \(ByteCountText.exact(bounds.lowerBound)) to "
                    + ByteCountText.exact(bounds.upperBound)
        case .duration(let bounds):
            "a duration (such as 30s or 1h30m) from \(DurationText.exact(bounds.lowerBound)) to "
                + DurationText.exact(bounds.upperBound)
        case .flag: "true or false"
        case .text: "text"
        case .url: "an http or https address without user, password and query"
        case .choice(let words): "one of \(words.joined(separator: ", "))"
        case .list(of: let words):
            words.isEmpty ? "a list of texts" : "a list of some of \(words.joined(separator: ", "))"
        }
    }

    /// Why a text is not a value of this kind.
    package struct Mistake: Error, Sendable, Hashable {
        /// Readable as a value, but out of bounds.
        package let isOutOfBounds: Bool
        /// What to do, where there is more to say than ``SettingKind/words``.
        package let advice: String?

        static let unreadable = Mistake(isOutOfBounds: false, advice: nil)
    }

    /// Reads a value from its text.
    package func parse(_ text: String) throws(Mistake) -> SettingValue {
        switch self {
        case .integer(let bounds):
            return .integer(try bounded(Int(text), by: bounds))
        case .number(let bounds):
            return .number(try bounded(Double(text).flatMap { $0.isFinite ? $0 : nil }, by: bounds))
        case .bytes(let bounds):
            return .integer(try bounded(ByteCountText.parse(text), by: bounds))
        case .duration(let bounds):
            guard Int(text) == nil || text == "0" else {
                throw Mistake(
                    isOutOfBounds: false, advice: "Give it a unit: `\(text)s`, `\(text)m` or `\(text)h`.")
            }
            return .duration(try bounded(DurationText.parse(text), by: bounds))
        case .flag:
            switch text.lowercased() {
            case "true", "yes", "on": return .flag(true)
            case "false", "no", "off": return .flag(false)
            default: throw .unreadable
            }
        case .text:
            return .text(text)
        case .url:
            guard Self.isPlainAddress(text) else { throw .unreadable }
            return .text(text)
        case .choice(let words):
            return .text(try Self.word(text, of: words))
        case .list(of: let words):
            // On a command line and in a scalar a list is written with commas.
            return try list(text.split(separator: ",").map { Self.trimmed($0) }, of: words)
        }
    }

    /// Reads a list from its items.
    package func parse(_ items: [String]) throws(Mistake) -> SettingValue {
        guard case .list(of: let words) = self else { throw .unreadable }
        return try list(items, of: words)
    }

    private func list(_ items: [String], of words: [String]) throws(Mistake) -> SettingValue {
        guard !words.isEmpty else { return .list(items) }
        var known: [String] = []
        for item in items { known.append(try Self.word(item, of: words)) }
        return .list(known)
    }

    private static func word(_ text: String, of words: [String]) throws(Mistake) -> String {
        guard words.contains(text) else {
            let nearest = Spelling.nearest(to: text, among: words)
            throw Mistake(isOutOfBounds: false, advice: nearest.map { "Did you mean `\($0)`?" })
        }
        return text
    }

    private func bounded<Number>(
        _ number: Number?, by bounds: ClosedRange<Number>
    ) throws(Mistake) -> Number {
        guard let number else { throw .unreadable }
        guard bounds.contains(number) else { throw Mistake(isOutOfBounds: true, advice: nil) }
        return number
    }

    private static func trimmed(_ text: Substring) -> String {
        var rest = text.drop { $0 == " " }
        while rest.last == " " { rest.removeLast() }
        return String(rest)
    }

    private static func isPlainAddress(_ text: String) -> Bool {
        let lowered = text.lowercased()
        guard let scheme = ["http://", "https://"].first(where: { lowered.hasPrefix($0) }) else {
            return false
        }
        let host = lowered.dropFirst(scheme.count).prefix { $0 != "/" }
        return !host.isEmpty && !DefinitionNode.mayHoldSecret(text)
            && lowered.unicodeScalars.allSatisfy { $0.value > 0x20 }
    }
}

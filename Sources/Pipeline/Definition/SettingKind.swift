/// The kind of a setting's value: how its text is parsed, its bounds, and how they are described to users.
package enum SettingKind: Sendable, Hashable {
    case integer(ClosedRange<Int>)
    case number(ClosedRange<Double>)
    /// A number of bytes, with an optional unit: `1MiB`, `64KiB`, `4096`.
    case bytes(ClosedRange<Int>)
    /// A duration with unit: `500ms`, `30s`, `1h30m`, `7d`.
    case duration(ClosedRange<Duration>)
    case flag
    case text
    /// An `http` or `https` URL without user name, password, query and fragment, because definitions must not
    /// contain secrets.
    case url
    /// One of several words.
    case choice([String])
    /// A list of some of these words, or of any texts if there are none.
    case list(of: [String])
    /// Texts in a language of their own, such as expressions. One text is a list of one.
    case phrases(PhraseSyntax)

    /// A description of valid values, to complete "must be …": `a whole number from 1 to 64`.
    package var words: String {
        switch self {
        case .integer(let bounds):
            bounds.upperBound == .max
                ? "a whole number of at least \(bounds.lowerBound)"
                : "a whole number from \(bounds.lowerBound) to \(bounds.upperBound)"
        case .number(let bounds):
            "a number from \(Self.plain(bounds.lowerBound)) to \(Self.plain(bounds.upperBound))"
        case .bytes(let bounds):
            bounds.upperBound == .max
                ? "a size (such as 1MiB) of at least \(ByteCountText.exact(bounds.lowerBound))"
                : "a size (such as 1MiB) from \(ByteCountText.exact(bounds.lowerBound)) to "
                    + ByteCountText.exact(bounds.upperBound)
        case .duration(let bounds):
            "a duration (such as 30s or 1h30m) from \(DurationText.exact(bounds.lowerBound)) to "
                + DurationText.exact(bounds.upperBound)
        case .flag: "true or false"
        case .text: "text"
        case .url: "an http or https URL without user name, password or query"
        case .choice(let words): "one of \(words.joined(separator: ", "))"
        case .list(of: let words):
            words.isEmpty ? "a list of strings" : "a list of values from \(words.joined(separator: ", "))"
        case .phrases(let syntax): syntax.words
        }
    }

    /// The number without a fraction of zero.
    private static func plain(_ number: Double) -> String {
        let text = "\(number)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// Why a text is not a value of this kind.
    package struct Mistake: Error, Sendable, Hashable {
        /// Whether the text is a value of this kind, but out of bounds.
        package let isOutOfBounds: Bool
        /// The remedy; nil if ``SettingKind/words`` says enough.
        package let advice: String?
        /// The wrong phrase; nil for other kinds.
        var phrase: PhraseMistake?

        init(isOutOfBounds: Bool, advice: String?) {
            self.isOutOfBounds = isOutOfBounds
            self.advice = advice
        }

        init(_ phrase: PhraseMistake) {
            self.init(isOutOfBounds: false, advice: phrase.advice)
            self.phrase = phrase
        }

        static let unreadable = Mistake(isOutOfBounds: false, advice: nil)
    }

    /// Parses a value.
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
            // On the command line and in a scalar, items are separated by commas.
            return try list(text.split(separator: ",").map { Self.trimmed($0) }, of: words)
        case .phrases:
            return try parse([text])
        }
    }

    /// Parses a list from its items.
    package func parse(_ items: [String]) throws(Mistake) -> SettingValue {
        switch self {
        case .list(of: let words): return try list(items, of: words)
        case .phrases(let syntax):
            guard syntax.isList || items.count == 1 else { throw .unreadable }
            do throws(PhraseMistake) { try syntax.check(items) } catch { throw Mistake(error) }
            return .list(items)
        default: throw .unreadable
        }
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

/// Durations as users write them: `500ms`, `30s`, `1h30m`, `7d`.
package enum DurationText {
    /// The milliseconds of each unit. If one name is a prefix of another, the longer comes first.
    private static let units: [(name: String, milliseconds: Int)] = [
        ("ms", 1), ("min", 60_000), ("m", 60_000), ("s", 1_000), ("h", 3_600_000), ("d", 86_400_000),
        ("w", 604_800_000),
    ]

    /// The units that ``exact(_:)`` uses.
    private static let parts = [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1)]

    /// Parses a duration: the sum of numbers with units. Nil if it is invalid or too large. A number without
    /// a unit is ambiguous and therefore invalid, except `0`.
    package static func parse(_ text: String) -> Duration? {
        if text == "0" { return .zero }
        var rest = text.lowercased()[...]
        guard !rest.isEmpty, text.utf8.count <= 40 else { return nil }
        var total = 0
        while !rest.isEmpty {
            let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            rest = rest.dropFirst(number.count)
            guard let unit = units.first(where: { rest.hasPrefix($0.name) }),
                let part = DecimalText.parse(number, times: unit.milliseconds)
            else { return nil }
            let (sum, overflow) = total.addingReportingOverflow(part)
            guard !overflow else { return nil }
            total = sum
            rest = rest.dropFirst(unit.name.count)
        }
        return .milliseconds(total)
    }

    /// Writes a duration in whole milliseconds, so that ``parse(_:)`` returns it unchanged.
    package static func exact(_ duration: Duration) -> String {
        var rest = duration.milliseconds
        guard rest > 0 else { return "0" }
        var text = ""
        for (name, length) in parts where rest >= length {
            text += "\(rest / length)\(name)"
            rest %= length
        }
        return text
    }
}

extension Duration {
    /// Whole milliseconds, without fractions. Durations above 140,000 years are limited to that.
    package var milliseconds: Int {
        let (seconds, attoseconds) = components
        return Int(min(max(seconds, -1 << 42), 1 << 42)) * 1_000 + Int(attoseconds / 1_000_000_000_000_000)
    }
}

/// Numbers of bytes as users write them: `65536`, `64KiB`, `1.5MiB`, `10MB`.
package enum ByteCountText {
    private static let units: [(name: String, bytes: Int)] = [
        ("tib", 1 << 40), ("gib", 1 << 30), ("mib", 1 << 20), ("kib", 1 << 10),
        ("tb", 1_000_000_000_000), ("gb", 1_000_000_000), ("mb", 1_000_000), ("kb", 1_000),
        // As in GNU tools: `K` alone is 1,024.
        ("t", 1 << 40), ("g", 1 << 30), ("m", 1 << 20), ("k", 1 << 10), ("b", 1),
    ]

    /// Parses a number of bytes, ignoring case. Nil if it is invalid or too large.
    package static func parse(_ text: String) -> Int? {
        let lowered = text.lowercased()
        let unit = units.first { lowered.hasSuffix($0.name) }
        let number = lowered.dropLast(unit?.name.count ?? 0)
        let parts = number.last == " " ? number.dropLast() : number
        return DecimalText.parse(parts, times: unit?.bytes ?? 1)
    }

    /// Writes a number of bytes in the largest binary unit that divides it, so that ``parse(_:)`` returns it
    /// unchanged.
    package static func exact(_ bytes: Int) -> String {
        guard bytes != 0 else { return "0" }
        let fitting = [("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)].first {
            bytes.isMultiple(of: $0.1)
        }
        return fitting.map { "\(bytes / $0.1)\($0.0)" } ?? "\(bytes)"
    }

    /// Writes a number of bytes for people, rounded: `512 B`, `1.5 MiB`.
    package static func rounded(_ bytes: Int) -> String {
        let units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]
        var value = Double(max(0, bytes))
        var unit = 0
        while value >= 1_024, unit < units.count - 1 {
            value /= 1_024
            unit += 1
        }
        guard unit > 0, value < 100 else { return "\(Int(value.rounded())) \(units[unit])" }
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) \(units[unit])"
    }
}

/// A decimal number times a unit, without floating point.
enum DecimalText {
    /// `1.5` times 1,000 is 1,500. Nil unless the text is digits with at most one decimal point between them,
    /// and the product is a whole number that fits into an `Int`.
    static func parse(_ text: some StringProtocol, times unit: Int) -> Int? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first, isDigits(whole), let integer = Int(whole) else { return nil }
        let (product, overflow) = integer.multipliedReportingOverflow(by: unit)
        guard !overflow else { return nil }
        guard parts.count == 2 else { return product }
        // At most nine digits after the point: no unit needs more.
        guard isDigits(parts[1]), parts[1].count <= 9, let fraction = Int(parts[1]) else { return nil }
        let scale = (0..<parts[1].count).reduce(1) { power, _ in power * 10 }
        let (scaled, tooLarge) = fraction.multipliedReportingOverflow(by: unit)
        guard !tooLarge, scaled.isMultiple(of: scale) else { return nil }
        let (sum, sumTooLarge) = product.addingReportingOverflow(scaled / scale)
        return sumTooLarge ? nil : sum
    }

    private static func isDigits(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}

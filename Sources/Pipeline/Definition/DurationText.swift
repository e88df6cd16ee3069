/// Durations as people write them: `500ms`, `30s`, `1h30m`, `7d`.
package enum DurationText {
    /// Milliseconds of each unit, the longer spelling of a common beginning first.
    private static let units: [(name: String, milliseconds: Int)] = [
        ("ms", 1), ("min", 60_000), ("m", 60_000), ("s", 1_000), ("h", 3_600_000), ("d", 86_400_000),
        ("w", 604_800_000),
    ]

    /// What ``exact(_:)`` writes with.
    private static let parts = [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1)]

    /// Reads a duration: numbers, each with its unit, summed; nil when it is none, or does not fit. A number
    /// without a unit is refused, except `0`: 30 of what?
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

    /// Writes a duration exactly, to the millisecond: what ``parse(_:)`` reads back.
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
    /// Whole milliseconds, fractions dropped; durations beyond 140,000 years are held at that.
    package var milliseconds: Int {
        let (seconds, attoseconds) = components
        return Int(min(max(seconds, -1 << 42), 1 << 42)) * 1_000 + Int(attoseconds / 1_000_000_000_000_000)
    }
}

import Pipeline
import System

/// Numbers, sizes and times in a readable form. Programs get exact values from `--json`.
enum HumanText {
    /// `1,234,567`.
    static func count(_ number: Int) -> String { CountText.grouped(number) }

    /// The indefinite article for the name of an argument: `a FILE`, `an ISBN`.
    static func article(_ name: String) -> String { "AEIO".contains(name.prefix(1)) ? "an" : "a" }

    /// `1 record`, `2 records`: a count and its noun.
    static func count(_ number: Int, _ noun: String, plural: String? = nil) -> String {
        CountText.count(number, noun, plural: plural)
    }

    /// `512 B`, `1.5 MiB`.
    static func bytes(_ bytes: Int) -> String { ByteCountText.rounded(bytes) }

    /// `0.4 s`, `12.3 s`, `3 min 05 s`, `2 h 07 min`, `3 d 04 h`.
    static func duration(seconds: Double) -> String {
        guard seconds.isFinite, seconds < 1e12 else { return "forever" }
        let seconds = max(0, seconds)
        if seconds < 59.95 { return "\(tenths(seconds)) s" }
        let whole = Int(seconds.rounded())
        if whole < 3_600 { return "\(whole / 60) min \(two(whole % 60)) s" }
        if whole < 86_400 { return "\(whole / 3_600) h \(two(whole % 3_600 / 60)) min" }
        return "\(count(whole / 86_400)) d \(two(whole % 86_400 / 3_600)) h"
    }

    /// `12,345/s`; with one decimal below 10.
    static func rate(_ perSecond: Double) -> String {
        guard perSecond.isFinite, perSecond < 1e15 else { return "–/s" }
        return perSecond < 9.95 ? "\(tenths(max(0, perSecond)))/s" : "\(count(Int(perSecond.rounded())))/s"
    }

    /// `a, b or c`.
    static func list(_ items: [String], _ conjunction: String) -> String {
        guard let last = items.last, items.count > 1 else { return items.first ?? "" }
        return "\(items.dropLast().joined(separator: ", ")) \(conjunction) \(last)"
    }

    /// `12.5%` for 0.125. Less than 1 is never shown as 100%, more than 0 never as 0%.
    static func percent(_ share: Double) -> String {
        guard share.isFinite else { return "–%" }
        let shown = min(max((share * 1_000).rounded(), 0), 1_000)
        if shown >= 1_000, share < 1 { return "99.9%" }
        if shown <= 0, share > 0 { return "0.1%" }
        return "\(tenths(shown / 10))%"
    }

    private static func tenths(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

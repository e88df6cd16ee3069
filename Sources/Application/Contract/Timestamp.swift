import Bytes
package import Syntax

/// Spells moments as the contract requires, from milliseconds since 1970-01-01 UTC.
///
/// It uses integer arithmetic instead of a formatter: no locale, no time zone, and no allocation except the
/// text. Years outside 0–9999 are clamped, because RFC 3339 allows four digits only.
package enum Timestamp {
    /// `2025-11-15T20:00:00.000Z`: the `timestamp` of an envelope.
    package static func withMilliseconds(_ epochMilliseconds: Int64) -> String {
        spell(epochMilliseconds, fraction: true)
    }

    /// `2025-11-15T20:00:00Z`: `expiresAt` and all other moments. The formatter of a published client fails
    /// on fractions. Fractions of a second are dropped, never rounded up.
    package static func withoutFraction(_ epochMilliseconds: Int64) -> String {
        spell(epochMilliseconds, fraction: false)
    }

    private static let representable: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999
    private static let millisecondsOfDay: Int = 86_400_000

    private static func spell(_ epochMilliseconds: Int64, fraction: Bool) -> String {
        let moment = Int(min(max(epochMilliseconds, representable.lowerBound), representable.upperBound))
        var day = moment / millisecondsOfDay
        var rest = moment % millisecondsOfDay
        if rest < 0 {
            day -= 1
            rest += millisecondsOfDay
        }
        let date = GregorianDate(daysSinceEpoch: day)
        return String(unsafeUninitializedCapacity: 24) { text in
            var end = 0
            func put(_ value: Int, digits: Int, then mark: Unicode.Scalar) {
                var value = value
                for index in (end..<end + digits).reversed() {
                    text[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value % 10)
                    value /= 10
                }
                text[end + digits] = UInt8(ascii: mark)
                end += digits + 1
            }
            put(date.year, digits: 4, then: "-")
            put(date.month, digits: 2, then: "-")
            put(date.day, digits: 2, then: "T")
            put(rest / 3_600_000, digits: 2, then: ":")
            put(rest / 60_000 % 60, digits: 2, then: ":")
            put(rest / 1_000 % 60, digits: 2, then: fraction ? "." : "Z")
            if fraction { put(rest % 1_000, digits: 3, then: "Z") }
            return end
        }
    }
}

/// A moment, described as `date-time`.
package struct Moment: Described {
    package static var schema: Schema { .formatted("date-time") }

    private let text: String

    /// - Parameter time: Milliseconds since 1970, which are not written.
    package init(_ time: Int64) { text = Timestamp.withoutFraction(time) }

    /// - Parameter time: Milliseconds since 1970.
    package init(withMilliseconds time: Int64) { text = Timestamp.withMilliseconds(time) }

    package func write(into out: inout JSONWriter) { out.string(text) }
}

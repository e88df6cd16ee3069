import Bytes
import FoundationEssentials
import Glibc

/// The header field `Retry-After` (RFC 9110, 10.2.3): seconds, or a date.
package enum RetryAfter {
    /// Maximum pause in milliseconds: a day. A longer one counts as a day. After it, one request shows
    /// whether the service still asks for a pause.
    static let longest: Int64 = 86_400_000

    /// Milliseconds to wait, at most ``longest``; nil if the value is unusable.
    ///
    /// - Parameter now: Milliseconds since 1970.
    package static func milliseconds(_ field: String, now: Int64) -> Int64? {
        let text = field.trimming(.spaces)
        if !text.isEmpty, text.utf8.allSatisfy({ $0 &- 0x30 < 10 }) {
            // A number that is too large for an integer is a long pause, too.
            guard let seconds = Int64(text), seconds <= longest / 1_000 else { return longest }
            return seconds * 1_000
        }
        guard let date = epochMilliseconds(text) else { return nil }
        return min(max(0, date - now), longest)
    }

    /// A date in HTTP's current format (IMF-fixdate): `Sun, 06 Nov 1994 08:49:37 GMT`.
    private static func epochMilliseconds(_ text: String) -> Int64? {
        let words = text.split(whereSeparator: { $0 == " " || $0 == ":" || $0 == "," }).map(String.init)
        guard words.count == 8, words[7] == "GMT", let day = Int32(words[1]), let year = Int32(words[3]),
            let month = months.firstIndex(of: words[2]), (1_970...9_999).contains(year),
            let hour = Int32(words[4]), let minute = Int32(words[5]), let second = Int32(words[6])
        else { return nil }
        var time = tm()
        (time.tm_year, time.tm_mon, time.tm_mday) = (year - 1_900, Int32(month), day)
        (time.tm_hour, time.tm_min, time.tm_sec) = (hour, minute, second)
        return Int64(timegm(&time)) * 1_000
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}

import Bytes
import FoundationEssentials
import Glibc

/// The header field `Retry-After` (RFC 9110, 10.2.3): seconds, or a date. Google's services name the pause in the body
/// of the error instead (`google.rpc.RetryInfo`).
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

    /// Milliseconds to wait by an error of Google's, `"retryDelay": "27.5s"`; nil if it names no pause.
    ///
    /// - Parameter body: The beginning of the error's body.
    package static func milliseconds(inError body: String) -> Int64? {
        guard let match = body.firstMatch(of: /"retryDelay"\s*:\s*"([0-9]{1,12})(?:\.([0-9]{1,9}))?s"/),
            let seconds = Int64(match.1)
        else { return nil }
        // A fraction of a second is rounded up: a request that is too early is refused again.
        let hasFraction = match.2?.contains { $0 != "0" } ?? false
        let milliseconds = match.2.flatMap { Int64(($0 + "000").prefix(3)) } ?? 0
        return min(seconds * 1_000 + milliseconds + (hasFraction ? 1 : 0), longest)
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

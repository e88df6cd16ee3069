import Books
import Bytes

/// Reading dates as exporters list them: `2025/05/18-2025/05/26, 2023/01/02-2023/01/09`, also with other
/// separators.
struct DateRanges {
    /// The range of the latest reading.
    private(set) var started: Range<Int>?
    private(set) var finished: Range<Int>?
    /// Number of listed readings.
    private(set) var count = 0

    /// - Parameters:
    ///   - order: The order of dates that end with the year.
    ///   - separator: Separates two readings.
    ///   - dash: Separates start and end. A date without it is an end.
    init(
        _ bytes: UnsafeRawBufferPointer, _ order: DateOrder, separator: UInt8 = UInt8(ascii: ","),
        dash: UInt8 = UInt8(ascii: "-")
    ) {
        func date(_ part: Range<Int>) -> CalendarDate? {
            CalendarDate(UnsafeRawBufferPointer(rebasing: bytes[part]), order)
        }

        var latest: CalendarDate?
        var left = 0..<bytes.count
        while !left.isEmpty {
            let end = bytes[left].firstIndex(of: separator) ?? left.upperBound
            let part = bytes.trimmedBlanks(in: left.lowerBound..<end)
            left = min(end + 1, left.upperBound)..<left.upperBound
            guard let (start, finish) = Self.sides(bytes, part, dash),
                let day = date(finish) ?? date(start)
            else { continue }
            count += 1
            if let latest, latest >= day { continue }
            latest = day
            started = date(start) == nil ? nil : start
            finished = date(finish) == nil ? nil : finish
        }
    }

    /// All readings, with start and end as the file writes them; empty for a missing one.
    static func all(
        _ text: String, separator: Character = ",", dash: Character = "-"
    ) -> [(started: String, finished: String)] {
        text.split(separator: separator).compactMap { reading in
            let sides = reading.split(separator: dash, omittingEmptySubsequences: false).map { side in
                side.trimming(.spaces)
            }
            guard sides.count > 1 else { return sides[0].isEmpty ? nil : ("", sides[0]) }
            return sides[0].isEmpty && sides[1].isEmpty ? nil : (sides[0], sides[1])
        }
    }

    private static func sides(
        _ bytes: UnsafeRawBufferPointer, _ part: Range<Int>, _ dash: UInt8
    ) -> (Range<Int>, Range<Int>)? {
        guard !part.isEmpty else { return nil }
        guard let at = bytes[part].firstIndex(of: dash) else {
            return (part.lowerBound..<part.lowerBound, part)
        }
        let rest = at + 1..<part.upperBound
        let end = bytes[rest].firstIndex(of: dash) ?? part.upperBound
        return (bytes.trimmedBlanks(in: part.lowerBound..<at), bytes.trimmedBlanks(in: rest.lowerBound..<end))
    }
}

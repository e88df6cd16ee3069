import Contract
import Foundation
import TestSupport
import Testing

@Suite struct TimestampTests {
    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
        (951_782_400_000, "2000-02-29T00:00:00.000Z"), (1_709_251_199_999, "2024-02-29T23:59:59.999Z"),
        (4_107_542_400_000, "2100-03-01T00:00:00.000Z"), (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
        (253_402_300_799_999, "9999-12-31T23:59:59.999Z"), (Int64.max, "9999-12-31T23:59:59.999Z"),
        (Int64.min, "0000-01-01T00:00:00.000Z"),
    ])
    func `timestamps are in UTC`(moment: Int64, expected: String) {
        #expect(Timestamp.withMilliseconds(moment) == expected)
        #expect(Timestamp.withoutFraction(moment) == String(expected.dropLast(5)) + "Z")
    }

    @Test func `a client's plain formatter reads the expiry`() throws {
        let formatter = ISO8601DateFormatter()
        var random = SeededGenerator(seed: 0x71AE)
        for _ in 0..<500 {
            let moment = Int64.random(in: -2_000_000_000_000...32_000_000_000_000, using: &random)
            let date = try #require(formatter.date(from: Timestamp.withoutFraction(moment)))
            let seconds = Int64(date.timeIntervalSince1970)
            #expect(seconds == (Double(moment) / 1_000).rounded(.down).exactly)
        }
    }

    @Test func `a formatter with fractions reads the envelope's timestamp`() throws {
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        var random = SeededGenerator(seed: 0x71AF)
        for _ in 0..<500 {
            let moment = Int64.random(in: 0...4_000_000_000_000, using: &random)
            let date = try #require(formatter.date(from: Timestamp.withMilliseconds(moment)))
            #expect(Int64((date.timeIntervalSince1970 * 1_000).rounded()) == moment)
        }
    }
}

extension Double {
    fileprivate var exactly: Int64? { Int64(exactly: self) }
}

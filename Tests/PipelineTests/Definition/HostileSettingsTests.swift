import TestSupport
import Testing

@testable import Pipeline

/// Settings with numbers, from definitions and options.
@Suite struct HostileSettingsTests {
    @Test func `a duration is not negative and round-trips`() {
        for text in HostileNumbers.texts {
            guard let duration = DurationText.parse(text) else { continue }
            #expect(duration >= .zero)
            // Longer durations are limited when they are written.
            guard duration.components.seconds < 1 << 42 else { continue }
            #expect(DurationText.parse(DurationText.exact(duration)) == duration, "\(text)")
        }
    }

    @Test func `a number of bytes is not negative and round-trips`() {
        for text in HostileNumbers.texts {
            guard let bytes = ByteCountText.parse(text) else { continue }
            #expect(bytes >= 0)
            #expect(ByteCountText.parse(ByteCountText.exact(bytes)) == bytes, "\(text)")
        }
    }

    @Test(arguments: [1, 1_000, 1 << 40, .max])
    func `a product is exact or refused`(unit: Int) {
        for text in HostileNumbers.texts {
            guard let product = DecimalText.parse(text, times: unit) else { continue }
            #expect(product >= 0 && (product == 0 || product >= unit || text.contains(".")), "\(text)")
        }
    }
}

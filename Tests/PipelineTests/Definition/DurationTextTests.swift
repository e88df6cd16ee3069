import TestSupport
import Testing

@testable import Pipeline

@Suite struct DurationTextTests {
    @Test(arguments: [
        ("0", Duration.zero), ("500ms", .milliseconds(500)), ("30s", .seconds(30)), ("9h", .seconds(32_400)),
        ("1h30m", .seconds(5_400)), ("1.5s", .milliseconds(1_500)), ("7d", .seconds(604_800)),
        ("2W", .seconds(1_209_600)),
        ("5min", .seconds(300)),
    ])
    func `durations are parsed with their unit`(text: String, duration: Duration) {
        #expect(DurationText.parse(text) == duration)
    }

    @Test(arguments: ["", "s", "30", "-1s", "1x", "1s ", "1.0001s", "99999999999999999w", "1h30", "٣s"])
    func `text that is not a duration is rejected`(text: String) {
        #expect(DurationText.parse(text) == nil)
    }

    @Test func `writing and parsing a duration round-trips`() {
        var random = SeededGenerator(seed: 2)
        for _ in 0..<1_000 {
            let milliseconds =
                Int.random(in: 0...1_000_000_000_000, using: &random)
                >> Int.random(in: 0..<40, using: &random)
            let duration = Duration.milliseconds(milliseconds)
            #expect(DurationText.parse(DurationText.exact(duration)) == duration)
        }
        #expect(DurationText.exact(.seconds(5_400)) == "1h30m")
    }

    @Test func `the milliseconds of any duration fit into an integer`() {
        #expect(Duration.seconds(Int64.max).milliseconds > 0)
        #expect(Duration.seconds(Int64.min).milliseconds < 0)
    }
}

@Suite struct ByteCountTextTests {
    @Test(arguments: [
        ("0", 0), ("4096", 4_096), ("1B", 1), ("1KiB", 1_024), ("1kb", 1_000), ("1K", 1_024),
        ("1.5MiB", 1_572_864),
        ("10 MB", 10_000_000), ("2GiB", 2_147_483_648), ("1.25kB", 1_250),
    ])
    func `sizes are parsed with their unit`(text: String, bytes: Int) {
        #expect(ByteCountText.parse(text) == bytes)
    }

    @Test(arguments: [
        "", "B", "-1", "+1", "1.", ".5", "1..5", "1e3", "1XiB", "1.5", "0.0001KiB", "9999999999999TiB", "1 2",
        "１KiB",
        "99999999999999999999", "9223372036854775807.5kb",
    ])
    func `text that is not a size is rejected`(text: String) {
        #expect(ByteCountText.parse(text) == nil)
    }

    @Test func `writing and parsing a size round-trips`() {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<1_000 {
            let bytes = Int.random(in: 0...Int.max, using: &random) >> Int.random(in: 0..<63, using: &random)
            #expect(ByteCountText.parse(ByteCountText.exact(bytes)) == bytes)
        }
        #expect(ByteCountText.exact(3 << 20) == "3MiB")
    }
}

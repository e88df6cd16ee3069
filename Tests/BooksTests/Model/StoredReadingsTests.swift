import Testing

@testable import Books

/// The readings of a book, as an entry stores them.
@Suite struct StoredReadingsTests {
    private func reading(_ text: String) -> ReadingDates { ReadingDates(text) }

    @Test(arguments: ["2025-05-18/2025-05-26", "2025-05-26", "2025-05-18/", ""])
    func `a reading is written as it is read`(text: String) {
        #expect(reading(text).text == text)
    }

    @Test func `nothing is no reading`() {
        #expect(StoredReadings([]).all.isEmpty)
        #expect(
            StoredReadings([reading(""), reading("")])
                == StoredReadings(started: "", finished: "", earlier: []))
    }

    @Test func `the latest reading has columns of its own`() {
        let stored = StoredReadings([reading("2024-03-01/2024-03-09"), reading("2019-02-01/2019-02-20")])
        #expect(
            stored
                == StoredReadings(
                    started: "2024-03-01", finished: "2024-03-09", earlier: ["2019-02-01/2019-02-20"]))
    }

    @Test func `a reading that goes on keeps the last finished one`() {
        let stored = StoredReadings([reading("2025-01-02/"), reading("2021-05-01/2021-05-05")])
        #expect(
            stored
                == StoredReadings(
                    started: "2025-01-02", finished: "2021-05-05", earlier: ["2021-05-01/2021-05-05"]))
        #expect(stored.all.map(\.text) == ["2021-05-01/2021-05-05", "2025-01-02/"])
    }

    @Test func `a text that is no date is no reading`() {
        for text in ["????", "2026-13-45", "########", "0000/00/00"] {
            #expect(StoredReadings(listed: [(started: "", finished: text)], .dayFirst).all.isEmpty)
            #expect(
                StoredReadings(listed: [(text, "2020/01/02")], .dayFirst).all.map(\.text) == ["2020-01-02"])
        }
    }

    @Test func `a start after the end is another reading`() {
        let stored = StoredReadings(started: "2025-01-02", finished: "2021-05-05", earlier: [])
        #expect(stored.all.map(\.text) == ["2021-05-05", "2025-01-02/"])
    }

    @Test(arguments: [
        ("2024-05-01", "2024"), ("2024-05-01", "2024-05"), ("2024", "2024-01-31"), ("May 2020", "2019-01-01"),
    ])
    func `an end that is less precise than the start is the end of that reading`(
        started: String, finished: String
    ) {
        #expect(
            StoredReadings(started: started, finished: finished, earlier: []).all == [
                ReadingDates(started: started, finished: finished)
            ])
    }

    @Test func `a list of readings is the same after it was stored`() {
        let dates = ["", "2019", "2019-06", "2020-02-03", "2021-11-30"]
        var random = SystemRandomNumberGenerator()
        for _ in 0..<500 {
            let listed = (0..<Int.random(in: 0...5, using: &random)).map { _ -> ReadingDates in
                let ends = [
                    dates.randomElement(using: &random) ?? "", dates.randomElement(using: &random) ?? "",
                ].sorted()
                return ends[0].isEmpty && Bool.random(using: &random)
                    ? ReadingDates(started: ends[1], finished: "")
                    : ReadingDates(started: ends[0], finished: ends[1])
            }
            let stored = StoredReadings(listed)
            let again = StoredReadings(
                started: stored.started, finished: stored.finished, earlier: stored.earlier.map(\.text))
            #expect(again.all == stored.all, "\(listed)")
            #expect(again.all.allSatisfy { !$0.isEmpty })
        }
    }
}

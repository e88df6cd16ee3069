import Testing

@testable import Books

@Suite struct RecordFactsTests {
    @Test(arguments: [
        ("2020-02-29", "2020-03-01", true), ("2021-02-28", "2021-03-01", true),
        ("2020-02-28", "2020-03-01", false),
        ("2019-12-31", "2020-01-01", true), ("2020-01-01", "2020-01-03", false),
        ("2020-01-01", "2021-01-01", false),
        ("2020", "2020-07-08", true), ("2020", "2021-01-01", false), ("2020-07", "2020-07-31", true),
        ("2020-07", "2020-08-01", false), ("1900-02-28", "1900-03-01", true),
        ("2000-02-28", "2000-03-01", false),
    ])
    func `dates are near if one day apart, or if what is known of them agrees`(
        one: String, other: String, isNear: Bool
    ) throws {
        let (one, other) = (try #require(CalendarDate(one)), try #require(CalendarDate(other)))
        #expect(one.isNear(other) == isNear && other.isNear(one) == isNear)
    }
}

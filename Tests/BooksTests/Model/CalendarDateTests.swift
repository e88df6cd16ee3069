import Books
import Testing

@Suite
struct CalendarDateTests {
    @Test(arguments: [
        ("2015/07/15", "2015-07-15"), ("2026-04-02", "2026-04-02"), ("2020/2/9", "2020-02-09"),
        ("2024-02-29", "2024-02-29"), ("2000/02/29", "2000-02-29"), ("15/07/2015", "2015-07-15"),
        ("3/4/2026", "2026-04-03"), ("07/15/2015", "2015-07-15"), ("15.7.2015", "2015-07-15"),
        ("2014-01-21 18:49:25", "2014-01-21"), ("2021-01-19T22:41:16+01:00", "2021-01-19"),
        (" 2020/10/25 ", "2020-10-25"), ("2020-10", "2020-10"), ("2020", "2020"),
        ("0001-01-01", "0001-01-01"),
        // As spreadsheets write them, and count them.
        ("1/13/19", "2019-01-13"), ("2/3/20", "2020-03-02"), ("12/31/99", "1999-12-31"),
        ("13.01.19", "2019-01-13"), ("13-01-19", "2019-01-13"), ("1/2/00", "2000-02-01"),
        ("31/12/30", "1930-12-31"), ("99/12/31", "1999-12-31"), ("13-Jan-19", "2019-01-13"),
        ("13 jan. 19", "2019-01-13"), ("20190113", "2019-01-13"), ("43478", "2019-01-13"),
        ("43478.75", "2019-01-13"), ("45123", "2023-07-16"), ("36585", "2000-02-29"),
        ("36586", "2000-03-01"), ("10959", "1930-01-01"), ("73050", "2099-12-31"),
    ])
    func `dates are read as exports write them`(text: String, date: String) {
        #expect(Self.date(text)?.description == date)
    }

    @Test(arguments: [
        ("3/4/2026", "2026-03-04"), ("9-2-2020", "2020-09-02"), ("10/16/2020 18:49", "2020-10-16"),
        ("15/07/2015", "2015-07-15"), ("3.4.2026", "2026-04-03"), ("2026/3/4", "2026-03-04"),
        ("2/3/20", "2020-02-03"), ("1/13/19", "2019-01-13"), ("2.3.20", "2020-03-02"),
    ])
    func `month-first order applies only to ambiguous dates`(text: String, date: String) {
        let read = Array(text.utf8).withUnsafeBytes { CalendarDate($0, .monthFirst) }
        #expect(read?.description == date)
    }

    @Test(arguments: [
        "", " ", "########", "2020/13/01", "2020/00/10", "2020/01/00", "2023-02-29", "1900/02/29",
        "31/04/2020",
        "13/13/2020", "20201325", "18001301", "123456", "1234567", "99999", "00000000", "13/13/19", "1/2/3",
        "32/1/19", "2020/10-25", "2020/10/25x", "2020/", "/", "2020/10/", "????", "2026-13-45", "0000/00/00",
        "43478.", "43478.x",
        "99999/01/01",
        "yesterday", "0000-01-01", "-2020/01/01", "2020/100/1", "2020/10/250", "2020//10",
        "2025/05/18-2025/05/26",
    ])
    func `other text is not a date`(text: String) {
        #expect(Self.date(text) == nil)
    }

    @Test(arguments: [
        ("June 3, 2023", "2023-06-03"), ("3 June 2023", "2023-06-03"), ("3rd of June, 2023", "2023-06-03"),
        ("Jun 2023", "2023-06"), ("2023 Jun 3", "2023-06-03"), ("03-Jun-2023", "2023-06-03"),
        ("Sat Jun 03 2023 10:15:00 GMT+0200", "2023-06-03"), ("June 3, 2023, 10:15 AM", "2023-06-03"),
        ("Saturday, June 3, 2023", "2023-06-03"), ("Sept 2020", "2020-09"), ("3. Juni 2023", "2023-06-03"),
        ("1. März 2020", "2020-03-01"), ("15 août 2019", "2019-08-15"), ("1 févr. 2019", "2019-02-01"),
        ("3 de junio de 2023", "2023-06-03"), ("7 gennaio 2021", "2021-01-07"),
        ("9 de outubro de 2022", "2022-10-09"), ("5 mrt 2020", "2020-03-05"), ("12 mei 2020", "2020-05-12"),
    ])
    func `months may have names, in seven languages`(text: String, date: String) {
        #expect(Self.date(text)?.description == date)
    }

    @Test(arguments: [
        "June", "June 3", "3 June", "June 31, 2023", "30 February 2020", "3 jui 2023",
        "June July 2023", "3 4 June 2023", "June 2023 2024", "since June 2023", "June 3, 2023x", "2023 pages",
        "Junebug 2023", "june 0, 2023", "00 June 2023", "June 3rdx 2023", "June 3, 2023 - July 1, 2023",
        "June 3, 2023; June 5, 2024", "June 3, 2023 (again)", "\u{FFFD} 3 June 2023",
    ])
    func `other text with the name of a month is not a date`(text: String) {
        #expect(Self.date(text) == nil)
    }

    @Test func `dates are ordered, a year before its days`() {
        let dates = ["2020-12-31", "2020", "2019-12-31", "2020-01"].compactMap(Self.date)
        #expect(dates.sorted().map(\.description) == ["2019-12-31", "2020", "2020-01", "2020-12-31"])
        #expect(dates.first?.value == 20_201_231)
    }

    @Test(arguments: [
        ("1989", CalendarYear.Reading.year(1989)), ("-850", .year(-850)), ("2008.0", .year(2008)),
        (" 180 ", .year(180)),
        ("", .absent), ("  ", .absent), ("0", .absent), ("0.0", .absent), ("-0", .absent),
        ("19,89", .damaged),
        ("MCMLXXXIX", .damaged), ("-", .damaged), ("20081", .damaged), ("2008.5", .damaged),
        ("2008.", .damaged),
        ("########", .damaged), ("c1999", .damaged), ("99999999999999999999999", .damaged),
    ])
    func `a year may be BC or absent`(text: String, reading: CalendarYear.Reading) {
        #expect(Array(text.utf8).withUnsafeBytes { CalendarYear.read($0) } == reading)
    }

    static func date(_ text: String) -> CalendarDate? {
        Array(text.utf8).withUnsafeBytes { CalendarDate($0) }
    }
}

import TestSupport
import Testing

@testable import Books
@testable import Formats
@testable import Sources

/// Cells and fields with numbers: from exports, dumps, library records and providers' answers.
@Suite struct HostileCellsTests {
    @Test func `a year is within its range`() {
        HostileNumbers.visit { text, bytes in
            if let year = YearText.read(bytes) {
                #expect(YearText.years.contains(year) && year != 0, "\(text)")
            }
            if case .year(let year) = CalendarYear.read(bytes) {
                #expect((-9_999...9_999).contains(year) && year != 0, "\(text)")
            }
            if let year = DumpYear.read(bytes, latest: 2_030) {
                #expect((-9_999...2_030).contains(year) && year != 0, "\(text)")
            }
            if let year = WikidataDate.year(bytes) { #expect(year != 0, "\(text)") }
            if let year = MARCBook.year(bytes) { #expect((1_000...2_099).contains(year), "\(text)") }
            if let pages = PageCount.read(bytes) { #expect(pages > 0, "\(text)") }
            _ = NamedMonthDate(bytes)
        }
    }

    @Test func `a date exists`() {
        HostileNumbers.visit { text, bytes in
            _ = DateText(bytes)
            guard let date = PublicationDate(bytes) else { return }
            #expect((1_000...2_199).contains(date.year), "\(text)")
            guard let day = date.monthDay else { return }
            #expect((1...12).contains(day.month) && (1...31).contains(day.day), "\(text)")
        }
    }

    @Test func `a rating is within five stars`() {
        HostileNumbers.visit { text, bytes in
            if case .stars(let stars) = StarRating.read(bytes) {
                #expect(stars > 0 && stars <= StarRating.most, "\(text)")
            }
            if let number = StarRating.number(bytes) { #expect(number.isFinite && number >= 0, "\(text)") }
        }
    }

    @Test func `an ISBN has thirteen digits and a right check digit`() {
        for text in HostileNumbers.texts {
            for conversion in ISBNAnswer.Conversion.allCases {
                let answer = ISBNAnswer(conversion, text)
                guard let isbn = answer.isbn13 else { continue }
                #expect(isbn.utf8.count == 13, "\(text)")
                #expect(ISBNAnswer(.check, isbn).isAnswered, "\(text)")
            }
        }
    }
}

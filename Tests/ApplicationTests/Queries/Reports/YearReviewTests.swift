import Foundation
import System
import TestSupport
import Testing

@testable import Contract
@testable import Queries
@testable import Store
@testable import Syntax

/// What was read in a year.
@Suite struct YearReviewTests {
    private static let header =
        "Book Id,Title,Author,My Rating,Number of Pages,Date Read,Exclusive Shelf,Read Count\n"
    private static let rows = """
        1,Old,Ann Ek,4,100,2024/12/31,read,1
        2,Again,Ann Ek,5,300,2025/01/02,read,1
        3,Short,Bo Li,5,80,2025/02/10,read,1
        4,Unknown,Cy Do,0,,2025/02/11,read,1
        5,Long,Bo Li,3,900,2025/04,read,1
        6,Some time,Di Fu,0,200,2025,read,1
        7,Left,Ed Go,0,200,2025/05/05,did-not-finish,0
        8,No date,Fy Hu,0,200,,read,1
        9,Later,Fy Hu,0,200,2025/06/01,read,1

        """

    private func review(
        _ year: Int, of texts: [String], library: String? = nil
    ) async throws -> YearReview {
        let store = try FilledStore()
        for (number, text) in texts.enumerated() {
            try await store.importing([text], as: ["\(number).csv"], job: "job\(number)")
        }
        return try YearReviewReader(store.open(), library: library).read(year, of: library)
    }

    @Test func `readings count in the year in which they ended, those that were abandoned do not`()
        async throws
    {
        let review = try await review(2025, of: [Self.header + Self.rows])
        #expect(review.readings.map(\.title) == ["Some time", "Again", "Short", "Unknown", "Long", "Later"])
        #expect(review.before == 1 && review.years == [2024, 2025])
        #expect(review.pages == 1_680 && review.withoutPages == 1)
        #expect(review.rating == 13.0 / 3)
        #expect(review.months.map(\.books) == [1, 2, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0])
        #expect(review.months[1].pages == 80)
    }

    @Test func `books stand out by pages, day and stars`() async throws {
        let review = try await review(2025, of: [Self.header + Self.rows])
        #expect(review.longest?.title == "Long" && review.shortest?.title == "Short")
        // Of the others the day is not known.
        #expect(review.first?.title == "Again" && review.last?.title == "Later")
        #expect(review.best.map(\.title) == ["Again", "Short"])
        #expect(review.streak?.first == 0 && review.streak?.length == 2)
    }

    @Test func `an author is new if nothing was read before, also not at an unknown time`() async throws {
        let review = try await review(2025, of: [Self.header + Self.rows])
        #expect(review.newAuthors == ["Di Fu", "Bo Li", "Cy Do"])
    }

    @Test func `a book from two programs has its readings once`() async throws {
        let other =
            "Title,Authors,ISBN/UID,Format,Read Status,Date Added,Last Date Read,Dates Read,Read Count,Star Rating\n"
            + "Again,Ann Ek,,paperback,read,2024/01/01,2025/01/03,2025/01/03,1,4.75\n"
            + "Short,Bo Li,,paperback,read,2024/01/01,2025/07/01,\"2025/07/01, 2025/02/10\",2,\n"
            + "Unknown,Cy Do,,paperback,read,2024/01/01,,,1,\n"
        let review = try await review(2025, of: [Self.header + Self.rows, other])
        #expect(review.readings.count { $0.title == "Again" } == 1)
        #expect(review.readings.first { $0.title == "Again" }?.rating == 5, "the oldest of two with as many")
        #expect(review.readings.filter { $0.title == "Short" }.map(\.day) == ["2025-02-10", "2025-07-01"])
        #expect(review.newAuthors.contains("Cy Do"), "the date of one program counts for both")
    }

    @Test func `a year without readings names those that have some`() async throws {
        let review = try await review(1999, of: [Self.header + Self.rows])
        #expect(review.readings.isEmpty && review.best.isEmpty && review.streak == nil)
        let text = String(
            decoding: YearReviewPage(review, covers: .none, now: 0).document(), as: UTF8.self)
        #expect(text.contains("No reading ended in 1999") && text.contains("2024, 2025"))
        #expect(throws: ETLError.self) {
            try YearReviewReader(FilledStore().open(), library: "none").read(2025, of: "none")
        }
    }

    @Test func `the page has every figure, and loads nothing`() async throws {
        let review = try await review(
            2025, of: [Self.header + Self.rows + "10,<script>x</script>,Gy Iz,0,1,2025/03/03,read,1\n"])
        let page = try PageElement(
            document: String(
                decoding: YearReviewPage(review, covers: .none, now: 0).document(), as: UTF8.self))
        #expect(page.text.contains("2025 in books") && page.text.contains("In 2024: 1 book."))
        #expect(page.panel("Months")?.rows.count == 12)
        #expect(page.panel("Books of the year")?.rows.first == ["Longest", "Long, Bo Li", "900 pages"])
        #expect(page.panel("Authors read for the first time")?.text.contains("Di Fu") == true)
        #expect(page.panel("Months")?.text.contains("The month of 1 book is not known.") == true)
        for name in ["script", "link", "img", "iframe"] { #expect(page.all(name).isEmpty, "\(name)") }
    }

    @Test func `the JSON has each reading`() async throws {
        let review = try await review(2025, of: [Self.header + Self.rows])
        var json = JSONWriter()
        review.write(into: &json)
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(json.bytes)) as? [String: Any])
        #expect(object["books"] as? Int == 6 && object["streak"] as? Int == 2)
        #expect((object["readings"] as? [[String: Any]])?.count == 6)
        #expect((object["months"] as? [[String: Any]])?.count == 12)
    }
}

import Pipeline
import System
import Testing

@testable import Books
@testable import Formats

/// Dates as spreadsheets and note-taking programs write them.
@Suite
struct DatesOfTablesTests {
    let files: WrittenFiles

    init() throws { files = try WrittenFiles() }

    @Test func `two dates in a cell are the begin and the end of a reading`() throws {
        let cells = [
            "2023/03/01 → 2023/03/09", "March 1, 2023 → March 9, 2023", "2023-03-01 - 2023-03-09",
            "2023/03/01-2023/03/09", "01.03.2023 – 09.03.2023", "2023-03-01 to 2023-03-09", "2023/03/09",
        ]
        let rows = cells.enumerated().map { "Book \($0),Ana Lee,\"\($1)\"\n" }.joined()
        let path = try files.write("Title,Author,Date Read\n" + rows)
        #expect(
            try RowFacts.of(path, [.dateStarted, .dateRead]).rows == [
                ["2023/03/01", "2023/03/09"], ["March 1, 2023", "March 9, 2023"],
                ["2023-03-01", "2023-03-09"],
                ["2023/03/01", "2023/03/09"], ["01.03.2023", "09.03.2023"], ["2023-03-01", "2023-03-09"],
                ["", "2023/03/09"],
            ])
    }

    @Test func `digits of other scripts are digits`() throws {
        let path = try files.write(
            """
            Title,Author,ISBN,Pages,Date Read
            A,Ana Lee,٩٧٨٠٣٠٦٤٠٦١٥٧,٣٠٠,٢٠٢٠-٠١-٠٢
            B,Bo Ek,۹۷۸۰۳۰۶۴۰۶۱۵۷,۳۰۰,۲۰۲۰/۰۱/۰۲
            C,Cy Roe,９７８０３０６４０６１５７,３００,２０２０／０１／０２
            D,Di Poe,9780306406157,300,2020年1月2日
            E,Ed Fox,9780306406157,300,2020년 1월 2일

            """)
        let facts = try RowFacts.of(path, [.isbn13, .pageCount, .dateRead])
        for row in facts.rows {
            #expect(ISBNReader.read(row[0]).isbn?.isbn13 == "9780306406157")
            #expect(row[1] == "300")
            #expect(CalendarDate(row[2])?.description == "2020-01-02", "\(row)")
        }
        #expect(facts.rows.count == 5)
    }

    @Test func `dates in the future and long ago are told first`() async throws {
        let path = try files.write(
            "Title,Author,Date Read\nA,Ana,2203/05/01\nB,Bo,2026/12/24\nC,Cy,0206/05/01\nD,Di,2020/01/02\n")
        let survey = try await ReadLibrary(ReadSettings(files: [path])).surveyLibrary(
            until: CalendarDate(year: 2026, month: 11, day: 30))
        let all = survey.files[0].warnings.map(\.description)
        let warning = try #require(all.first { $0.contains("future") })
        #expect(warning.contains("3 dates") && warning.contains("2203/05/01, 2026/12/24, 0206/05/01"))
        #expect(survey.newestDate?.description == "2020-01-02")
    }
}

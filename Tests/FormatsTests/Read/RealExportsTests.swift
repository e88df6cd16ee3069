import Books
import Formats
import System
import TestSupport
import Testing

/// Goodreads exports of all years are read in full.
@Suite struct RealExportsTests {
    @Test(arguments: TestFiles.goodreadsExports)
    func `Goodreads exports are read in full without rejects or warnings`(name: String, records: Int)
        async throws
    {
        // Several batches, so that reading can resume in the middle.
        let settings = ReadSettings(
            files: [TestFiles.path("goodreads/\(name)")], batchRecords: records > 50 ? 50 : 2)
        let reading = try await Reading.of(settings)
        #expect(reading.columns?.formatName == "goodreads")
        #expect(reading.columns?.unmapped == [])
        #expect(reading.recordsRead == records)
        #expect(reading.records.count == records)
        #expect(reading.fact(5).filter { !$0.isEmpty } == [])
        #expect(reading.titles.allSatisfy { !$0.isEmpty && !$0.contains(", #") })
        #expect(reading.fact(2).allSatisfy { $0.contains(" as author") })
        let survey = try await ReadLibrary(settings).surveyLibrary()
        #expect(survey.recordCount == records)
        #expect(survey.newestDate != nil)
        for (index, end) in reading.ends.enumerated() {
            let head = try await Reading.of(settings, batches: index + 1)
            let tail = try await Reading.of(settings, from: end)
            #expect(head.records + tail.records == reading.records)
        }
    }

    @Test func `all layouts give the same values`() async throws {
        /// Titles, people, series and formats of some records.
        func facts(_ name: String, _ records: Range<Int>) async throws -> [[String]] {
            let reading = try await Reading.of(ReadSettings(files: [TestFiles.path("goodreads/\(name)")]))
            try #require(reading.records.count >= records.upperBound)
            let columns = (1...4).map(reading.fact)
            return records.map { record in columns.map { $0[record] } }
        }
        let values = try await facts("etl_2018.csv", 2..<4)
        #expect(
            values == [
                [
                    "A Field Guide to Lost Weather",
                    "Ingrid Sólveig as author;Tomás Ó Broin as contributor;Mira Talvik as contributor", "",
                    "E-book",
                ],
                ["Kivi ja kuu", "Mira Talvik as author", "", "Hardcover"],
            ])
        #expect(try await facts("etl_2015.csv", 2..<4) == values)
        #expect(try await facts("etl_2024.csv", 0..<2) == values)
        #expect(try await facts("etl_2026.csv", 2..<4) == values)
    }
}

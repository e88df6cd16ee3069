import Books
import Pipeline
import Testing

/// Stray quotes that open in one record and close in the same column of another.
@Suite struct MergedRecordsTests {
    private let files: WrittenFiles

    init() throws { files = try WrittenFiles() }

    private func read(_ text: String) throws -> (titles: [String], rejects: [String]) {
        let facts = try RowFacts.of(try files.write(text), [.title])
        return (facts.rows.map { $0[0] }, facts.rejects)
    }

    private static let header = "id,title,author,isbn,date read\n"

    @Test func `two records are never merged without a word`() throws {
        let text =
            Self.header + "1,Reef,Ana Lee,9780306406157,2020-01-02\n2,\"Tide,Bo Ek,9780306406157,2020-01-02\n"
            + "3,Wave\",Kim Ro,9780306406157,2020-01-02\n"
        let found = try read(text)
        #expect(found.titles == ["Reef"])
        #expect(found.rejects == ["records_merged"])
    }

    @Test func `records between the two are found too`() throws {
        let middle = "3,Foam,Di Fo,9780306406157,2020-01-02\n"
        let text =
            Self.header + "2,\"Tide,Bo Ek,9780306406157,2020-01-02\n" + middle
            + "4,Wave\",Kim Ro,9780306406157,2020-01-02\n"
        #expect(try read(text).rejects == ["records_merged"])
    }

    @Test func `a text of several lines is a text`() throws {
        let text =
            "id,title,author,isbn,my review\n1,Reef,Ana Lee,9780306406157,\"First line, with commas\nsecond, line, here\"\n"
            + "2,\"A title\nin two lines\",Bo Ek,,fine\n"
        let found = try read(text)
        #expect(found.titles.count == 2)
        #expect(found.rejects == [])
    }

    @Test func `without any sign but the number of separators it is kept with a warning`() async throws {
        let text = "name,author,publisher,notes\nReef,\"Ana Lee,Gull,fine\nTide,Bo Ek\",Gull,good\n"
        let reading = try await Reading.of(ReadSettings(files: [try files.write(text)]))
        #expect(reading.titles == ["Reef"])
        #expect(reading.fact(5).first?.contains("quoted_records") == true)
    }
}

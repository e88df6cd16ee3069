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

    @Test func `a text with the right number of separators and no other sign is kept with a warning`()
        async throws
    {
        let text = "name,author,notes,publisher\nReef,Ana Lee,\"fine,Gull\nTide,Bo Ek,good\",Gull\n"
        let reading = try await Reading.of(ReadSettings(files: [try files.write(text)]))
        #expect(reading.titles == ["Reef"])
        #expect(reading.fact(5).first?.contains("quoted_records") == true)
    }

    private static let narrow = "Title,Author,ISBN\nReef,Ana Lee,9780306406157\n"

    @Test(arguments: [
        // In the authors, in the titles, in the last column, with and without records between.
        narrow + "Tide,\"Bo Ek,9780306406157\nFoam,Di Fo,9780306406157\nWave,Kim Ro\",9780306406157\n",
        narrow + "Tide,\"Bo Ek,9780306406157\nWave,Kim Ro\",9780306406157\n",
        narrow + "\"Tide,Bo Ek,9780306406157\nWave\",Kim Ro,9780306406157\n",
        narrow + "\"Tide,Bo Ek,0306406152\nFoam,Di Fo,9780306406157\nWave\",Kim Ro,0-306-40615-2\n",
        "ISBN,Title\n0306406152,Reef\n\"0306406152,Tide\n0306406152\",Wave\n9780306406157,Reef\n",
        narrow + "Tide,Bo Ek,\"9780306406157\nWave,Kim Ro,9780306406157\"\n",
        // A date in the right place; the ISBNs are empty.
        "Title,Author,ISBN,Publisher,Date Read\nReef,Ana Lee,,Gull,2020-01-02\nTide,Bo Ek,,\"Gull,2020-01-02\n"
            + "Wave,Kim Ro,,Gull\",2020-01-02\n",
        // No sign but the separators, in a column whose cells are never that long.
        "Title,Author,Publisher,Place\nReef,Ana Lee,Gull,Rome\nTide,\"Bo Ek,Gull,Rome\nWave,Kim Ro\",Gull,Rome\n",
    ])
    func `a narrow table is no exception`(_ text: String) throws {
        let found = try read(text)
        #expect(found.titles.allSatisfy { $0 == "Reef" }, "\(found)")
        #expect(found.rejects == ["records_merged"])
    }

    @Test(arguments: [
        "Title,Author\nReef,Ana Lee\n\"Tide,Bo Ek\nWave\",Kim Ro\n",
        "Title,Author,Publisher\nReef,Ana Lee,Gull\nTide,\"Bo Ek,Gull\nWave,Kim Ro\",Gull\n",
    ])
    func `one or two separators in a title or name are a warning`(_ text: String) async throws {
        let reading = try await Reading.of(ReadSettings(files: [try files.write(text)]))
        #expect(reading.titles.count == 2)
        #expect(reading.fact(5).last?.contains("quoted_records") == true)
    }

    @Test(arguments: [
        "Title,Review\nReef,\"Great book.\nReally, really great\"\n",
        "Title,Author,Review\nReef,Ana Lee,\"Great.\nI read it, twice, in 2020\"\n",
        "Title,ISBN,Review\nReef,9780306406157,\"Great.\nI read it, in 2020, twice\"\n",
        "Title,Review,Rating\nReef,\"Good, 5\nRead it, really\",4\n",
        "Title,Author,ISBN\nReef,\"Lee, Ana\nEk, Bo\",9780306406157\n",
        "Title,Author,ISBN\n\"Reef\nA Story\",Ana Lee,9780306406157\n",
        "Title,Notes\nReef,\"Ideas\n\nmore, ideas\"\n",
    ])
    func `reviews and lists of several lines stay whole in narrow tables too`(_ text: String) async throws {
        let reading = try await Reading.of(ReadSettings(files: [try files.write(text)]))
        #expect(reading.titles.count == 1)
        #expect(reading.rejects.isEmpty)
        #expect(!reading.fact(5).contains { $0.contains("quoted_records") })
    }
}

import Books
import Formats
import System
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

    @Test(arguments: [
        // In notes: one cell, several, in the middle, and with records between.
        "Title,Notes\nReef,x\nTide,\"hello\nWave,note\"\n",
        "Title,Notes\nReef,x\nTide,\"hello\nFoam,y\nWave,note\"\n",
        "Title,Author,Notes\nReef,Ana Lee,x\nTide,Bo Ek,\"hello\nWave,Kim Ro,note\"\n",
        "name,author,notes,publisher\nReef,Ana Lee,x,Gull\nTide,Bo Ek,\"fine,Gull\nWave,Kim Ro,good\",Gull\n",
        "Title;Notes\nReef;x\nTide;\"hello, you\nWave;note, too\"\n",
        // In titles and authors.
        "Title,Author\nReef,Ana Lee\n\"Tide,Bo Ek\nWave\",Kim Ro\n",
        "Title,Author,Publisher\nReef,Ana Lee,Gull\nTide,\"Bo Ek,Gull\nWave,Kim Ro\",Gull\n",
        // The program writes a blank after each comma.
        "Title, Author\nReef, Ana Lee\n\"Tide, Bo Ek\nWave\", Kim Ro\n",
    ])
    func `lines as wide as the table are records wherever the quote is`(_ text: String) throws {
        let found = try read(text)
        #expect(found.titles == ["Reef"], "\(found)")
        #expect(found.rejects == ["records_merged"])
    }

    @Test func `the reject names the lines of both quotes and the column`() async throws {
        let text = "Title,Notes\r\nReef,x\r\nTide,\"hello\r\nFoam,y\r\nWave,note\"\r\nGull,z\r\n"
        let reading = try await Reading.of(ReadSettings(files: [try files.write(text)]))
        #expect(reading.titles == ["Reef", "Gull"])
        let message = try #require(reading.rejects.first?.message)
        #expect(message.contains("The quote in `Notes` on line 3 is closed on line 5."), "\(message)")
    }

    @Test(arguments: [
        ("Title,Notes\nReef,x\nTide,\"hello\nFoam,y\nWave,note\n", ["Reef", "Foam", "Wave"]),
        (
            "Title,Author\nReef,Ana Lee\n\"Tide,Bo Ek\n\"Foam, or: Bubbles\",Di Fo\nWave,Kim Ro\n",
            ["Reef", "Foam, or: Bubbles", "Wave"]
        ),
    ])
    func `a quote that nothing closes costs its own row only, in small tables too`(
        _ text: String, _ titles: [String]
    ) throws {
        let found = try read(text)
        #expect(found.titles == titles)
        #expect(found.rejects == ["record_unreadable"])
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

    @Test func `a line of prose as wide as the table is a warning in a title or name`() async throws {
        let text = "Title,Author\nReef,Ana Lee\n\"Tide, Bo Ek\nWave\",Kim Ro\n"
        let reading = try await Reading.of(ReadSettings(files: [try files.write(text)]))
        #expect(reading.titles.count == 2)
        #expect(reading.fact(5).last?.contains("quoted_records") == true)
    }

    @Test func `a spreadsheet has no stray quotes`() throws {
        let rows = #"[{"Title":"Reef","Notes":"hello\nWave,note"},{"Title":"Tide","Notes":"x"}]"#
        let found = try read(rows)
        #expect(found.titles == ["Reef", "Tide"])
        #expect(found.rejects == [])
    }

    @Test(arguments: [
        "Title,Review\nReef,\"Great book.\nReally, really great\"\n",
        "Title,Author,Review\nReef,Ana Lee,\"Great.\nI read it, twice, in 2020\"\n",
        "Title,ISBN,Review\nReef,9780306406157,\"Great.\nI read it, in 2020, twice\"\n",
        "Title,Review,Rating\nReef,\"Good, 5\nRead it, really\",4\n",
        "Title,Author,ISBN\nReef,\"Lee, Ana\nEk, Bo\",9780306406157\n",
        "Title,Author,ISBN\n\"Reef\nA Story\",Ana Lee,9780306406157\n",
        "Title,Notes\nReef,\"Ideas\n\nmore, ideas\"\n",
        "Title,Notes\nReef,\"Bought.\nPaid 1,50 Euro\"\n",
        "Title,Notes\nReef,\"Dear diary,\nI read it\nin a day, really\nand liked it\"\n",
    ])
    func `reviews and lists of several lines stay whole in narrow tables too`(_ text: String) async throws {
        let reading = try await Reading.of(ReadSettings(files: [try files.write(text)]))
        #expect(reading.titles.count == 1)
        #expect(reading.rejects.isEmpty)
        #expect(!reading.fact(5).contains { $0.contains("quoted_records") })
    }
}

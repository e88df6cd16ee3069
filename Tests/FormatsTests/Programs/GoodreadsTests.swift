import Books
import Formats
import System
import Testing

@Suite
struct GoodreadsTests {
    let files: WrittenFiles

    init() throws { files = try WrittenFiles() }

    @Test func `a 2015 export with unquoted ISBN cells and CRLF is read without warnings`() async throws {
        let path = try files.write(
            GoodreadsFixture.header31
                + "\r\n7,\"Deep Water (The Tide, #2; Coast, #0.5)\",\"Ann  Name\",\"Name, Ann\",\"Bo Ek, Ce Fi\",="
                + "\"0306406152\",=\"9780306406157\",0,\"4.17\",\"Press\",\"Mass Market Paperback\",\"483\",1990,-850,,"
                + "2015/07/15,\"to-read\",\"to-read (#1)\",\"to-read\",,\"\",,,,,0,,,,,\r\n")
        let reading = try await Reading.of(ReadSettings(files: [path]))
        #expect(reading.columns?.formatName == "goodreads")
        #expect(reading.columns?.unmapped == [])
        #expect(reading.titles == ["Deep Water"])
        #expect(reading.fact(2) == ["Ann Name as author;Bo Ek as contributor;Ce Fi as contributor"])
        #expect(reading.fact(3) == ["The Tide#2;Coast#0.5"])
        #expect(reading.fact(4) == ["Mass Market"])
        #expect(reading.fact(5) == [""])
    }

    @Test func `roles after names are no part of them and make no authors`() async throws {
        let path = try files.write(
            GoodreadsFixture.header31
                + "\n7,Deep,Ann Name - editor,\"Name, Ann\",\"Bo Ek (Translator), Ce Fi – ill., Art Lee\"\n")
        let reading = try await Reading.of(ReadSettings(files: [path]))
        #expect(
            reading.fact(2) == [
                "Ann Name as editor;Bo Ek as translator;Ce Fi as illustrator;Art Lee as contributor"
            ])
    }

    @Test func `an export since 2022 has 24 columns`() async throws {
        let path = try files.write(
            GoodreadsFixture.header24 + "\n" + GoodreadsFixture.row(1, binding: "kindle_edition", year: "0"))
        let reading = try await Reading.of(ReadSettings(files: [path]))
        #expect(reading.columns?.formatName == "goodreads")
        #expect(reading.columns?[.ownedCopies] == 23)
        #expect(reading.columns?[.bcid] == nil)
        #expect(reading.fact(4) == ["E-book"])
        #expect(reading.fact(5) == [""])
    }

    @Test func `a 2026 export lacks Average Rating, and columns are found by name in any order`()
        async throws
    {
        let header = GoodreadsFixture.header24.split(separator: ",").filter { $0 != "Average Rating" }
            .reversed()
        let cells = [
            "Title": "A Book", "Author": "X", "Book Id": "9", "ISBN13": "9780306406157",
            "Date Added": "02/04/2026",
            "Date Read": "########", "Original Publication Year": "twenty", "Binding": "Audible Audio",
        ]
        let path = try files.write(
            header.joined(separator: ",").uppercased() + "\n"
                + header.map { cells[String($0)] ?? "" }.joined(separator: ",") + "\n")
        let reading = try await Reading.of(ReadSettings(files: [path]))
        #expect(reading.columns?.formatName == "goodreads")
        #expect(reading.titles == ["A Book"])
        #expect(reading.fact(4) == ["Audiobook"])
        #expect(
            reading.fact(5) == [
                "date_damaged:DATE READ:########;year_damaged:ORIGINAL PUBLICATION YEAR:twenty"
            ])
        let survey = try await ReadLibrary(ReadSettings(files: [path])).surveyLibrary()
        #expect(survey.newestDate?.description == "2026-04-02")
    }

    @Test func `all Goodreads layouts score in full and other tables low`() {
        for header in [GoodreadsFixture.header31, GoodreadsFixture.header24] {
            let names = HeaderNames(header.split(separator: ",").map(String.init))
            #expect(Goodreads().score(names) == 1)
            #expect(LibraryFormats.scores(names).first?.formatName == "goodreads")
        }
        let other = HeaderNames([
            "Title", "Authors", "ISBN/UID", "Format", "Read Status", "Date Added", "Tags",
        ])
        #expect(Goodreads().score(other) < 0.2)
        #expect(Goodreads().score(HeaderNames([])) == 0)
    }
}

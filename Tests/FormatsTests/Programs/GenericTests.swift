import Books
import Formats
import System
import Testing

@Suite
struct GenericTests {
    let files: WrittenFiles

    init() throws { files = try WrittenFiles() }

    @Test func `columns are mapped by their usual names`() async throws {
        let path = try files.write(
            "id,Book_Title,authors,ISBN,Series,Series Index,Format,Started,Colour\n"
                + "1,Reef,\"Ann Name, Bo Ek\",9780306406157,The Tide,3,Hardback,2020-01-02,blue\n")
        let reading = try await Reading.of(ReadSettings(files: [path]))
        #expect(reading.columns?.formatName == "generic")
        #expect(reading.titles == ["Reef"])
        #expect(reading.fact(2) == ["Ann Name as author;Bo Ek as contributor"])
        #expect(reading.fact(3) == ["The Tide#3"])
        #expect(reading.fact(4) == ["Hardcover"])
        #expect(reading.columns?[.isbn13] == 3)
        #expect(reading.columns?[.isbn10] == nil)
        #expect(reading.columns?.unmapped == [8])
    }

    @Test func `a book that somebody narrates is an audiobook if no binding says otherwise`() async throws {
        let path = try files.write(
            "title,author,narrator,format\nReef,X,Di Fo,\nTide,X,Di Fo,Hardback\nFoam,X,,\nWave,X,Di Fo,Unknown Binding\n"
        )
        let reading = try await Reading.of(ReadSettings(files: [path]))
        #expect(reading.fact(4) == ["Audiobook", "Hardcover", "-", "-"])
    }

    @Test func `each format has a name for people`() {
        for format in LibraryFormats.all {
            let title = LibraryFormats.title(of: format.name)
            #expect(title != format.name || format.name == "calibre", "\(format.name)")
        }
    }

    @Test func `a series in both title and column is stored once`() async throws {
        let path = try files.write(
            "title,author,series,volume\n\"Reef (The Tide, #3)\",X,The Tide,3\nDune,X,,\n")
        #expect(try await Reading.of(ReadSettings(files: [path])).fact(3) == ["The Tide#3", ""])
    }

    @Test(arguments: [
        ("Titel;Autor;ISBN\nÜber;X;1\n", "Über"), ("titre\tauteur\nÀ la mer\tX\n", "À la mer"),
        ("isbn|título|autor\n1|Río|X\n", "Río"), ("isbn\n9780306406157\n", ""), ("EAN,Name\n1,A\n", "A"),
    ])
    func `other languages and delimiters are recognized`(content: String, title: String) async throws {
        let path = try files.write(content)
        #expect(try await Reading.of(ReadSettings(files: [path])).titles == [title])
    }

    @Test func `in a table with volumes and no series the title is the series`() async throws {
        func series(_ text: String) async throws -> [String] {
            try await Reading.of(ReadSettings(files: [try files.write(text)])).fact(3)
        }
        #expect(
            try await series("Title,Author,Volume\nReef,X,3\nTide,X,\nFoam,X,0\n\"Wave (The Sea, #2)\",X,5\n")
                == ["Reef#3", "", "", "The Sea#2"])
        #expect(try await series("Titel,Autor,Band\nReef,X,Band 3\n") == ["Reef#Band 3"])
        #expect(try await series("Title,Author,Series,Volume\nReef,X,,3\n") == [""])
        // A number that may be the row's.
        #expect(try await series("Titel,Autor,Nummer\nReef,X,3\n") == [""])
    }

    @Test func `a novel in Portuguese is no romance`() throws {
        func subjects(_ header: String, _ row: String) throws -> [[String]] {
            try RowFacts.of(try files.write("\(header)\n\(row)\n"), [.subjects]).rows
        }
        #expect(try subjects("Título,Autor,Gênero", "Reef,Ana Lee,Romance") == [["Novel"]])
        #expect(
            try subjects("Título;Autor;Género;Editora", "Reef;Ana Lee;Romance|Drama;Gull") == [
                ["Novel; Drama"]
            ])
        #expect(try subjects("Título,Autor,Género", "Reef,Ana Lee,Romance") == [["Romance"]])
        #expect(try subjects("Title,Author,Genre", "Reef,Ana Lee,Romance") == [["Romance"]])
    }

    @Test func `the user's choice of columns wins`() async throws {
        let path = try files.write("Werk,Title,Wer,EAN\nA,B,X,9780306406157\n")
        var settings = ReadSettings(
            files: [path], columns: try ColumnOptions(parsing: "title=Werk, author = #3"))
        let reading = try await Reading.of(settings)
        #expect(reading.titles == ["A"])
        #expect(reading.fact(2) == ["X as author"])
        #expect(reading.columns?[.isbn13] == 3)
        #expect(reading.columns?.unmapped == [1])

        settings.columns = try ColumnOptions(parsing: "isbn=Werk")
        #expect(try await Reading.of(settings).columns?[.isbn13] == 0)
        settings.format = "goodreads"
        #expect(try await Reading.of(settings).columns?.formatName == "goodreads")
    }

    @Test func `a table without known column names is read by choice alone`() async throws {
        let path = try files.write("a,b\nOne,X\n")
        let settings = ReadSettings(files: [path], columns: try ColumnOptions(parsing: "title=A"))
        #expect(try await Reading.of(settings).titles == ["One"])
    }

    @Test func `a missing chosen column is reported with the existing ones`() async throws {
        let path = try files.write("Title,Author\nA,X\n")
        let choice = try ColumnOptions(parsing: "isbn13=EAN")
        let failure = await failure(of: ReadSettings(files: [path], columns: choice))
        #expect(failure?.kind == .unusableInput)
        #expect(failure?.message.contains("`EAN`") == true)
        #expect(failure?.advice?.description.contains("`Title`") == true)
    }

    @Test(arguments: ["title", "title=", "=Titel", "tittle=Titel", "title= ,author=x"])
    func `an invalid choice is rejected`(text: String) {
        do throws(ETLError) {
            _ = try ColumnOptions(parsing: text)
            Issue.record("accepted \(text)")
        } catch {
            #expect(error.kind == .configuration)
        }
    }

    @Test(arguments: [
        (" Author l-f ", "author l f"), ("'TITLE'", "title"),
        ("\"'AUTHOR (first, last)'\"", "author (first, last)"),
        ("\u{FEFF}Book_Id", "book id"), ("", ""), ("'", "'"), ("''", ""), ("ÉDITEUR", "éditeur"),
        ("ISBN/UID", "isbn/uid"),
    ])
    func `column names are compared without case and decoration`(name: String, key: String) {
        #expect(HeaderNames.key(name) == key)
    }
}

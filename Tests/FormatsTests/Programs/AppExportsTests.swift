import System
import TestSupport
import Testing

@testable import Books
@testable import Formats

/// Exports of Libby, Libation, Babelio and Zotero, in the form that these programs write, and references.
@Suite
struct AppExportsTests {
    let files: WrittenFiles

    init() throws { files = try WrittenFiles() }

    @Test func `loans in Libby's timeline are books that one does not own`() throws {
        let path = try files.write(
            """
            cover,title,author,publisher,isbn,timestamp,activity,details,library
            https://img.test/a.jpg,Tidal Song,Ana Lee,Winter Press,9780306406157,"March 03, 2026 09:15",Borrowed,14 days,County
            https://img.test/a.jpg,Tidal Song,Ana Lee,Winter Press,9780306406157,"March 10, 2026 18:02",Returned,,County
            https://img.test/b.jpg,Salt,Bo Ek,Winter Press,,"January 12, 2026 18:02",Placed on hold,,County

            """)
        let facts = try RowFacts.of(path, [.title, .isbn13, .dateAdded, .exclusiveShelf, .ownedCopies])
        #expect(facts.formatName == "libby")
        #expect(
            facts.rows == [
                ["Tidal Song", "9780306406157", "March 03, 2026 09:15", "", "0"],
                ["Salt", "", "January 12, 2026 18:02", "to-read", "0"],
            ])
        #expect(facts.rejects == ["not_a_book"])
        #expect(CalendarDate(facts.rows[0][2])?.description == "2026-03-03")
    }

    @Test func `Libation's list is of audiobooks`() throws {
        let header =
            "Account,Date Added to library,Is Audible Plus?,Absent from last scan?,Audible Product Id,Locale,Title,"
            + "Subtitle,Authors,Narrators,Length In Minutes,Description,Publisher,Has PDF,Series Names,Series Order,"
            + "Community Rating: Overall,Cover Id,Is Abridged?,Date Published,Categories,My Rating: Overall,"
            + "My Libation Tags,Book Liberated Status,PDF Liberated Status,Content Type,Language,Is Finished?\n"
        let path = try files.write(
            header
                + "a@example.com,08/15/2026 10:30:00,False,False,B0TEST0001,us,Tidal Song,A Novel,\"Ana Lee, Bo Ek\",Cy Roe,"
                + "123,Text,Winter Press,False,Tides,2,4.5,,False,01/02/2020 00:00:00,\"Fiction, Fantasy\",4,fav,Liberated,"
                + ",Product,English,True\n"
                + "a@example.com,08/16/2026 11:45:30,True,False,B0TEST0002,us,Salt,,Bo Ek,,45,,,False,,,,,False,,,,,"
                + "NotLiberated,,Product,,False\n")
        let facts = try RowFacts.of(
            path, [.title, .asin, .rating, .exclusiveShelf, .ownedCopies, .series, .seriesNumber, .dateAdded])
        #expect(facts.formatName == "libation")
        #expect(
            facts.rows == [
                ["Tidal Song", "B0TEST0001", "4", "read", "1", "Tides", "2", "08/15/2026 10:30:00"],
                ["Salt", "B0TEST0002", "", "", "0", "", "", "08/16/2026 11:45:30"],
            ])
        #expect(
            try RowFacts.people(path) == [
                "Tidal Song: A Novel: Ana Lee (author), Bo Ek (contributor), Cy Roe (narrator)",
                "Salt: Bo Ek (author)",
            ])
    }

    @Test func `Babelio's export has the family name first and is windows-1252`() throws {
        let text = """
            "ISBN";"Titre";"Auteur";"Editeur";"Date de publication";"Date d`entrée dans Babelio";"Statut";"Note"\r
            "9780306406157";"Été d'hiver";"Zask Joëlle";"Les Empêcheurs";"2016-02-11";"2026-09-05 13:42:22";"Lu";"4.5"\r
            "";"R.U.R. &amp, autres";"&#268,apek Karel";"Éditions";"2011-02-17";"2013-07-02 22:12:45";"A lire";"0.0"\r
            "";"L'Espion";"Le Carré John";"Seuil";"";"";"En cours";"0"\r
            "";"Contes";"Bruycker Daniel de";"Seuil";"";"";"Pense-bête";"0"\r
            "";"Vies";"Plutarque";"Seuil";"";"";"Abandonné";"3"\r

            """
        let path = try files.write(EncodedText.bytes(text, in: "CP1252"))
        let facts = try RowFacts.of(path, [.isbn13, .rating, .exclusiveShelf])
        #expect(facts.formatName == "babelio")
        #expect(
            facts.rows == [
                ["9780306406157", "4.5", "read"], ["", "0.0", "to-read"], ["", "0", "currently-reading"],
                ["", "0", "to-read"], ["", "3", "did-not-finish"],
            ])
        #expect(
            try RowFacts.people(path) == [
                "Été d'hiver: Joëlle Zask (author)", "R.U.R. & autres: Karel Čapek (author)",
                "L'Espion: John Le Carré (author)", "Contes: Daniel de Bruycker (author)",
                "Vies: Plutarque (author)",
            ])
    }

    @Test func `a French table is not Babelio's`() throws {
        let path = try files.write("Titre;Auteur;Editeur;Note\nReef;Ana Lee;Seuil;4\n")
        #expect(try RowFacts.of(path, [.title]).formatName == "generic")
    }

    @Test func `Zotero's articles and web pages are set aside`() throws {
        let path = try files.write(
            """
            "Key","Item Type","Publication Year","Author","Title","Publication Title","ISBN","ISSN","DOI"
            "K1","book","1999","Lee, Ana; Ek, Bo","A Book","","9780306406157 0306406152","",""
            "K2","journalArticle","2001","Lee, Ana","An Article","Nature","","1234-5678","10.1/x"
            "K3","webpage","2001","","A Page","","","",""

            """)
        let facts = try RowFacts.of(path, [.title])
        #expect(facts.formatName == "zotero")
        #expect(facts.rows == [["A Book"]])
        #expect(facts.rejects == ["not_a_book", "not_a_book"])
        #expect(try RowFacts.people(path).first == "A Book: Ana Lee (author), Bo Ek (contributor)")
    }

    @Test func `BibTeX's abbreviations, months and TeX are read`() throws {
        let path = try files.write(
            #"""
            @string{knopf = "Alfred A. Knopf"}
            @STRING(small = {Small} # " Press")
            @book{a, title={A ``quoted'' {\LaTeX} title -- part~1}, author={Lee, Ana}, publisher=knopf, year=2001, month=jan, day=5}
            @book{b, title={B \& C\,: $x^2$}, author={Ek, Bo}, publisher = small, year = "1999"}

            """#, as: "a.bib")
        let facts = try RowFacts.of(path, [.title, .publisher, .yearPublished])
        #expect(
            facts.rows == [
                ["A “quoted” LaTeX title – part 1", "Alfred A. Knopf", "2001-01-05"],
                ["B & C : x^2", "Small Press", "1999"],
            ])
    }

    @Test func `several numbers of a record in RIS are those of one book`() throws {
        let path = try files.write(
            "TY  - BOOK\nTI  - A\nAU  - Lee, Ana\nSN  - 0306406152\nSN  - 9780306406157 (set)\nER  - \n"
                + "TY  - COMP\nTI  - B\nER  - \n", as: "a.ris")
        let facts = try RowFacts.of(path, [.isbn13])
        #expect(ISBNReader.read(facts.rows[0][0]).isbn?.isbn13 == "9780306406157")
        #expect(facts.rejects == ["not_a_book"])
    }

    @Test func `a list of identifiers has the ISBN`() throws {
        let path = try files.write(
            """
            title,authors,identifiers,rating,timestamp,uuid,tags,series,series_index,languages,pubdate,publisher
            That Book,Ana Lee,"goodreads:39077187,isbn:9780756411800",5,2021-01-19T22:41:16+01:00,u1,Fantasy,InCryptid,8.0,eng,2019-03-05T01:00:00+01:00,Daw

            """)
        #expect(try RowFacts.of(path, [.isbn13, .goodreadsBook]).rows == [["9780756411800", "39077187"]])
    }
}

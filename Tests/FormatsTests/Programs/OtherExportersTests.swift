import System
import Testing

@testable import Books
@testable import Formats

/// Exporters whose files are plain tables with their own vocabulary.
@Suite
struct OtherExportersTests {
    private let files: WrittenFiles

    init() throws { files = try WrittenFiles() }

    @Test func `calibre separates authors by ampersands and has fractional series numbers`() throws {
        let path = try files.write(
            """
            authors,author_sort,rating,library_name,timestamp,formats,isbn,identifiers,tags,series,series_index,\
            languages,title,title_sort,publisher,pubdate,id,uuid
            Ana Lee & Bo Ek,"Lee, Ana & Ek, Bo",4,mine,2021-01-19T22:41:16+01:00,epub,9780306406157,"amazon_de:B000FC1PWA, google:x:1,oclc:,goodreads:7,goodreads:8",a,Tides,8.0,eng,\
            Reef,Reef,Gull,2019-03-05T01:00:00+01:00,1,u-1
            Kim Ro,"Ro, Kim",,mine,2021-01-19T22:41:16+01:00,pdf,,,,,,deu,Tide,Tide,,0101-01-01T00:00:00+00:00,2,u-2

            """)
        let facts = try RowFacts.of(path, [.sourceID, .seriesNumber, .language, .yearPublished])
        #expect(facts.formatName == "calibre")
        #expect(facts.rows == [["u-1", "8", "en", "2019-03-05"], ["u-2", "", "de", ""]])
        #expect(try RowFacts.people(path).first == "Reef: Ana Lee (author), Bo Ek (contributor)")
        let identifiers = try RowFacts.of(path, [.goodreadsBook, .asin, .oclcNumber])
        #expect(identifiers.rows == [["7", "B000FC1PWA", ""], ["", "", ""]])
    }

    @Test func `BookWyrm's custom shelves are not reading statuses`() throws {
        let path = try files.write(
            """
            title,author_text,remote_id,openlibrary_key,inventaire_id,librarything_key,isbn_10,isbn_13,start_date,\
            finish_date,rating,review_cw,review_content,shelf,shelf_name,shelf_date
            Reef,"Ana Lee, Bo Ek",https://a/1,,,,,9780306406157,,2022-10-10,3.5,,,cooking-9,Cooking,2024-08-10
            Tide,Kim Ro,https://a/2,,,,,,,,,,,reading,Reading,2024-08-10

            """)
        let facts = try RowFacts.of(path, [.exclusiveShelf, .shelves, .rating])
        #expect(facts.formatName == "bookwyrm")
        #expect(facts.rows == [["", "Cooking", "3.5"], ["currently-reading", "", ""]])
    }

    @Test func `BookWyrm's status shelves give no tag, and a stopped reading ends when it was stopped`()
        throws
    {
        let path = try files.write(
            """
            title,author_text,remote_id,openlibrary_key,inventaire_id,librarything_key,start_date,finish_date,\
            stopped_date,rating,review_cw,review_content,shelf,shelf_name,shelf_date
            Reef,Ana Lee,https://a/1,,,,2022-01-02,,2022-02-03,,,,stopped-reading,Stopped Reading,2024-08-10
            Tide,Kim Ro,https://a/2,,,,,2021-02-03,,,,,read,Gelesen,2024-08-10
            Surf,Kim Ro,https://a/3,,,,,,,,,,to-read,Shelf of mine,2024-08-10

            """)
        let facts = try RowFacts.of(path, [.exclusiveShelf, .shelves, .dateRead])
        #expect(
            facts.rows == [
                ["did-not-finish", "", "2022-02-03"], ["read", "", "2021-02-03"],
                ["to-read", "Shelf of mine", ""],
            ])
    }

    @Test func `Openreads has all readings in one cell, tags separated by bars, and deleted books`() throws {
        let path = try files.write(
            """
            title,subtitle,author,description,status,favourite,deleted,rating,pages,publication_year,isbn,olid,tags,\
            my_review,notes,book_format,readings,date_added,date_modified
            Reef,,"Lee, Ana",,finished,true,false,4.5,347,2017,9780306406157,OL1M,a|||||b,,,paperback,\
            2023-10-27T00:00:00.000|2023-11-28T00:00:00.000|;|2022-01-02T00:00:00.000|,2024-03-01T13:01:12.938,x
            Tide,,Kim Ro,,planned,false,true,,,,,,,,,,,,x

            """)
        let facts = try RowFacts.of(path, [.exclusiveShelf, .dateStarted, .dateRead, .shelves])
        #expect(facts.formatName == "openreads")
        #expect(
            facts.rows == [["read", "2023-10-27", "2023-11-28T00:00:00.000", "a, b"]])
        #expect(facts.rejects == ["deleted_at_source"])
        #expect(try RowFacts.people(path) == ["Reef: Ana Lee (author)"])
    }

    @Test func `Book Catalogue escapes line ends and backslashes`() throws {
        let path = try files.write(
            #"""
            "_id","author_details","title","isbn","bookshelf_id","bookshelf","read","series_details","notes","anthology","read_start",
            "1","Talvik, Mira","Salt \\ Sea","","1","Default","1","","One\ntwo\r\nthree\tfour \x \","0","",

            """#)
        let facts = try RowFacts.of(path, [.title, .privateNotes])
        #expect(facts.formatName == "book-catalogue")
        #expect(facts.rows == [[#"Salt \ Sea"#, "One\ntwo\r\nthree\tfour \\x \\"]])
    }

    @Test func `places in a series have no number signs and halves are decimal`() throws {
        let titles = [
            "All (Foo, #1-#9)", "Two (Foo, #1, #2)", "Pair (Foo, #1 & #2)", "Half (Foo, #½)",
            "Late (Foo, #1½)",
            "Part (Foo, #2 part 1)", "Early (Foo, #.5)",
        ]
        let rows = titles.enumerated().map { GoodreadsFixture.row($0 + 1, title: $1) }
        let path = try files.write(
            GoodreadsFixture.header24 + "\n" + rows.joined(separator: "\n") + "\n", as: "g.csv")
        #expect(
            try RowFacts.series(path) == [
                "Foo#1-9", "Foo#1, 2", "Foo#1 & 2", "Foo#0.5", "Foo#1.5", "Foo#2 part 1", "Foo#.5",
            ])
    }

    @Test func `Book Catalogue's series have numbers in brackets, which may be behind a word`() throws {
        let header =
            "_id,author_details,title,isbn,bookshelf_id,bookshelf,read,series_details,notes,anthology,"
            + "read_start\n"
        let cells = [
            "Tides (3)|The Sea", "Tides(4)", "Foo (Bar) (2.5)", "Tides (book 5)", "Tides (Vol. 6)",
            "Tides (#7)",
            "Tides (Omnibus)", "Tides (.5)",
        ]
        let lines = cells.enumerated().map { #"\#($0),"Lee, Ana",T\#($0),,1,D,0,\#($1),,0,"# }
        let path = try files.write(header + lines.joined(separator: "\n") + "\n")
        #expect(
            try RowFacts.series(path) == [
                "Tides#3", "The Sea#", "Tides#4", "Foo (Bar)#2.5", "Tides#5", "Tides#6", "Tides#7",
                "Tides (Omnibus)#", "Tides#.5",
            ])
    }

    @Test func `BookBuddy's genre and category are both subjects`() throws {
        let header = "Title,Author,Status,Wish List,Up Next,Google VolumeID,"
        let both = try files.write(
            header + "Genre,Category\nReef,Ana Lee,Read,0,,g1,Reference,Travel\n"
                + "Tide,Ana Lee,Read,0,,g2,,Travel\nSand,Ana Lee,Read,0,,g3,\"Poetry, Essays\",Travel\n"
                + "Dune,Ana Lee,Read,0,,g4,Travel,Travel\n", as: "both.csv")
        let rows = try RowFacts.of(both, [.subjects]).rows
        #expect(
            rows == [
                ["Reference; Travel"], ["Travel"], ["Poetry;  Essays;  Travel"], ["Travel"],
            ])
        let alone = try files.write(
            header + "Category\nReef,Ana Lee,Read,0,,g1,Travel\n", as: "alone.csv")
        #expect(try RowFacts.of(alone, [.subjects]).rows == [["Travel"]])
    }

    @Test func `Libib's films, music and games are set aside`() throws {
        let path = try files.write(
            """
            item_type,title,creators,first_name,last_name,ean_isbn13,upc_isbn10,publisher,publish_date,tags,length,\
            number_of_discs,rating,status,began,completed,added,copies
            book,Reef,"Ana Lee, Bo Ek",Ana,Lee,9780306406157,,Gull,2019-03-05,a,120,,4.5,Completed,,2020-01-02,2019-01-02,1
            movie,Tide,,,,,,,,,,2,,,,,,1

            """)
        let facts = try RowFacts.of(path, [.exclusiveShelf, .rating, .pageCount])
        #expect(facts.formatName == "libib")
        #expect(facts.rows == [["read", "4.5", "120"]])
        #expect(facts.rejects == ["not_a_book"])
    }

    @Test func `Hardcover, BookBuddy and Inventaire are recognized by their columns`() throws {
        let hardcover = try files.write(
            "Title,Author,Series,Hardcover Book ID,Hardcover Edition ID,ISBN 10,ISBN 13,Status,Rating\n"
                + "Reef,Ana Lee,Tides,12,34,,9780306406157,Want to Read,4.5\n", as: "h.csv")
        let facts = try RowFacts.of(hardcover, [.sourceID, .exclusiveShelf, .rating])
        #expect(facts.formatName == "hardcover")
        #expect(facts.rows == [["12", "to-read", "4.5"]])

        let bookbuddy = try files.write(
            "Title,Original Title,Author,\"Author (Last, First)\",Original Year Published,Place of Publication,"
                + "Physical Location,Status,Loaned To,Google VolumeID,Wish List,Previously Owned,Up Next,ISBN\n"
                + "Reef,,Ana Lee,\"Lee, Ana\",1999,,,Unread,,g1,,,,9780306406157\n", as: "b.csv")
        let other = try RowFacts.of(bookbuddy, [.sourceID, .exclusiveShelf, .originalYear])
        #expect(other.formatName == "bookbuddy")
        #expect(other.rows == [["g1", "to-read", "1999"]])

        let inventaire = try files.write(
            "Item URL,Item created,Edition URL,Edition ISBN-13,Edition ISBN-10,Edition title,Works URLs,Authors labels\n"
                + "https://a/1,2020-01-02,https://a/2,978-0-306-40615-7,,Reef,https://a/3,\"Ana Lee,Bo Ek\"\n",
            as: "i.csv")
        #expect(try RowFacts.of(inventaire, []).formatName == "inventaire")
        #expect(try RowFacts.people(inventaire) == ["Reef: Ana Lee (author), Bo Ek (contributor)"])
    }

    @Test func `published layouts are recognized completely`() throws {
        let hardcover = try files.write(
            """
            Title,Author,Series,Status,Privacy,Hardcover Book ID,Hardcover Edition ID,ISBN 10,ISBN 13,ASIN,Media,\
            Country Code,Language Code,Binding,Pages,Duration in Seconds,Publish Date,Publisher,Genres,Moods,\
            Tags,Content Warnings,Lists,Date Added,Date Started,Date Finished,Rating,Review,\
            Review Contains Spoilers,Sponsored Review,Review Date,Review URL,Review Media URL,Private Notes,\
            Owned,Compilation,Review Slate
            Reef,"Bo Ek (Translator), Ana Lee","Tides (#1.0), The Sea (#2.5)",Stopped,Public,12,34,,9780306406157,,\
            Book,us,en,,120,,2007-06-01,Press,,,,,"Owned, Favorites (#19)",2025-01-15,,,1.5,,false,false,,,,,\
            true,No,{}

            """, as: "h.csv")
        let facts = try RowFacts.of(
            hardcover, [.sourceID, .exclusiveShelf, .rating, .language, .pageCount, .ownedCopies])
        #expect(facts.formatName == "hardcover")
        #expect(facts.rows == [["12", "did-not-finish", "1.5", "en", "120", "1"]])
        #expect(try RowFacts.people(hardcover) == ["Reef: Ana Lee (author), Bo Ek (translator)"])

        let bookbuddy = try files.write(
            """
            Uploaded Image URL,Author,"Author (Last, First)",Title,Subtitle,Genre,Rating,Loaned To,Date Loaned,\
            Borrowed From,Date Borrowed,Publisher,Status,Notes,Edition,Date Published,Length,Format,Dimensions,\
            Weight,ISBN,Physical Location,Date Added,Date Started,Date Finished,Purchase Date,Purchase Place,\
            Purchase Price,List Price,Google VolumeID,Favorites,Wish List,Category,Series,Volume,Quantity,\
            Summary,Tags
            ,Ana Lee,"Lee, Ana",Reef,,Reference,0,,,,,Press,Unread,,,,,,,,9780306406157,,2014/03/02,,,,,,,g1,\
            0,0,,,,,,
            ,Ana Lee,"Lee, Ana",Tide,,,0,Bo Ek,,,,Press,Read,,,,,,,,,Attic,,,,,,9.50,12,g2,0,1,,,,1,,

            """, as: "b.csv")
        let other = try RowFacts.of(bookbuddy, [.sourceID, .exclusiveShelf, .rating, .subjects])
        #expect(other.formatName == "bookbuddy")
        #expect(other.rows == [["g1", "to-read", "0", "Reference"], ["g2", "read", "0", ""]])
        let copies = try RowFacts.of(bookbuddy, [.location, .lentTo, .price, .ownedCopies])
        #expect(copies.rows == [["", "", "", ""], ["Attic", "Bo Ek", "9.50", "0"]], "a wish is not owned")

        let inventaire = try files.write(
            """
            Item URL,Item details,Item notes,Item visibility,Item transaction,Item created,Shelves,Edition URL,\
            Edition ISBN-13,Edition ISBN-10,Edition title,Edition subtitle,Edition publication date,\
            Edition cover,Edition number of pages,Edition language,Works URLs,Works labels,Original language,\
            Works Series ordinals,Authors URLs,Authors labels,Translators labels,Translators URLs,Series URLs,\
            Series labels,Genres URLs,Genres labels,Subjects URLs,Subjects labels,Publisher URLs,Publisher label
            https://a/1,,,private,inventorying,2025-12-05T06:10:16.091Z,,https://a/2,978-0-306-40615-7,,,,1999,,,\
            français,https://a/3,Reef,,,,Ana Lee,,,,,,,,,,Press

            """, as: "i.csv")
        let items = try RowFacts.of(inventaire, [.sourceID, .publisher, .yearPublished])
        #expect(items.formatName == "inventaire")
        #expect(items.rows == [["https://a/1", "Press", "1999"]])
        #expect(try RowFacts.people(inventaire) == ["Reef: Ana Lee (author)"])
    }

    @Test func `a format is found by its exporter's name, whatever its syntax`() throws {
        let path = try files.write(
            "{\"1\":{\"books_id\":\"1\",\"title\":\"Reef\",\"workcode\":\"7\",\"entrydate\":\"2020-01-02\"}}",
            as: "l.json")
        let facts = try RowFacts.of(path, []) { $0.format = "librarything" }
        #expect(facts.formatName == "librarything-json")
    }

    @Test func `an inspection explains why a file without a header was recognized`() throws {
        let path = try files.write("978-0-306-40615-7\n0306406152\n", as: "isbns.txt")
        let inspection = try Inspection(ReadSettings(files: [path]))
        #expect(inspection.formatName == "isbn-list")
        #expect(inspection.evidence?.contains("no header") == true)
    }

    @Test func `a reading log with keys only is recognized`() throws {
        let path = try files.write("Work Id,Edition Id,Bookshelf\nOL1W,OL2M,Currently Reading\n")
        let facts = try RowFacts.of(path, [.sourceID, .exclusiveShelf, .title])
        #expect(facts.formatName == "openlibrary")
        #expect(facts.rows == [["OL1W", "currently-reading", ""]])
    }

    @Test func `a list of ISBNs has no header and loses no line`() throws {
        let path = try files.write("978-0-306-40615-7\n0306406152\n\n123abc\n", as: "isbns.txt")
        let facts = try RowFacts.of(path, [.isbn13])
        #expect(facts.formatName == "isbn-list")
        #expect(facts.rows == [["978-0-306-40615-7"], ["0306406152"], ["123abc"]])
    }

    @Test func `words are not a list of ISBNs`() async throws {
        let path = try files.write("some\nwords\n0306406152\n", as: "words.txt")
        #expect(await failure(of: ReadSettings(files: [path]))?.kind == .unusableInput)
    }

    @Test func `a bookshop's feed is recognized without a header, and other products are set aside`() throws {
        var book = [String](repeating: "", count: 160)
        (book[0], book[1], book[3]) = ("USA00000001", "0306406152", "9780306406157")
        (book[6], book[10], book[11], book[20], book[21], book[22]) = (
            "TC", "Reef", "The", "20060531", "Lee, Ana", "TR"
        )
        (book[36], book[37], book[135]) = ("226", "ENG", "Gull")
        var shirt = book
        (shirt[6], shirt[10]) = ("TS", "A shirt")
        let path = try files.write(
            [book, shirt].map { $0.joined(separator: "|") + "\n" }.joined(), as: "feed.psv")
        let facts = try RowFacts.of(path, [.title, .language, .publisher])
        #expect(facts.formatName == "betterworldbooks")
        #expect(facts.rows == [["The Reef", "en", "Gull"]])
        #expect(facts.rejects == ["not_a_book"])
        #expect(try RowFacts.people(path) == ["The Reef: Ana Lee (translator)"])
    }
}

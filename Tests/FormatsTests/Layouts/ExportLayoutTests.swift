import Testing

@testable import Books
@testable import Formats

/// Output of layouts for an entry, and the fields that they note as lost.
@Suite struct ExportLayoutTests {
    /// An entry with a value in every field.
    static func fullEntry() -> LibraryEntry {
        var entry = LibraryEntry()
        for field in EntryField.allCases { entry[field] = field.rawValue }
        entry[.title] = "Räksmörgås {1} & \"2\""
        entry[.isbn] = "9780441478125"
        entry[.publishedDate] = "2000-07-01"
        entry[.firstPublicationYear] = "1969"
        (entry[.pageCount], entry[.language], entry[.originalLanguage]) = ("304", "fr", "en")
        (entry[.shelf], entry[.dateAdded], entry[.purchaseDate]) = ("read", "2024-01-02", "2023-12-24")
        (entry[.readCount], entry[.ownedCopies], entry[.spoiler]) = ("3", "2", "true")
        entry[.review] = "Line one\nLine two_%"
        entry.people = [
            .init(name: "Ursula K. Le Guin", role: .author), .init(name: "Plato", role: .contributor),
            .init(name: "Jean Bailhache", role: .translator), .init(name: "Ann Ek Jr.", role: .narrator),
        ]
        entry.series = [.init(name: "Hainish Cycle", number: "4"), .init(name: "SF Masterworks", number: "")]
        entry.format = .massMarket
        entry.subjects = ["Science fiction", "Gender"]
        entry.rating = 4.25
        entry.tags = ["To Re-Read!", "sf"]
        entry.readings = [
            ReadingDates(started: "", finished: "2019"),
            ReadingDates(started: "2024-02-01", finished: "2024-03"),
        ]
        return entry
    }

    /// The cells of the output by their column.
    private func cells(_ entry: LibraryEntry, _ layout: TableLayout) -> [String: String] {
        var losses = EntryLosses()
        return Dictionary(
            uniqueKeysWithValues: layout.columns.map {
                ($0.name, layout.cell($0, of: entry, losses: &losses))
            }
        ).filter { !$0.value.isEmpty }
    }

    private func losses(_ entry: LibraryEntry, _ layout: any ExportLayout) -> [String: String] {
        var losses = EntryLosses()
        layout.makeWriter().survey(entry, losses: &losses)
        return Dictionary(losses.list.map { ($0.field, $0.written) }) { "\($0)|\($1)" }
    }

    @Test func `Goodreads has whole stars, shelf names in lower case and one reading`() {
        let cells = cells(Self.fullEntry(), Goodreads.layout)
        #expect(cells["Title"] == "Räksmörgås {1} & \"2\" (Hainish Cycle, #4; SF Masterworks)")
        #expect(cells["Author l-f"] == "Le Guin, Ursula K.")
        #expect(cells["Additional Authors"] == "Plato, Jean Bailhache, Ann Ek Jr.")
        #expect(cells["ISBN"] == "=\"0441478123\"" && cells["ISBN13"] == "=\"9780441478125\"")
        #expect(cells["My Rating"] == "4" && cells["Binding"] == "Mass Market Paperback")
        #expect(cells["Year Published"] == "2000" && cells["Date Read"] == "2024/03")
        #expect(cells["Bookshelves"] == "to-re-read, sf" && cells["Exclusive Shelf"] == "read")
        #expect(cells["Original Purchase Date"] == "2023/12/24" && cells["Owned Copies"] == "2")
        let losses = losses(Self.fullEntry(), Goodreads.layout)
        #expect(losses["rating"] == "4" && losses["shelves"] == "to-re-read")
        #expect(losses["earlierReadings"] == "" && losses["dateStarted"] == "" && losses["language"] == "")
        #expect(losses["contributors"] == "Jean Bailhache|Ann Ek Jr." && losses["publishedDate"] == "2000")
        #expect(losses["title"] == nil && losses["review"] == nil && losses["notes"] == nil)
    }

    @Test func `StoryGraph has all readings and quarter stars, but no publisher`() {
        let cells = cells(Self.fullEntry(), StoryGraph.layout)
        #expect(cells["Authors"] == "Ursula K. Le Guin, Plato")
        #expect(cells["Contributors"] == "Jean Bailhache (Translator), Ann Ek Jr. (Narrator)")
        #expect(cells["Dates Read"] == "2019, 2024/02/01-2024/03" && cells["Last Date Read"] == "2024/03")
        #expect(cells["Star Rating"] == "4.25" && cells["Format"] == "paperback" && cells["Owned?"] == "Yes")
        let losses = losses(Self.fullEntry(), StoryGraph.layout)
        #expect(
            losses["publisher"] == "" && losses["ownedCopies"] == "Yes" && losses["format"] == "paperback")
        #expect(losses["rating"] == nil && losses["earlierReadings"] == nil && losses["contributors"] == nil)
    }

    @Test func `LibraryThing has half stars, roles and names of languages`() {
        let cells = cells(Self.fullEntry(), LibraryThing.layout)
        #expect(cells["Primary Author"] == "Le Guin, Ursula K.")
        #expect(cells["Secondary Author"] == "Plato|Bailhache, Jean|Ek Jr., Ann")
        #expect(cells["Secondary Author Roles"] == "|Translator|Narrator")
        #expect(cells["Rating"] == "4.5" && cells["Languages"] == "French")
        #expect(cells["Collections"] == "Your library" && cells["Date Read"] == "[2024-03]")
        #expect(cells["ISBN"] == "[0441478123]")
    }

    @Test(arguments: ["", "########"])
    func `LibraryThing has a collection for a book that was read on no known date`(date: String) {
        var entry = Self.fullEntry()
        entry.readings = [ReadingDates(started: "", finished: date)]
        #expect(cells(entry, LibraryThing.layout)["Collections"] == "Your library, Read")
        entry[.ownedCopies] = ""
        #expect(cells(entry, LibraryThing.layout)["Collections"] == "Read but unowned")
    }

    @Test func `LibraryThing's collections follow a date that was removed, and tags that were`() {
        var entry = Self.fullEntry()
        entry.formatName = "librarything"
        (entry.readings, entry.tags, entry[.ownedCopies]) = ([], ["fav", "Garden"], "")
        entry.cells["date read"] = .init(
            column: "Date Read", text: "[2019]", isMapped: true, isCurrent: false)
        entry.cells["tags"] = .init(column: "Tags", text: "fav", isMapped: true, isCurrent: true)
        entry.cells["collections"] = .init(
            column: "Collections", text: "Your library, Garden", isMapped: true, isCurrent: true)
        #expect(cells(entry, LibraryThing.layout)["Collections"] == "Read but unowned, Garden")
        #expect(cells(entry, LibraryThing.layout)["Tags"] == "fav")
        entry.cells["tags"]?.isCurrent = false
        entry.tags = ["new"]
        #expect(cells(entry, LibraryThing.layout)["Collections"] == "Read but unowned")
        #expect(cells(entry, LibraryThing.layout)["Tags"] == "new")
    }

    @Test func `BookWyrm has one shelf`() {
        var entry = Self.fullEntry()
        #expect(cells(entry, BookWyrm.layout)["shelf"] == "read")
        #expect(losses(entry, BookWyrm.layout)["shelves"] == "|")
        entry[.shelf] = ""
        #expect(cells(entry, BookWyrm.layout)["shelf"] == "to-re-read")
        #expect(cells(entry, BookWyrm.layout)["shelf_name"] == "To Re-Read!")
        entry[.shelf] = "did-not-finish"
        let stopped = cells(entry, BookWyrm.layout)
        #expect(stopped["stopped_date"] == "2024-03" && stopped["finish_date"] == nil)
    }

    @Test func `what is no date is not written as one`() {
        var entry = LibraryEntry()
        entry[.title] = "A"
        entry[.dateAdded] = "########"
        for layout in [Goodreads.layout, StoryGraph.layout, LibraryThing.layout, BookWyrm.layout] {
            #expect(losses(entry, layout)["dateAdded"] == "")
            #expect(!cells(entry, layout).values.contains { $0.contains("#") })
        }
    }

    @Test func `an entry of the same format gets its own cell back, unless its value has changed`() {
        var entry = LibraryEntry()
        entry.formatName = "goodreads"
        entry.rating = 3
        entry.cells["my rating"] = .init(column: "My Rating", text: "3.0", isMapped: true, isCurrent: true)
        #expect(cells(entry, Goodreads.layout)["My Rating"] == "3.0")
        entry.cells["my rating"]?.isCurrent = false
        #expect(cells(entry, Goodreads.layout)["My Rating"] == "3")
        entry.cells["moods"] = .init(column: "Moods", text: "dark", isMapped: false, isCurrent: true)
        #expect(losses(entry, Goodreads.layout)["Moods"] == "")
    }

    @Test(arguments: [
        ("Ursula K. Le Guin", "Le Guin, Ursula K."), ("Walter M. Miller Jr.", "Miller Jr., Walter M."),
        ("Plato", "Plato"), ("Simone de Beauvoir", "de Beauvoir, Simone"), ("", ""), ("Ann Ek", "Ek, Ann"),
        ("Smith, Ann", "Smith, Ann"), ("de Sade", "Sade, de"),
    ])
    func `names begin with the family name`(name: String, inverted: String) {
        #expect(LayoutText.inverted(name) == inverted)
    }
}

import Foundation
import System
import TestSupport
import Testing

@testable import Books
@testable import Database
@testable import Formats
@testable import Queries

/// The report of losses, against the result of importing the output.
@Suite struct LossReportTests {
    /// Layouts that a file goes to from its own. A reading log has only keys, by which books cannot be compared.
    static let targets = [
        "goodreads", "storygraph", "librarything", "bookwyrm", "openlibrary", "hardcover", "calibre",
        "inventaire", "openreads", "libib", "bibtex", "ris",
    ]

    /// An entry's fields, without those that say nothing about the user's book.
    private static func facts(_ entry: LibraryEntry) -> [EntryField: String] {
        var facts: [EntryField: String] = [:]
        for field in EntryField.allCases { facts[field] = entry.value(of: field) }
        return facts
    }

    private static func key(_ entry: LibraryEntry) -> String {
        "\(entry[.title].lowercased())|\(entry.people.first?.name ?? "")"
    }

    @Test(arguments: LayoutRoundTripTests.files.filter { $0.layout != "openlibrary" })
    func `the report names exactly what an import of the output does not find`(
        file: LayoutRoundTripTests.File
    ) async throws {
        let layouts = LibraryFormats.layouts.filter {
            $0.name != file.layout && Self.targets.contains($0.name)
        }
        #expect(layouts.count == Self.targets.count - 1)
        let (before, outputs) = try await LayoutTrip.importing(TestFiles.path(file.path)) { store in
            (try LayoutTrip.entries(store), try layouts.map { try LayoutTrip.written(store, $0).bytes })
        }
        for (layout, bytes) in zip(layouts, outputs) {
            let after = try await LayoutTrip.importing(bytes, as: "there.csv") { try LayoutTrip.entries($0) }
            Self.compare(before, after, layout)
        }
    }

    /// Statuses with and without dates, dates that are none, shelves and subjects of the user's own.
    static let oddities = """
        Title,Author,My Rating,Bookshelves,Exclusive Shelf,Date Read,Date Added,Owned Copies,Genres,My Review
        Emma,Jane Austen,5,"fav, garden",read,,2020/01/02,0,,
        Persuasion,Jane Austen,4,fav,read,,2020/01/02,1,,
        Sanditon,Jane Austen,3,,read,########,2020/01/02,0,,
        Sense,Jane Austen,5,,paused,,2020/01/02,0,,
        Pride,Jane Austen,5,,to-read,2019/01/02,2020/01/02,0,,
        North,Jane Austen,5,,My Shelf,2019/01/02,2020/01/02,0,,
        Mansfield,Jane Austen,5,,did-not-finish,2019/01/02,2020/01/02,0,"Satire; Fiction, general",
        Reading,Jane Austen,5,,currently-reading,,2020/01/02,0,,"Two
        lines, {braces} & \\signs_"

        """

    @Test(
        arguments: LibraryFormats.layouts.map(\.name).filter {
            !["openlibrary", "csl-json", "calibre-library"].contains($0)
        })
    func `statuses without dates, dates that are none, and shelves are reported exactly`(name: String)
        async throws
    {
        let layout = try #require(LibraryFormats.layouts.first { $0.name == name })
        let (before, bytes) = try await LayoutTrip.importing(Array(Self.oddities.utf8), as: "odd.csv") {
            (try LayoutTrip.entries($0), try LayoutTrip.written($0, layout).bytes)
        }
        let after = try await LayoutTrip.importing(bytes, as: "there.csv") { try LayoutTrip.entries($0) }
        Self.compare(before, after, layout)
    }

    private static func words(_ names: [String]) -> Set<String> {
        Set(names.flatMap { ShelfList.names(in: $0) })
    }

    /// An entry's tags in another program.
    private static func tags(of entry: LibraryEntry, in layout: any ExportLayout) -> Set<String> {
        guard layout is ReferenceLayout, !entry.areSubjectsDerived else { return words(entry.tags) }
        let known = Set(entry.tags.map { $0.lowercased() })
        return words(entry.tags + entry.subjects.filter { !known.contains($0.lowercased()) })
    }

    /// Compares entries with what another import found of them in a layout.
    static func compare(_ before: [LibraryEntry], _ after: [LibraryEntry], _ layout: any ExportLayout) {
        let found = Dictionary(grouping: after, by: key)
        let sent = Dictionary(grouping: before, by: key)
        let writer = layout.makeWriter()
        var compared = 0
        for entry in before {
            var losses = EntryLosses()
            writer.survey(entry, losses: &losses)
            let reported = Set(losses.list.map(\.field))
            // Books that the other program cannot tell apart become one.
            guard sent[key(entry)]?.count == 1, let again = found[key(entry)]?.first else {
                continue
            }
            compared += 1
            let (old, new) = (facts(entry), facts(again))
            // A date and a series that were not stated are no better than lost ones.
            for field in [EntryField.series, .dateAdded] where old[field] == nil && layout.isFolder {
                #expect(new[field] == nil, "\(layout.name), \(entry[.title]): \(field.rawValue)")
            }
            // Nor are tags that were not given.
            if reported.isDisjoint(with: [EntryField.shelf, .shelves, .categories].map(\.rawValue)) {
                #expect(
                    old[.shelves] != nil || new[.shelves] == nil,
                    "\(layout.name), \(entry[.title]): \(new[.shelves] ?? "")")
            }
            for field in EntryField.allCases where old[field] != nil {
                // A program without roles makes everybody an author.
                if field == .authors, reported.contains(EntryField.contributors.rawValue) { continue }
                // calibre sorts tags. Reference managers have keywords, and the report says which subjects become some.
                let isSame =
                    field == .shelves && (layout.isFolder || layout is ReferenceLayout)
                    ? tags(of: entry, in: layout) == words(again.tags) : old[field] == new[field]
                if isSame == reported.contains(field.rawValue) {
                    Issue.record(
                        "\(layout.name), \(entry[.title]): \(field.rawValue) `\(old[field] ?? "")` is now `\(new[field] ?? "")`, reported: \(reported.contains(field.rawValue))"
                    )
                }
            }
        }
        #expect(compared * 2 >= before.count)
    }

    @Test func `a second copy is lost where a program has one book of each edition`() async throws {
        let table = """
            Title,Author,ISBN,Location,Lent To,Price,Barcode
            Reef,Ana Lee,9780306406157,Office,,,K1
            Reef,Ana Lee,9780306406157,Home,Bo Ek,9.50,K2

            """
        let losses = try await LayoutTrip.importing(Array(table.utf8), as: "copies.csv") { store in
            try LibraryFormats.layouts.filter { !$0.isFolder }.map { layout in
                let report = try LayoutTrip.written(store, layout).report
                return (layout.name, report.fields.map { "\($0.name) \($0.lost)" })
            }
        }
        let lost = Dictionary(uniqueKeysWithValues: losses)
        for name in ["goodreads", "storygraph", "bookwyrm", "openlibrary", "hardcover"] {
            #expect(lost[name] == ["location 2", "lentTo 1", "price 1", "barcode 2", "copies 1"], "\(name)")
        }
        #expect(lost["librarything"] == ["location 2", "price 1"])
        #expect(lost["libib"] == ["location 2", "lentTo 1", "barcode 2"])
        for name in ["inventaire", "openreads", "bibtex", "calibre"] {
            #expect(lost[name]?.contains("copies 1") == false, "\(name)")
        }
    }

    @Test func `a book counts once in each field, and zeros are no values`() async throws {
        let table = """
            Title,Author,Bookshelves,My Rating,Average Rating,Number of Pages,Moods,Likes,Hidden,Signed
            Reef,Ana Lee,"one, two, three",4,0.00,0,calm,0,false,No
            Dune Sea,Bo Ek,"one tag, two",4,4.10,300,,2,true,

            """
        let (report, list) = try await LayoutTrip.importing(Array(table.utf8), as: "zeros.csv") { store in
            let list = ByteCollector()
            let layout = try #require(LibraryFormats.layouts.first { $0.name == "bookwyrm" })
            let report = try LayoutExport(store, layout).write(
                listing: { write throws(ETLError) in
                    try write { (piece) throws(ETLError) in list.take(piece) }
                }, to: { (_) throws(ETLError) in })
            return (report, list.text)
        }
        #expect(
            report.fields.map { "\($0.name) \($0.lost) \($0.changed)" } == [
                "pageCount 1 0", "averageRating 1 0", "shelves 2 0", "Hidden 1 0", "Likes 1 0", "Moods 1 0",
                "Signed 1 0",
            ])
        let shelves = report.fields.first { $0.name == "shelves" }
        #expect(shelves?.examples.map(\.value) == ["two, three", "two"])
        #expect(list.split(separator: "\n").count { $0.hasPrefix("shelves,") } == 3, "each tag is listed")
        // The first one is the shelf of a book without a status.
        #expect(!list.contains(",0,") && !list.contains("false"))
    }

    @Test func `a number that is no ISBN is reported`() async throws {
        let table =
            "Book Id,Title,Author,ISBN,ISBN13,My Rating,Exclusive Shelf,Date Added\n"
            + "1,Emma,Jane Austen,\"=\"\"\"\"\",978006105488,0,to-read,2020/01/02\n"
        let entries = try await LayoutTrip.importing(Array(table.utf8), as: "numbers.csv") {
            try LayoutTrip.entries($0)
        }
        func losses(_ layout: String) throws -> [EntryLoss] {
            var losses = EntryLosses()
            let writer = try #require(LibraryFormats.layouts.first { $0.name == layout }).makeWriter()
            writer.survey(try #require(entries.first), losses: &losses)
            return losses.list
        }
        #expect(try losses("storygraph") == [EntryLoss(field: "ISBN13", value: "978006105488", written: "")])
    }

    @Test func `columns that an export of ours adds for itself are no losses`() async throws {
        let table = try await LayoutTrip.importing(TestFiles.path("goodreads/etl_2024.csv")) { store in
            let collector = ByteCollector()
            _ = try Export(store).write(.books, as: .csv, guardsFormulas: true) {
                (piece) throws(ETLError) in
                collector.take(piece)
            }
            return collector.text.replacing("\n", with: ",mine\n")
        }
        let report = try await LayoutTrip.importing(Array(table.utf8), as: "books.csv") {
            try LayoutTrip.written($0, StoryGraph.layout).report
        }
        let fields = Set(EntryField.allCases.map(\.rawValue))
        // The column that its owner has added.
        #expect(report.fields.map(\.name).filter { !fields.contains($0) } == ["mine"])
    }
}

import Foundation

/// `generate-library`: writes a library export of any size, and the matching catalog dumps.
@main
enum GenerateLibrary {
    static let usage = """
        usage: generate-library --records N [OPTION…]

          --records N      rows to write, 1 to 100,000,000
          --seed S         another library of the same shape (default 1)
          --isbns PERCENT  rows with a valid ISBN, 0 to 98, or 100 (default 75); two more in a hundred have an ISBN with
                           a wrong check digit
          --distinct       no two rows are editions of one work (by default one in fifty is)
          --repeats PERCENT  the shelves of many users, one after the other: so many records are about a work that an
                           earlier record is about too, in one of up to four editions, some spelled otherwise
          --users N      number of users (default 1000)
          --exponent N     the popularity of works, in hundredths of the exponent of Zipf's law (default 100)
          --changed PERCENT  the same records, of which so many have other ratings, dates, shelves or reviews
          --out FILE       output file (default: standard output)
          --users-out DIR  one file for each user instead
          --catalog DIR    also write Open Library dumps with four fifths of the books
          --dumps DIR      no library, but Open Library's dumps with N editions, in their proportions
          --month N        the dumps or the catalog of a later month: in each month, one record in fifty changes

        """

    static func main() {
        do throws(GenerationFailure) {
            let options = try GenerationOptions(Array(CommandLine.arguments.dropFirst()))
            if let folder = options.dumpsFolder { return try writeDumps(options, to: folder) }
            try writeLibrary(options)
            if let folder = options.catalogFolder {
                try writeCatalog(options.library, ofMonth: options.month, to: folder)
            }
        } catch {
            // The usage helps after a mistyped command line, but not after a full disk.
            let hint = error.cause == .usage ? usage : ""
            FileHandle.standardError.write(Data("generate-library: \(error.sentence)\n\(hint)".utf8))
            exit(error.cause.rawValue)
        }
    }

    private static func writeDumps(_ options: GenerationOptions, to folder: String) throws(GenerationFailure)
    {
        try createFolder(folder)
        try OpenLibraryDumps(
            editions: options.library.records, seed: options.library.seed, month: options.month
        ).write(to: folder)
    }

    private static func writeLibrary(_ options: GenerationOptions) throws(GenerationFailure) {
        var row = GoodreadsRow(seed: options.library.seed, changedPercent: options.changedPercent)
        if let folder = options.usersFolder { return try writeUsers(options.library, &row, to: folder) }
        var file = try OutputFile(options.output)
        try file.write { $0.append(GoodreadsRow.header) }
        if let repeats = options.library.repeats {
            var shelves = UserShelves(options.library, repeats)
            while let (_, book) = shelves.next() {
                try file.write { row.append(book, to: &$0) }
            }
        } else {
            for number in 0..<options.library.records {
                let book = options.library.book(number)
                try file.write { row.append(book, to: &$0) }
            }
        }
        try file.flush()
    }

    private static func writeUsers(
        _ library: GeneratedLibrary, _ row: inout GoodreadsRow, to folder: String
    ) throws(GenerationFailure) {
        guard let repeats = library.repeats else { return }
        try createFolder(folder)
        var last = -1
        var file = try OutputFile(nil)
        var shelves = UserShelves(library, repeats)
        while let (user, book) = shelves.next() {
            if user != last {
                try file.flush()
                let digits = String(user + 1)
                let name = String(repeating: "0", count: max(0, 7 - digits.utf8.count)) + digits
                file = try OutputFile("\(folder)/user-\(name).csv")
                try file.write { $0.append(GoodreadsRow.header) }
                last = user
            }
            try file.write { row.append(book, to: &$0) }
        }
        try file.flush()
    }

    private static func createFolder(_ folder: String) throws(GenerationFailure) {
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw GenerationFailure(.cannotCreate, "The folder \(folder) cannot be created.")
        }
    }

    private static func writeCatalog(
        _ library: GeneratedLibrary, ofMonth month: Int, to folder: String
    ) throws(GenerationFailure) {
        try createFolder(folder)
        var editions = try OutputFile("\(folder)/ol_dump_editions.txt")
        var works = try OutputFile("\(folder)/ol_dump_works.txt")
        func write(_ book: GeneratedBook, isFirst: Bool) throws(GenerationFailure) {
            guard book.isCatalogued else { return }
            var version = DumpLines.Version()
            var draws = DumpLines.Version.draws(of: book.number, seed: library.seed)
            version.age(to: month, &draws)
            if book.isbn == .valid {
                try editions.write { DumpLines.appendEdition(book, version, to: &$0) }
            }
            if isFirst { try works.write { DumpLines.appendWork(book, to: &$0) } }
        }
        if let repeats = library.repeats {
            var shelves = UserShelves(library, repeats)
            while shelves.next() != nil {}
            for work in 0..<shelves.works {
                for edition in 0..<library.editions(ofWork: work) {
                    try write(library.book(edition: edition, ofWork: work), isFirst: edition == 0)
                }
            }
        } else {
            for number in 0..<library.records {
                let book = library.book(number)
                try write(book, isFirst: book.work == number)
            }
        }
        try editions.flush()
        try works.flush()
        var authors = try OutputFile("\(folder)/ol_dump_authors.txt")
        for author in 0..<library.authorCount {
            try authors.write { DumpLines.appendAuthor(author, to: &$0) }
        }
        try authors.flush()
    }
}

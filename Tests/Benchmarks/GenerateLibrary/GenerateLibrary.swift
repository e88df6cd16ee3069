import Foundation

/// `generate-library`: writes a library export of any size, and the matching catalog dumps.
@main
enum GenerateLibrary {
    static let usage = """
        usage: generate-library --records N [--seed S] [--isbns PERCENT] [--distinct] [--out FILE] [--catalog DIR]

          --records N      rows to write, 1 to 100,000,000
          --seed S         another library of the same shape (default 1)
          --isbns PERCENT  rows with a valid ISBN, 0 to 98, or 100 (default 75); two more in a hundred have an ISBN with
                           a wrong check digit
          --distinct       no two rows are editions of one work (by default one in fifty is)
          --out FILE       output file (default: standard output)
          --catalog DIR    also write Open Library dumps with four fifths of the books

        """

    static func main() {
        do throws(GenerationFailure) {
            let order = try GenerationOrder(Array(CommandLine.arguments.dropFirst()))
            try writeLibrary(order)
            if let folder = order.catalogFolder { try writeCatalog(order.library, to: folder) }
        } catch {
            // The usage helps after a mistyped command line, but not after a full disk.
            let hint = error.cause == .usage ? usage : ""
            FileHandle.standardError.write(Data("generate-library: \(error.sentence)\n\(hint)".utf8))
            exit(error.cause.rawValue)
        }
    }

    private static func writeLibrary(_ order: GenerationOrder) throws(GenerationFailure) {
        var file = try OutputFile(order.output)
        var row = GoodreadsRow(seed: order.library.seed)
        try file.write { $0.append(GoodreadsRow.header) }
        for number in 0..<order.library.records {
            let book = order.library.book(number)
            try file.write { row.append(book, to: &$0) }
        }
        try file.flush()
    }

    private static func writeCatalog(_ library: GeneratedLibrary, to folder: String) throws(GenerationFailure)
    {
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw GenerationFailure(.cannotCreate, "The folder \(folder) cannot be created.")
        }
        var editions = try OutputFile("\(folder)/ol_dump_editions.txt")
        var works = try OutputFile("\(folder)/ol_dump_works.txt")
        for number in 0..<library.records {
            let book = library.book(number)
            guard book.isCatalogued else { continue }
            if book.isbn == .valid { try editions.write { DumpLines.appendEdition(book, to: &$0) } }
            if book.work == number { try works.write { DumpLines.appendWork(book, to: &$0) } }
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

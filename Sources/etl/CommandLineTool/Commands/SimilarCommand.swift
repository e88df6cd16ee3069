import Contract
import Pipeline
import Queries
import System

/// `etl similar`: lists books that are similar to one.
enum SimilarCommand: Command {
    static let limit = Option(
        Setting<Int>.integer(
            "limit", default: 10, in: 1...SimilarBooks.mostBooks, "Maximum number of books"), "N")

    static let spec = CommandSpec(
        "similar", summary: "List books that are similar to one of the store",
        details: [
            "Compares the vectors that `etl embed` has computed, and then genres and authors. Other editions, parts and "
                + "translations of the book itself are left out. The last column says what the books have in common. "
                + "Vectors of books that are new or have changed are computed first."
        ],
        arguments: [ExplainCommand.what.spec],
        options: [limit.spec, ExportCommand.library.spec, StoreOptions.db.spec, StoreOptions.json.spec],
        examples: [
            .init("etl similar 9780441172719", "List ten books that are similar to a book"),
            .init("etl similar --limit 30 'the hobbit'", "List thirty, for a book by its title"),
            .init("etl similar --json dune | jq -r '.similar[].book.title'", "Print their titles"),
        ])

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let answer: SimilarBooks.Answer
        await EmbeddingSetup.update(DefaultPaths.store(arguments), console)
        do throws(ETLError) {
            answer = try SimilarBooks(DefaultPaths.store(arguments)).find(
                BookReference(arguments[ExplainCommand.what]), in: arguments[ExportCommand.library],
                atMost: arguments[limit])
        } catch {
            throw CommandFailure(error)
        }
        for remark in answer.remarks { console.note(UserText(remark)) }
        guard !arguments[StoreOptions.json] else {
            try console.writeJSON { answer.write(into: &$0) }
            return .completed
        }
        guard !answer.books.isEmpty else {
            console.note("No similar books found.")
            return .completed
        }
        var table = Table(
            .init("title", wraps: true), .init("author", wraps: true), .init("year"),
            .init("key", isNeverCut: true),
            .init("similarity", .right), .init("in common", wraps: true))
        for similar in answer.books {
            table.add(
                similar.book.work.title, similar.book.authors.map(\.name).joined(separator: ", "),
                similar.book.work.firstPublicationYear.map(String.init) ?? similar.book.edition?
                    .publicationDate ?? "",
                similar.book.work.id, "\(Int((similar.similarity * 100).rounded()))",
                similar.shared.sentence + (similar.isInLibrary ? "" : "; in no library"))
        }
        try console.write(table)
        return .completed
    }
}

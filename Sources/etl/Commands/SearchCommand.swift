import Application
import Books
import Foundation
import Pipeline
import Syntax

/// `etl search`: searches the results store and offline catalogs.
enum SearchCommand: Command {
    static let isbn = Argument.one("ISBN", "an ISBN, spelt in any way")
    static let words = Argument.many("WORD", atLeast: 1, "words, in any order and spelling")
    static let title = Option(Setting<String?>.text("title", "words of the title"), "WORDS")
    static let author = Option(Setting<String?>.text("author", "words of an author's name"), "WORDS")

    private static let shared = [RunOptions.catalog.spec, StoreOptions.db.spec, StoreOptions.json.spec]

    static let byISBN = CommandSpec(
        "search", "isbn", summary: "find a book by its ISBN", arguments: [isbn.spec], options: shared,
        examples: [
            .init("etl search isbn 0-441-17271-7", "in the store and the catalogs of $ETL_CATALOG"),
            .init("etl search isbn --catalog catalog.sqlite 9780441172719", "in a catalog too"),
            .init("etl search isbn --json 9780441172719", "the contract's envelope"),
        ])
    static let byTitle = CommandSpec(
        "search", "title", summary: "find books by words of their title", arguments: [words.spec],
        options: shared,
        examples: [
            .init("etl search title gatsbi fitzgerald", "a typing mistake is forgiven, an author helps"),
            .init("etl search title 'Dune (Dune, #1)'", "as an export spells it, with its series"),
            .init("etl search title --json dune", "the contract's envelope"),
        ])
    static let byAuthor = CommandSpec(
        "search", "author", summary: "find books by words of an author's name", arguments: [words.spec],
        options: shared,
        examples: [
            .init("etl search author jrr tolkien", "J. R. R. Tolkien is meant"),
            .init("etl search author --catalog catalog.sqlite garcia marquez", "García Márquez is meant"),
            .init("etl search author --json le guin", "the contract's envelope"),
        ])
    static let advanced = CommandSpec(
        "search", "advanced", summary: "find books by title, author or both",
        options: [title.spec, author.spec] + shared,
        examples: [
            .init("etl search advanced --title gatsby --author fitzgerald", "words of both"),
            .init("etl search advanced --author guin", "words of one"),
            .init("etl search advanced --json --title 1984 --author orwell", "the contract's envelope"),
        ])

    static let spec = CommandSpec(
        "search", summary: "search the store and the catalogs",
        details: [
            "At most 20 books, the best first: whole titles before parts of them, works of many editions before "
                + "works of few. A title may lack the article before it, and may have a series in brackets or a "
                + "subtitle that the book has not. A book of the store is found by the titles of its editions and "
                + "in your own rows as well, which stand in brackets.",
            "A word of four letters or more may have one letter missing, too many, wrong or exchanged with its "
                + "neighbour, a word of three two neighbours exchanged. A word that nobody knows is completed from "
                + "its first three letters, in Chinese, Japanese and Korean from the first. Initials may stand "
                + "together or apart: jrr is J. R. R.",
            "What nobody knows is passed over beside more words that are known, and at three letters or fewer "
                + "beside a single one. A letter, two, or a number of two figures is passed over as well where "
                + "nothing has it beside the others.",
            "The first search of a store makes an index beside it (library.sqlite.search); later ones bring it up "
                + "to date. A catalog brings its own.",
        ],
        examples: [
            .init("etl search isbn 9780441172719", "one book"),
            .init("etl search title the hobbit", "by title"),
            .init("etl search advanced --title gatsby --author fitzgerald", "by both"),
        ],
        subcommands: [byISBN, byTitle, byAuthor, advanced])

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let clock = SystemClock()
        let began = clock.nanoseconds()
        let question: SearchQuery
        switch Self.question(arguments) {
        case .success(let asked): question = asked
        case .failure(let refusal):
            if arguments[StoreOptions.json] { try console.write(refusal) }
            throw CommandFailure(.usage, refusal.message, advice: UserText(advice(arguments)))
        }
        let books: [FoundBook]
        var place = (option: "db", path: DefaultPaths.store(arguments))
        do throws(StageFailure) {
            books = try await find(question, arguments, &place)
        } catch {
            let failure = CommandFailure(error)
            if arguments[StoreOptions.json] {
                try console.write(failure.refusal(of: place.option, value: place.path))
            }
            throw failure
        }
        guard arguments[StoreOptions.json] else { return try show(books, console) }
        let response = BookSearchResponse(books)
        let metadata = ResponseMetadata(
            timestamp: clock.epochMilliseconds(),
            processingTime: Int64((clock.nanoseconds() - began) / 1_000_000),
            provider: response.mainProvider, isCached: false)
        var json = JSONWriter()
        Envelope.success(response, metadata, into: &json)
        try console.write(json.bytes + [UInt8(ascii: "\n")])
        return .completed
    }

    /// What to do about a question that cannot be asked.
    private static func advice(_ arguments: ParsedArguments) -> String {
        guard arguments.command.last == "isbn", let right = ISBNCheckDigit.corrected(arguments[isbn]) else {
            return "See `etl search --help`."
        }
        return
            "Its last digit does not agree with the others; with them it would be \(right). Compare it with the book."
    }

    /// What the command line asks for, or why it cannot be asked.
    private static func question(_ arguments: ParsedArguments) -> Result<SearchQuery, ResponseError> {
        let question: SearchQuery
        switch arguments.command.last {
        case "isbn":
            let text = arguments[isbn]
            guard let number = ISBNReader.read(text).isbn else { return .failure(.invalidISBN(text)) }
            question = .isbn(number)
        case "title": question = .title(arguments[words].joined(separator: " "))
        case "author": question = .author(arguments[words].joined(separator: " "))
        default: question = .advanced(title: arguments[title] ?? "", author: arguments[author] ?? "")
        }
        return question.refusal.map { .failure($0) } ?? .success(question)
    }

    /// - Parameter place: The option and the file that are concerned where it fails.
    private static func find(
        _ question: SearchQuery, _ arguments: ParsedArguments,
        _ place: inout (option: String, path: String)
    ) async throws(StageFailure) -> [FoundBook] {
        let store = DefaultPaths.store(arguments)
        var catalogs: [Catalog] = []
        for path in DefaultPaths.catalogs(arguments[RunOptions.catalog]) {
            place = ("catalog", path)
            catalogs.append(try Catalog(path))
        }
        place = ("db", store)
        // A store that nobody named need not be there: a catalog can be searched before anything is imported.
        let isNamed = arguments[StoreOptions.db] != nil || catalogs.isEmpty
        let isThere = isNamed || access(store, F_OK) == 0
        return try await BookSearch(store: isThere ? store : nil, catalogs: catalogs).find(question)
    }

    private static func show(_ books: [FoundBook], _ console: Console) throws(CommandFailure) -> ExitStatus {
        guard !books.isEmpty else {
            console.note("Nothing was found.")
            return .completed
        }
        var table = Table(
            .init("title"), .init("author"), .init("year"), .init("ISBN"), .init("key"), .init("in"))
        for book in books {
            table.add(
                title(of: book), book.authors.map(\.name).joined(separator: ", "),
                book.work.firstPublicationYear.map(String.init) ?? book.edition?.publicationDate ?? "",
                book.edition?.isbn ?? "", book.work.id, book.isInStore ? "store" : "catalog")
        }
        try console.write(table)
        return .completed
    }

    /// The work's title, and behind it the one that it was found by.
    private static func title(of book: FoundBook) -> String {
        guard let other = book.foundTitle else { return book.work.title }
        return "\(book.work.title) (\(other))"
    }
}

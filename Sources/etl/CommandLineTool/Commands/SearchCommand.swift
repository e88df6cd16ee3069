import Books
import Contract
import FoundationEssentials
import Glibc
import Jobs
import Pipeline
import Queries
import Sources
import Syntax
import System

/// `etl search`: searches the store and offline catalogs.
enum SearchCommand: Command {
    static let isbn = Argument.one("ISBN", "ISBN, with or without hyphens")
    static let words = Argument.many("WORD", atLeast: 1, "Words in any order")
    static let title = Option(Setting<String?>.text("title", "Words of the title"), "WORDS")
    static let author = Option(Setting<String?>.text("author", "Words of an author's name"), "WORDS")

    static let catalog = Option.repeated(
        "catalog", "PATH", "Offline catalog to search", defaultText: "$ETL_CATALOG")

    static let semantic = Option.flag(
        "semantic", "Search the store by meaning as well, with the vectors of `etl embed`")

    private static let shared = [catalog.spec, StoreOptions.db.spec, StoreOptions.json.spec]

    static let byISBN = CommandSpec(
        "search", "isbn", summary: "Find a book by its ISBN", arguments: [isbn.spec], options: shared,
        examples: [
            .init("etl search isbn 0-441-17271-7", "Search the store and the catalogs in $ETL_CATALOG"),
            .init(
                "etl search isbn --catalog catalog.sqlite 9780441172719", "Search the store and this catalog"),
            .init("etl search isbn --json 9780441172719", "Print JSON"),
        ], isPaged: true)
    static let byTitle = CommandSpec(
        "search", "title", summary: "Find books by words of their title", arguments: [words.spec],
        options: [semantic.spec] + shared,
        examples: [
            .init("etl search title gatsbi fitzgerald", "Search with a typo and an author's name"),
            .init("etl search title --json dune", "Print JSON"),
            .init(
                "etl search --semantic 'a quiet book about grief in Japan'", "Search by meaning, too"),
        ], isPaged: true)
    static let byAuthor = CommandSpec(
        "search", "author", summary: "Find books by words of an author's name", arguments: [words.spec],
        options: shared,
        examples: [
            .init("etl search author jrr tolkien", "Find books by J. R. R. Tolkien"),
            .init(
                "etl search author --catalog catalog.sqlite garcia marquez", "Find books by García Márquez"),
            .init("etl search author --json le guin", "Print JSON"),
        ], isPaged: true)
    static let advanced = CommandSpec(
        "search", "advanced", summary: "Find books by title, author or both",
        options: [title.spec, author.spec] + shared,
        examples: [
            .init("etl search advanced --title gatsby --author fitzgerald", "Search by title and author"),
            .init("etl search advanced --author guin", "Search by author only"),
            .init("etl search advanced --json --title 1984 --author orwell", "Print JSON"),
        ], isPaged: true)

    static let spec = CommandSpec(
        "search", summary: "Search the store and offline catalogs",
        details: [
            "Shows up to 20 books, the best first: whole titles before parts of titles, works with many editions "
                + "before works with few. You can leave out or add articles, subtitles, and a series in brackets. A "
                + "book in the store is also found by the titles of its editions and by the title in your file. The "
                + "matching title is shown in brackets.",
            "A word of four or more letters may have one mistake: a letter missing, extra, wrong, or swapped with its "
                + "neighbor. In a word of three letters two neighbors may be swapped. Initials may be joined: jrr "
                + "finds J. R. R.",
            "A word is known if the index has it. An unknown word also matches words that begin with its first three "
                + "letters (in Chinese, Japanese and Korean: its first character). Unknown words are ignored if they "
                + "are fewer than the known words. An unknown word of up to three letters is ignored if one other "
                + "word is known. A word of one or two letters, or a number of two digits, is also ignored if no book "
                + "has it together with the other words.",
            "The first search creates an index next to the store (library.sqlite.search). Later searches update it. "
                + "A catalog contains its own index.",
        ],
        examples: [
            .init("etl search isbn 9780441172719", "Search by ISBN"),
            .init("etl search title the hobbit", "Search by title"),
            .init("etl search advanced --title gatsby --author fitzgerald", "Search by title and author"),
        ],
        subcommands: [byISBN, byTitle, byAuthor, advanced], shorthand: { words in shorthand(words) })

    /// Words without a subcommand are an ISBN or a title, unless the first one is a misspelled subcommand.
    private static func shorthand(_ words: [String]) -> String? {
        guard let first = words.first else { return nil }
        let nearest = Spelling.nearest(to: first, among: ["isbn", "title", "author", "advanced"])
        if let nearest, nearest != first, words.count > 1, first.utf8.count >= 4, nearest.first == first.first
        {
            return nil
        }
        return words.count == 1 && ISBNReader.read(first).isbn != nil ? "isbn" : "title"
    }

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let clock = SystemClock()
        let began = clock.nanoseconds()
        let query: SearchQuery
        switch Self.query(arguments) {
        case .success(let asked): query = asked
        case .failure(let refusal):
            if arguments[StoreOptions.json] { try console.write(refusal) }
            throw CommandFailure(.usage, message(refusal, arguments), advice: UserText(advice(arguments)))
        }
        let books: [FoundBook]
        var place = (option: "db", path: DefaultPaths.store(arguments))
        do throws(ETLError) {
            if arguments.command.last == "title", arguments[semantic] {
                guard arguments[catalog].isEmpty else {
                    throw ETLError(
                        .usage, "Catalogs have no vectors, so --semantic searches the store only.",
                        advice: "Leave out --catalog.")
                }
                await EmbeddingSetup.update(place.path, console)
                books = try await find(meaning: query.title, arguments)
            } else {
                books = try await find(query, arguments, &place)
            }
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
        try console.writeJSON { Envelope.success(response, metadata, into: &$0) }
        return .completed
    }

    /// The problem with a query. The contract's sentence about ISBNs does not name the ISBN.
    private static func message(_ refusal: ResponseError, _ arguments: ParsedArguments) -> String {
        arguments.command.last == "isbn"
            ? "`\(arguments[isbn])` is not a valid ISBN-10 or ISBN-13." : refusal.message
    }

    /// Advice for an invalid query.
    private static func advice(_ arguments: ParsedArguments) -> String {
        guard arguments.command.last == "isbn" else {
            return "`etl \(arguments.command.joined(separator: " ")) --help` shows examples."
        }
        guard let right = ISBNCheckDigit.corrected(arguments[isbn]) else {
            return "`etl isbn check \(ShellWord.of(arguments[isbn]))` shows what is wrong."
        }
        return
            "The last digit does not fit the others. With the right check digit, the ISBN is \(right). Compare it with the ISBN on the book."
    }

    /// The query of the command line, or why it is invalid.
    private static func query(_ arguments: ParsedArguments) -> Result<SearchQuery, ResponseError> {
        let query: SearchQuery
        switch arguments.command.last {
        case "isbn":
            let text = arguments[isbn]
            guard let number = ISBNReader.read(text).isbn else { return .failure(.invalidISBN(text)) }
            query = .isbn(number)
        case "title": query = .title(arguments[words].joined(separator: " "))
        case "author": query = .author(arguments[words].joined(separator: " "))
        default: query = .advanced(title: arguments[title] ?? "", author: arguments[author] ?? "")
        }
        return query.refusal.map { .failure($0) } ?? .success(query)
    }

    /// Searches the store by words and by meaning.
    private static func find(
        meaning text: String, _ arguments: ParsedArguments
    ) async throws(ETLError) -> [FoundBook] {
        let store = DefaultPaths.store(arguments)
        let embedder = try EmbeddingSetup.queryEmbedder(store)
        let vector: Result<QueryVector, ETLError>
        do throws(ETLError) {
            vector = .success(try await embedder.vector(of: text))
        } catch {
            vector = .failure(error)
        }
        await embedder.close()
        return try await BookSearch(store: store, catalogs: []).find(.meaning(text, vector.get()))
    }

    /// - Parameter place: Set to the option and file in use, for the error message.
    private static func find(
        _ query: SearchQuery, _ arguments: ParsedArguments,
        _ place: inout (option: String, path: String)
    ) async throws(ETLError) -> [FoundBook] {
        let store = DefaultPaths.store(arguments)
        var catalogs: [Catalog] = []
        for path in DefaultPaths.catalogs(arguments[catalog]) {
            place = ("catalog", path)
            catalogs.append(try Catalog(path))
        }
        place = ("db", store)
        // The default store may be missing: a catalog can be searched before anything is imported.
        let isNamed = arguments[StoreOptions.db] != nil || catalogs.isEmpty
        let isThere = isNamed || FileSystem.access(store, F_OK) == 0
        return try await BookSearch(store: isThere ? store : nil, catalogs: catalogs).find(query)
    }

    private static func show(_ books: [FoundBook], _ console: Console) throws(CommandFailure) -> ExitStatus {
        guard !books.isEmpty else {
            console.note("No books found.")
            return .completed
        }
        var table = Table(
            .init("title", wraps: true), .init("author", wraps: true), .init("year"),
            .init("ISBN", isNeverCut: true),
            .init("key", isNeverCut: true), .init("where", isNeverCut: true))
        for book in books {
            table.add(
                title(of: book), book.authors.map(\.name).joined(separator: ", "),
                book.work.firstPublicationYear.map(String.init) ?? book.edition?.publicationDate ?? "",
                book.edition?.isbn ?? "", book.work.id, book.isInStore ? "store" : "catalog")
        }
        try console.write(listing: table)
        return .completed
    }

    /// The title, followed in brackets by the original one, and by the one that the book was found by.
    private static func title(of book: FoundBook) -> String {
        let others = [book.work.originalTitle, book.foundTitle].compactMap(\.self)
        let more = others.enumerated().filter { $1 != book.work.title && !others[..<$0].contains($1) }
        return more.isEmpty
            ? book.work.title : "\(book.work.title) (\(more.map(\.element).joined(separator: "; ")))"
    }
}

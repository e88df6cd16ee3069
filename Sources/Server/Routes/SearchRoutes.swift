import Books
import Contract
import Queries
import System

/// Searching store and catalogs.
enum SearchRoutes {
    /// Maximum number of books of an answer.
    private static let mostBooks = 20

    static let all: [Route] = [
        route(
            "/v1/search/isbn",
            Operation(
                "searchByISBN",
                "Find a book by its ISBN. For clients of version 3, `data` is one flat book, and 404 if there is none.",
                .json(.success(.either([.reference("SearchResponse"), .reference("Book")])))
            )
            .taking(
                .query("isbn", .text(.isbn), isRequired: true, "10 or 13 digits; hyphens are allowed."),
                .header("X-API-Version", .string, "3 for one flat book."),
                .header("X-Client-Version", .string, "ios-v and a version, for one flat book too.")
            ).failing(404)
        ) { call in
            let text = call.parameter("isbn") ?? ""
            guard let isbn = ISBNReader.read(text).isbn else { return .failure(.invalidISBN(text)) }
            return .success(search(isbn, APIVersion(of: call.head) == .three ? .book : .full))
        },
        route("/v1/search/title", byWords("searchByTitle", "Find books by words of their title.")) { call in
            let text = call.parameter("q") ?? ""
            return search(.title(text), .title, text, named: "q", call)
        },
        route("/v1/search/author", byWords("searchByAuthor", "Find books by words of an author's name.")) {
            call in
            let text = call.parameter("q") ?? ""
            return search(.author(text), .author, text, named: "q", call)
        },
        route(
            "/v1/search/advanced",
            Operation(
                "searchByTitleAndAuthor", "Find books by title, author or both, or by ISBN.",
                .json(.success(.reference("SearchResponse")))
            )
            .taking(
                // At least one of two is more than two parameters can say. As the fields of an object they still are
                // parameters of their own.
                .query(
                    "terms", terms, isRequired: true, isChecked: false,
                    "Words of the title, the name, or both; or an ISBN."),
                limit)
        ) { call in
            if let text = call.parameter("isbn"), !text.isEmpty {
                return ISBNReader.read(text).isbn.map { .success(search($0, .full)) }
                    ?? .failure(.invalidISBN(text))
            }
            let (title, author) = (call.parameter("title") ?? "", call.parameter("author") ?? "")
            return search(.advanced(title: title, author: author), .advanced, "\(title)\n\(author)", call)
        },
        Route(
            .get, "/v1/search/similar",
            Operation(
                "searchSimilar", "Find books of the library that are similar to the one with an ISBN.",
                .json(.success(.reference("SearchResponse")))
            ).taking(
                .query("isbn", .text(.isbn), isRequired: true, "10 or 13 digits; hyphens are allowed."), limit
            ).withTag().failing(400),
            limit: .similar, scope: .search
        ) { call, backend in
            let text = call.parameter("isbn") ?? ""
            guard let isbn = ISBNReader.read(text).isbn else {
                return answer(.failure(.invalidISBN(text)), call, backend)
            }
            let limit = Self.limit(of: call)
            return answer(
                .success(
                    Search(
                        query: .similar(isbn),
                        key: .init(kind: .similar, text: isbn.isbn13, limit: limit, shape: .full))),
                call, backend)
        },
        Route(
            .get, "/api/v2/search",
            Operation(
                "searchBooks", "Find books by words of their title, or by what they are about.",
                .json(.success(.reference("Books")))
            )
            .taking(
                .query("q", .text(.words), isRequired: true, "Words of the title, or a question."),
                .query(
                    "mode", .names(["text", "semantic"]), isChecked: false,
                    "The way of searching; `semantic` needs vectors."),
                limit
            ).withTag(),
            limit: .search, scope: .search
        ) { call, backend in
            switch call.parameter("mode") ?? "text" {
            case "text":
                let text = call.parameter("q") ?? ""
                return answer(
                    search(.title(text), .title, text, named: "q", shape: .books, call), call, backend)
            case "semantic":
                let text = call.parameter("q") ?? ""
                return answer(
                    search(.title(text), .semantic, text, named: "q", shape: .books, call), call, backend)
            case let mode:
                return .answer(
                    Reply.failure(
                        .invalidQuery("mode", value: mode, reason: "Modes are text and semantic."),
                        now: backend.clock.epochMilliseconds()))
            }
        }.limiting("mode", "semantic", as: .semantic),
    ]

    private struct Search {
        var query: SearchQuery
        var key: SearchCache.Key
    }

    private static let limit = Operation.Parameter.query(
        "limit", .whole(1...1_000_000), "Maximum number of books; more than \(mostBooks) is \(mostBooks).")

    private static let terms: Schema = {
        let words = Schema.text(.anyWords)
        return .choice(
            [.optional("title", words), .optional("author", words), .optional("isbn", .text(.isbn))],
            of: ["title", "author", "isbn"])
    }()

    private static func byWords(_ name: String, _ summary: String) -> Operation {
        Operation(name, summary, .json(.success(.reference("SearchResponse"))))
            .taking(.query("q", .text(.words), isRequired: true, "At least two characters."), limit)
    }

    private static func route(
        _ path: String, _ operation: Operation,
        _ parse: @escaping @Sendable (Route.Call) -> Result<Search, ResponseError>
    ) -> Route {
        Route(.get, path, operation.withTag(), limit: .search, scope: .search) { call, backend in
            answer(parse(call), call, backend)
        }
    }

    /// A search by ISBN.
    private static func search(_ isbn: ISBN, _ shape: SearchShape) -> Search {
        Search(
            query: .isbn(isbn), key: .init(kind: .isbn, text: isbn.isbn13, limit: 1, shape: shape))
    }

    /// A search by words.
    ///
    /// - Parameter name: The parameter that is named in a refusal; nil for the query's own.
    private static func search(
        _ query: SearchQuery, _ kind: SearchKind, _ text: String, named name: String? = nil,
        shape: SearchShape = .full, _ call: Route.Call
    ) -> Result<Search, ResponseError> {
        if let refusal = query.refusal {
            guard let name else { return .failure(refusal) }
            let reason = text.isEmpty ? "The parameter \(name) is missing." : refusal.message
            return .failure(.invalidQuery(name, value: text, reason: reason))
        }
        let limit = limit(of: call)
        return .success(Search(query: query, key: .init(kind: kind, text: text, limit: limit, shape: shape)))
    }

    private static func limit(of call: Route.Call) -> Int {
        min(call.parameter("limit").flatMap { Int($0) } ?? mostBooks, mostBooks)
    }

    // MARK: Answering

    private static func answer(
        _ search: Result<Search, ResponseError>, _ call: Route.Call, _ backend: Backend
    ) -> Route.Step {
        switch search {
        case .failure(let error): return .answer(Reply.failure(error, now: backend.clock.epochMilliseconds()))
        case .success(var search):
            search.key.library = call.access.library
            search.key.languages = call.head.languages
            let isForced = call.head["Cache-Control"]?.contains("no-cache") ?? false
            if search.key.kind == .semantic {
                return .later { [search] reply in
                    backend.search.find(
                        meaning: search.key.text, as: search.key, isForced: isForced, for: call.user
                    ) { reply(response($0, search.key, call, backend)) }
                }
            }
            if !isForced, let kept = backend.search.kept(search.key, of: search.query) {
                return .answer(response(kept, isCached: true, search.key, call, backend))
            }
            return .later { [search] reply in
                backend.search.find(search.query, as: search.key, for: call.user) {
                    reply(response($0, search.key, call, backend))
                }
            }
        }
    }

    private static func response(
        _ answer: SearchService.Answer, _ key: SearchCache.Key, _ call: Route.Call, _ backend: Backend
    ) -> Response {
        let now = backend.clock.epochMilliseconds()
        switch answer {
        case .success(let found): return response(found.entry, isCached: found.isCached, key, call, backend)
        case .failure(.busy(let refusal)): return Reply.failure(refusal, now: now)
        case .failure(.indexing):
            return Reply.failure(
                .overloaded(BookSearch.indexingMessage, retryAfterSeconds: 10), status: 503, now: now)
        case .failure(.unanswered(let error)):
            return Reply.failure(error, status: key.kind == .semantic ? 503 : nil, now: now)
        case .failure(.notConfigured(let hasVectors)):
            return Reply.failure(
                .notConfigured(SearchService.notConfigured(hasVectors: hasVectors)), now: now)
        case .failure(.failed(let failure)): return Reply.failure(failure, now: now)
        }
    }

    private static func response(
        _ entry: SearchCache.Entry, isCached: Bool, _ key: SearchCache.Key, _ call: Route.Call,
        _ backend: Backend
    ) -> Response {
        let tag = "W/\"\(entry.tag)\""
        if entry.isEmpty, key.shape == .book {
            return Reply.failure(
                .unknownBook(isbn: key.text, searched: backend.search.providers),
                now: backend.clock.epochMilliseconds())
        }
        var response: Response
        if call.head["If-None-Match"].map({ $0 == tag || $0 == "*" }) ?? false {
            response = Response(304, .bytes([]))
        } else {
            response = Reply.success(
                spliced: entry.data,
                ResponseMetadata(
                    timestamp: backend.clock.epochMilliseconds(),
                    processingTime: Int64((backend.clock.nanoseconds() - call.began) / 1_000_000),
                    provider: entry.provider, isCached: isCached))
        }
        response.add("X-Cache", isCached ? "HIT" : "MISS")
        backend.metrics.noteSearch(isCached: isCached)
        response.add("ETag", tag)
        let language = "Accept-Language"
        response.add("Vary", key.kind == .isbn ? "\(language), \(APIVersion.fields)" : language)
        // The next import may add books that were not found now, and a service what it has not told yet.
        let seconds = key.kind.lifetime(isEmpty: entry.isEmpty) / 1_000
        let isFinal = !entry.isEmpty && entry.isComplete
        response.add("Cache-Control", isFinal ? "private, max-age=\(seconds)" : "private, no-cache")
        return response
    }
}

extension Operation {
    /// The same for answers that a client may have already.
    fileprivate func withTag() -> Operation {
        answering(304).failing(502, 504).taking(
            .header(
                "Accept-Language", .string,
                "A book without an entry in the library is shown under its title in the first of these languages."
            ),
            .header("If-None-Match", .string, "The `ETag` of the answer that the client has."))
    }
}

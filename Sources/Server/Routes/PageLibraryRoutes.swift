import Books
import Bytes
import Contract
import Database
import Jobs
import Queries
import Store
import System

/// The page of a library.
enum PageLibraryRoutes {
    /// The parameters of a list of books (``LibraryAddress``).
    static let parameters: [Operation.Parameter] =
        [
            .query("q", .text(.text), "Words of a title or a name, an ISBN, or what books are about."),
            .query(
                "mode", .names([LibraryAddress.meaning]), "Finds books by what they are about."),
            .query("library", .text(.library), "The library that is shown."),
            .query(
                "sort", .string,
                "The order: added, title, author, year, rating or read; - before it reverses it."),
            Route.Call.pageParameter,
            .query("view", .names(["table", "covers"]), "table if it is absent."),
        ]
        + BrowseQuery.Facet.allCases.map {
            .query($0.rawValue, .text(.text), "Only books with this value.")
        }

    static let all: [Route] = [
        PageRoutes.page(
            .get, "/page/library", "pageLibrary", scope: .search,
            taking: parameters + [
                .query("before", .whole(0...Int.max), "Entries before this one."),
                .query("changed", .text(.text), "The job that changed it just now."),
                .query("left", .whole(0...Int.max), "Number of books that it left out."),
                .query("unchanged", .names(["true"]), "Whether it had no effect."),
            ]
        ) { call, backend in
            let isReady = backend.browsing.isReady(LibraryAddress.shownLibrary(call))
            let isSearch = call.parameter("q")?.isEmpty == false
            return .work(isReady ? (isSearch ? .waiters : .readers) : .bulk) {
                await library(call, backend)
            }
        }
    ]

    /// The page.
    ///
    /// - Parameter refused: The rejected change of several books, if any.
    static func library(
        _ call: Route.Call, refusing refused: BulkForm.Refused? = nil, _ backend: Backend
    ) async -> Response {
        let address = LibraryAddress(call)
        let library = LibraryAddress.shownLibrary(call)
        var page = LibraryPage(
            address: address, list: .browsed(BrowseResult(), []), changes: .empty,
            changed: call.parameter("changed"), mayUndo: call.access.has(.import),
            viewer: call.viewer(backend))
        page.refused = refused
        page.hasVectors =
            backend.settings.queryEmbedder != nil && QueryEmbedder.hasVectors(backend.settings.store)
        page.isUnchanged = call.parameter("unchanged") == "true"
        page.left = call.parameter("left").flatMap { Int($0) } ?? 0
        do throws(ETLError) {
            if let store = try StoreFile.openIfStarted(backend.settings.store) {
                try fill(&page, of: library, from: store, call, backend)
            }
            if address.isByMeaning {
                await search(&page, in: library, call, backend)
            } else if !address.words.isEmpty, page.isEmpty, refused == nil {
                let query =
                    ISBNReader.read(address.words).isbn.map { SearchQuery.isbn($0) } ?? .title(address.words)
                if let refusal = query.refusal {
                    page.refusal = refusal.message
                } else {
                    page.found = try await backend.search.books(
                        query, in: library, languages: call.head.languages, for: call.user)
                }
            }
            return PageRoutes.html(page.document(), status: refused?.status ?? 200)
        } catch {
            return PageRoutes.failure(
                error, otherwise: error.message, status: error.kind == .missing ? 404 : 503, call)
        }
    }

    /// Finds books by what they are about. If that fails, the page says why.
    private static func search(
        _ page: inout LibraryPage, in library: String?, _ call: Route.Call, _ backend: Backend
    ) async {
        let words = page.address.words
        if let refusal = SearchQuery.title(words).refusal {
            page.refusal = words.isEmpty ? nil : refusal.message
            return
        }
        do throws(ETLError) {
            page.found = try await backend.search.books(
                meaning: words, in: library, languages: call.head.languages, for: call.user)
        } catch {
            page.refusal = error.message
        }
    }

    /// What an address asks for. An ISBN means the entries that have it.
    static func query(of address: LibraryAddress, in store: Connection) throws(ETLError) -> BrowseQuery {
        var query = address.query
        if let isbn = ISBNReader.read(address.words).isbn {
            query.words = []
            query.entries = try LibraryBrowser(store).entries(with: isbn)
        }
        return query
    }

    private static func fill(
        _ page: inout LibraryPage, of library: String?, from store: Connection, _ call: Route.Call,
        _ backend: Backend
    ) throws(ETLError) {
        let browser = LibraryBrowser(store)
        let shown = try backend.browsing.library(library, in: store)
        page.choice = try PageRoutes.existingChoice(of: shown.all, named: library, call)
        page.changes = try PageChangeRoutes.changes(
            by: Set([page.changed].compactMap(\.self)), latest: LibraryPage.mostChanges, in: store,
            call, backend)
        guard !page.address.isByMeaning else {
            page.list = .found
            return
        }
        guard let index = shown.index else {
            page.list = .latest(
                try browser.page(
                    of: library, before: call.parameter("before").flatMap { Int64($0) },
                    count: LibraryAddress.pageSize))
            return
        }
        page.undecided = call.decidable(index.undecided, backend)
        let result = index.find(
            try query(of: page.address, in: store), from: (page.address.page - 1) * LibraryAddress.pageSize,
            count: LibraryAddress.pageSize)
        page.list = .browsed(result, try browser.items(result.numbers))
    }
}

extension Route.Call {
    private static let maxPage = 1_000_000

    /// The parameter with the number of a page of a list.
    static let pageParameter = Operation.Parameter.query("page", .whole(1...maxPage), "The page, from 1.")

    /// The page of a list that is meant, from 1.
    var pageNumber: Int { min(max(1, parameter("page").flatMap { Int($0) } ?? 1), Self.maxPage) }
}

extension LibraryAddress {
    /// The state that a request asks for. What makes no sense is as if it were absent.
    init(_ call: Route.Call) {
        self.init()
        words = (call.parameter("q") ?? "").split(whereSeparator: \.isWhitespace).joined(separator: " ")
        isByMeaning = !words.isEmpty && call.parameter("mode") == Self.meaning
        query.words = isByMeaning ? [] : BrowseQuery.words(of: words)
        for facet in BrowseQuery.Facet.allCases {
            if let value = call.parameter(facet.rawValue), !value.isEmpty { query.chosen[facet] = value }
        }
        var order = (call.parameter("sort") ?? "")[...]
        query.isReversed = order.hasPrefix("-")
        if query.isReversed { order.removeFirst() }
        query.order = BrowseQuery.Order(rawValue: String(order)) ?? .added
        page = call.pageNumber
        showsCovers = call.parameter("view") == "covers"
        if call.access.library == nil { library = Self.shownLibrary(call) }
    }

    /// The library that is shown: that of the token, or the one that is named; nil for all.
    static func shownLibrary(_ call: Route.Call) -> String? {
        call.access.library ?? call.parameter("library")?.normalized(.c)
    }
}

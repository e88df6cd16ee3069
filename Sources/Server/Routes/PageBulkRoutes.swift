import Contract
import Database
import Jobs
import Queries
import Store
import System

/// Changes of several books of the library's page at once.
enum PageBulkRoutes {
    /// Maximum size of the form: a page of books, each with a long number.
    private static let formBytes = 64 << 10

    static let all: [Route] = [
        PageRoutes.page(
            .post, "/page/changes", "pageChanges", scope: .import, taking: PageLibraryRoutes.parameters,
            body: .fields(limit: formBytes),
            form: .fields([
                .required("scope", .names(["chosen", "all"])),
                .required("change", .names(BulkForm.options.map(\.value))), .optional("text", .string),
                .optional("entry", .list(.whole(0...Int.max), 0...mostChosen)),
                .optional("confirmed", .whole(0...Int.max)), .optional("total", .whole(0...Int.max)),
            ]),
            failing: [404, 409]
        ) { call, backend in
            let isReady = backend.browsing.isReady(LibraryAddress.shownLibrary(call))
            return .work(isReady ? .waiters : .bulk) { await change(call, backend) }
        }
    ]

    /// Maximum number of books that are chosen one by one.
    private static let mostChosen = 500

    private static func change(_ call: Route.Call, _ backend: Backend) async -> Response {
        var sent = BulkForm.Refused()
        sent.isForAll = call.value("scope") == "all"
        (sent.change, sent.text) = (call.value("change") ?? "", call.value("text") ?? "")
        sent.chosen = Set(chosen(call))
        do throws(ETLError) {
            return try await change(sent, call, backend)
        } catch {
            guard error.kind != .missing else { return PageRoutes.failure(error, call) }
            (sent.reason, sent.status) = PageRoutes.sentence(of: error)
            if let advice = error.advice { sent.reason += " \(advice)" }
            return await PageLibraryRoutes.library(call, refusing: sent, backend)
        }
    }

    private static func change(
        _ sent: BulkForm.Refused, _ call: Route.Call, _ backend: Backend
    ) async throws(ETLError) -> Response {
        let address = LibraryAddress(call)
        var action = try BulkForm.action(sent.change, sent.text)
        guard let store = try StoreFile.openIfStarted(backend.settings.store) else {
            throw ETLError(.missing, "There are no books here yet.")
        }
        // What was changed a moment ago is in the list.
        backend.watch.noteEnd()
        let named = LibraryAddress.shownLibrary(call)
        let shown = try backend.browsing.library(named, in: store)
        guard let library = try PageRoutes.choice(of: shown.all, named: named, call).only else {
            throw ETLError(
                .usage, "Choose a library first. You can change books of one library at a time.")
        }
        if let index = shown.index { action.takeSpelling(of: index.find(BrowseQuery(), from: 0, count: 0)) }
        let entries =
            sent.isForAll
            ? try shown.index?.find(PageLibraryRoutes.query(of: address, in: store), from: 0, count: .max)
                .numbers ?? [] : chosen(call)
        guard !entries.isEmpty else { throw ETLError(.usage, "Choose at least one book.") }
        guard !sent.isForAll || call.value("total").flatMap({ Int($0) }) ?? entries.count == entries.count
        else {
            throw ETLError(
                .conflict, "The list has changed since you opened this page. Look at it and try again.")
        }
        if action == .remove, call.value("confirmed") != "\(entries.count)" {
            let page = BulkRemovalPage(
                address: address, library: library, chosen: sent.isForAll ? [] : entries,
                count: entries.count,
                examples: try LibraryBrowser(store).items(Array(entries.prefix(mostExamples))).filter {
                    $0.library == library
                }, viewer: call.viewer(backend))
            return PageRoutes.html(page.document())
        }
        let report = try await apply(action, to: entries, of: library, call, backend)
        backend.watch.noteEnd()
        var parameters: [(String, String)] = []
        if let job = report.job { parameters.append(("changed", job)) }
        if report.shared > 0 { parameters.append(("left", "\(report.shared)")) }
        if parameters.isEmpty { parameters.append(("unchanged", "true")) }
        return PageRoutes.seeOther(address.path(of: "/page/library", with: parameters))
    }

    /// Number of books that are named before they are removed.
    private static let mostExamples = 10

    private static func chosen(_ call: Route.Call) -> [Int64] {
        call.fields.filter { $0.name == "entry" }.prefix(mostChosen).compactMap { Int64($0.value) }
    }

    private static func apply(
        _ action: BulkForm.Action, to entries: [Int64], of library: String, _ call: Route.Call,
        _ backend: Backend
    ) async throws(ETLError) -> BulkReport {
        let edits = try LibraryEdits(backend.settings.store)
        switch action {
        case .change(let change):
            return try await edits.edit(
                entries: entries, of: library, tenant: PageChangeRoutes.tenant(call), change)
        case .remove: return try await edits.remove(entries: entries, of: library)
        }
    }
}

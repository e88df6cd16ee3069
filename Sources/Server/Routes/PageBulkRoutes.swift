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
                .optional("confirmed", .whole(0...Int.max)),
            ]),
            failing: [404, 409]
        ) { call, backend in
            .work(.waiters) { await change(call, backend) }
        }
    ]

    /// Maximum number of books that are chosen one by one.
    private static let mostChosen = 500

    private static func change(_ call: Route.Call, _ backend: Backend) async -> Response {
        let address = LibraryAddress(call)
        do throws(ETLError) {
            let action = try BulkForm.action(call.value("change") ?? "", call.value("text") ?? "")
            guard let store = try StoreFile.openIfStarted(backend.settings.store) else {
                throw ETLError(.missing, "There are no books here yet.")
            }
            let shown = try backend.browsing.library(LibraryAddress.shownLibrary(call), in: store)
            let choice = LibraryChoice(
                libraries: shown.all, current: LibraryAddress.shownLibrary(call))
            guard let library = call.access.library ?? choice.only else {
                throw ETLError(.usage, "Choose a library first: books of one library are changed together.")
            }
            let chosen = call.value("scope") == "all" ? [] : Self.chosen(call)
            let entries =
                call.value("scope") == "all"
                ? shown.index?.find(address.query, from: 0, count: .max).numbers ?? [] : chosen
            guard !entries.isEmpty else { throw ETLError(.usage, "Choose at least one book.") }
            if action == .remove, call.value("confirmed") != "\(entries.count)" {
                let page = BulkRemovalPage(
                    address: address, library: library, chosen: chosen, count: entries.count,
                    examples: try LibraryBrowser(store).items(Array(entries.prefix(mostExamples))).filter {
                        $0.library == library
                    }, viewer: call.viewer(backend))
                return PageRoutes.html(page.document())
            }
            let report = try await apply(action, to: entries, of: library, call, backend)
            var parameters: [(String, String)] = []
            if let job = report.job { parameters.append(("changed", job)) }
            if report.shared > 0 { parameters.append(("left", "\(report.shared)")) }
            return PageRoutes.seeOther(address.path(of: "/page/library", with: parameters))
        } catch {
            guard error.kind == .usage else { return PageRoutes.failure(error, call) }
            let sentences = [error.message, error.advice?.description].compactMap(\.self)
            return await PageLibraryRoutes.library(
                call, refusing: sentences.joined(separator: " "), backend)
        }
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

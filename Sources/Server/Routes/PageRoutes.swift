import Books
import Bytes
import Contract
import Database
import Jobs
import Queries
import Store
import System

/// The pages for browsers. All of them work without scripts.
enum PageRoutes {
    static let all: [Route] =
        PageUploadRoutes.all + PageScanRoutes.all + PageAddRoutes.all + PageJobRoutes.all
        + PageLibraryRoutes.all
        + PageBulkRoutes.all
        + PageChangeRoutes.all
        + PageDownloadRoutes.all + PageStatisticsRoutes.all + PageAdminRoutes.all + PageHomeRoutes.all + [
            page(
                .get, "/page/book", "pageBook", scope: .search,
                taking: [
                    .query("id", .text(.text), isRequired: true, "The book."),
                    .query("library", .text(.library), "The library whose book is meant."),
                    .query("changed", .text(.job), "The job that has changed it just now."),
                ], failing: [404]
            ) { call, backend in
                .work(.readers) { book(call, id: call.parameter("id") ?? "", backend) }
            },
            page(
                .get, "/page/covers/{file}", "pageCover", limit: nil, scope: .search,
                taking: [.query("tag", .string, isRequired: true, "The end of an address that a page has.")],
                answering: [.init("image/*", .formatted("binary"))], failing: [404]
            ) { call, backend in
                .work(.readers) { cover(call, backend) }
            },
            page(.get, "/page/sign-in", "pageSignIn", scope: nil) { call, _ in
                .answer(html(NoticePage.signIn(call.viewer)))
            },
            page(
                .post, "/page/sign-in", "pageSignedIn", limit: .signIn, scope: nil,
                body: .fields(limit: 4_096), form: .fields([.required("token", .string)]), failing: [401]
            ) { call, _ in
                .answer(signIn(call))
            },
            page(.post, "/page/sign-out", "pageSignOut", scope: nil, body: .fields(limit: 4_096)) {
                call, _ in .answer(signOut(call))
            },
            asset(PageAssets.stylePath, "pageStyle", PageAssets.style, "text/css; charset=utf-8"),
            asset(
                PageAssets.reportStylePath, "pageReportStyle", ReportDocument.style, "text/css; charset=utf-8"
            ),
            asset(PageAssets.scriptPath, "pageScript", PageAssets.script, "text/javascript; charset=utf-8"),
            asset(PageAssets.iconPath, "pageIcon", PageAssets.icon, "image/svg+xml"),
        ]

    /// A route whose answers are pages.
    ///
    /// - Parameters:
    ///   - parameters: Parameters of the query.
    ///   - form: Fields of the form that is sent to it; nil if it needs none.
    ///   - content: Content of its answer if that is no page.
    ///   - statuses: Statuses of failures that only this route has.
    static func page(
        _ method: RequestHead.Method, _ path: String, _ name: String, limit: RequestClass? = .page,
        scope: ServerTokens.Scope?, taking parameters: [Operation.Parameter] = [],
        body: Route.Body = .none, form: Schema? = nil,
        answering content: [Operation.Content] = [.init("text/html", .string)], failing statuses: [Int] = [],
        _ handle: @escaping @Sendable (Route.Call, Backend) -> Route.Step
    ) -> Route {
        var operation = Operation(name, "A page for browsers.")
        operation.successes = [(200, content)]
        operation.failures = statuses
        operation.isForBrowsers = true
        operation.parameters = parameters
        if method == .post { operation = operation.answering(303) }
        switch body {
        case .form:
            operation = operation.reading(
                .init("multipart/form-data", form ?? .object([.required("file", .formatted("binary"))])))
        case .fields:
            operation = operation.failing(400, 413)
            if let form {
                operation = operation.reading(.init("application/x-www-form-urlencoded", form))
            }
        case .none, .json: break
        }
        return Route(method, path, operation, limit: limit, scope: scope, body: body, handle)
    }

    private static func asset(_ path: String, _ name: String, _ bytes: [UInt8], _ type: String) -> Route {
        Route(
            .get, path, Operation(name, "A part of the page.", .init(type, .string)), limit: nil, scope: nil
        ) { _, _ in
            .answer(
                Response(
                    200, .bytes(bytes),
                    fields: [
                        ("Content-Type", type), ("Cache-Control", "public, max-age=31536000, immutable"),
                    ]))
        }
    }

    // MARK: Answers

    /// What a page may load: nothing from elsewhere. No other site may frame it.
    private static let policy =
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

    /// A page.
    static func html(_ bytes: [UInt8], status: Int = 200) -> Response {
        Response(
            status, .bytes(bytes),
            fields: [
                ("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store"),
                ("Content-Security-Policy", policy),
                ("Referrer-Policy", "same-origin"), ("X-Frame-Options", "DENY"),
                ("Cross-Origin-Opener-Policy", "same-origin"),
                ("Cross-Origin-Resource-Policy", "same-origin"),
            ])
    }

    /// Redirects the browser to another page.
    static func seeOther(_ path: String) -> Response {
        Response(303, .bytes([]), fields: [("Location", path), ("Cache-Control", "no-store")])
    }

    /// A page that says what failed.
    static func failure(_ sentence: String, status: Int, _ call: Route.Call) -> Response {
        html(NoticePage.failure(sentence, call.viewer), status: status)
    }

    /// A page that says what failed in the store.
    static func failure(_ failure: ETLError, _ call: Route.Call) -> Response {
        if failure.isFullDisk { return fullDisk(call) }
        let (sentence, status) = sentence(of: failure)
        return self.failure(sentence, status: status, call)
    }

    /// What failed in the store, for people, and the status of the response.
    static func sentence(of failure: ETLError) -> (String, status: Int) {
        if failure.isFullDisk { return (Reply.fullDisk.message, 503) }
        return switch failure.kind {
        case .missing: (failure.message, 404)
        case .usage: (failure.message, 400)
        // Another writer has the store: an import of this server, or another program.
        case .temporary: ("Something else writes to the library now. Try again when it is done.", 409)
        case .conflict: (failure.message, 409)
        default: (failure.message, 503)
        }
    }

    /// A page that says that the disk is full, or else what its reader can do with.
    static func failure(
        _ failure: ETLError, otherwise sentence: String, status: Int, _ call: Route.Call
    ) -> Response {
        failure.isFullDisk ? fullDisk(call) : self.failure(sentence, status: status, call)
    }

    /// A page that says that the disk has no room for what it needs.
    private static func fullDisk(_ call: Route.Call) -> Response {
        refused(Reply.fullDisk, status: 503, call)
    }

    /// A page that says when to try again, if that is known.
    private static func refused(_ error: ResponseError, status: Int, _ call: Route.Call) -> Response {
        var page = failure(error.message, status: status, call)
        if let wait = error.retryAfterMs { page.add("Retry-After", "\((wait + 999) / 1_000)") }
        return page
    }

    /// A page that says why a job is not accepted.
    static func failure(_ refusal: JobRefusal, _ call: Route.Call) -> Response {
        switch refusal {
        case .failed(let failure): return self.failure(failure, call)
        case .refused(let error, _): return refused(error, status: sentence(of: refusal).status, call)
        }
    }

    /// Why a job is not accepted, for people, and the status of the response.
    static func sentence(of refusal: JobRefusal) -> (String, status: Int) {
        switch refusal {
        case .failed(let failure): sentence(of: failure)
        case .refused(let error, let status): (error.message, status ?? error.code.httpStatus ?? 500)
        }
    }

    /// Redirects the browser to a job, which it may see from now on.
    static func seeJob(_ job: AcceptedJob, _ call: Route.Call) -> Response {
        var response = seeOther("/page/jobs/\(job.jobId)")
        response.add("Set-Cookie", cookie(job))
        // Browsers send the oldest first. A head has no room for any number of them.
        let older = Credentials.cookies(call.head).map(\.name)
            .filter { $0.hasPrefix(JobRoutes.cookieName(of: "")) }
        for name in older.dropLast(jobCookies - 1).prefix(20) {
            response.add("Set-Cookie", "\(name)=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0")
        }
        return response
    }

    /// Maximum number of jobs that a browser may see by its cookies.
    private static let jobCookies = 100

    /// The cookie with which this browser sees a job.
    private static func cookie(_ job: AcceptedJob) -> String {
        let seconds = JobToken.lifetime / 1_000
        let name = JobRoutes.cookieName(of: job.jobId)
        return "\(name)=\(job.token); Path=/; HttpOnly; SameSite=Strict; Max-Age=\(seconds)"
    }

    // MARK: Pages

    /// The library whose book a request means: its own, or the one that it names; nil for any.
    static func namedLibrary(_ call: Route.Call) -> String? {
        let name = call.parameter("library") ?? call.value("library")
        return call.access.library ?? (name?.isEmpty == false ? name?.normalized(.c) : nil)
    }

    /// The libraries that a request may choose from, and the one that it means. A token with a library has no choice.
    ///
    /// - Parameters:
    ///   - libraries: All libraries of the store.
    ///   - name: The library that the request names; nil for none.
    static func choice(
        of libraries: @autoclosure () throws(ETLError) -> [(name: String, count: Int)],
        named name: String?, _ call: Route.Call
    ) throws(ETLError) -> LibraryChoice {
        if let library = call.access.library { return LibraryChoice(current: library) }
        return LibraryChoice(libraries: try libraries(), current: name)
    }

    /// The same, if the library exists that the request means.
    ///
    /// - Throws: `.missing` if there is no such library.
    static func existingChoice(
        of libraries: @autoclosure () throws(ETLError) -> [(name: String, count: Int)],
        named name: String?, _ call: Route.Call
    ) throws(ETLError) -> LibraryChoice {
        let choice = try choice(of: try libraries(), named: name, call)
        guard call.access.library != nil || choice.isKnown else {
            throw ETLError(.missing, "There is no library `\(name ?? "")`.")
        }
        return choice
    }

    /// - Parameters:
    ///   - entered: A correction that cannot be used, and why.
    ///   - change: The rejected change to an entry, if any.
    static func book(
        _ call: Route.Call, id: String, refusing entered: (field: String, value: String)? = nil,
        because refusal: String? = nil, changing change: EntryForm.Refused? = nil, _ backend: Backend
    ) -> Response {
        do throws(ETLError) {
            let store = try StoreFile.openForReading(backend.settings.store)
            let reference = BookReference(id)
            let named = namedLibrary(call)
            var explanation = try Explainer(store, library: named).explain(reference, job: nil)
            if let library = call.access.library {
                // Rows are those of the newest job, whoever made it.
                if case .row = reference { return failure(EditableBook.notInLibrary, status: 404, call) }
                explanation = explanation.shown(to: library)
                guard !explanation.entries.isEmpty else {
                    return failure(EditableBook.notInLibrary, status: 404, call)
                }
            }
            if let named {
                explanation.entries =
                    explanation.entries.filter { $0.library == named }
                    + explanation.entries.filter { $0.library != named }
            }
            let editable =
                call.access.has(.import)
                ? try? EditableBook(BookReference(id), library: named, in: store) : nil
            var form = try PageChangeRoutes.form(id, of: editable, in: store, call, backend)
            (form.entered, form.refusal) = (entered, refusal)
            let history = try? BookHistory(store, of: BookReference(id), library: named)
            var page = BookPage(
                explanation: explanation, entries: try explanation.rows(in: store), form: form,
                history: BookChanges(
                    history,
                    as: try PageChangeRoutes.changes(
                        by: BookChanges.jobs(of: history), in: store, call, backend),
                    of: call.access.library),
                mayUndo: call.access.has(.import), viewer: call.viewer(backend))
            page.refused = change
            let changed = call.parameter("changed")
            page.changed = BookChanges.jobs(of: history).first { $0 == changed }
            // Other books are shown only if that costs no reading of the whole library.
            if backend.browsing.isReady(named), let work = explanation.work,
                let author = explanation.authors.first?.author.name
            {
                let shown = try backend.browsing.library(named, in: store)
                page.namesLibrary = call.access.library == nil && shown.all.count > 1
                let series = work.fields.first { $0.field == .seriesName }?.values ?? []
                page.related =
                    try shown.index.map { index throws(ETLError) in
                        try RelatedBooks(
                            to: work.key, series: series.map { StoredSeries($0).name }, by: author, in: index,
                            store)
                    } ?? RelatedBooks()
                page.similar = similar(to: work.key, in: named, besides: page.related, store)
            }
            return html(page.document(), status: change?.status ?? (refusal == nil ? 200 : 400))
        } catch {
            return failure(error, otherwise: EditableBook.notInLibrary, status: 404, call)
        }
    }

    /// The most similar books that are shown.
    private static let mostSimilar = 8

    /// Similar books, if the book has a vector. Nothing else on the page depends on them.
    private static func similar(
        to key: String, in library: String?, besides related: RelatedBooks, _ store: Connection
    ) -> [SimilarBook] {
        let shown = Set((related.series.flatMap(\.items) + related.others).map(\.key))
        let found = try? SimilarBooks(in: store).find(
            BookReference(key), in: library, atMost: mostSimilar + shown.count)
        return Array((found?.books ?? []).filter { !shown.contains($0.book.work.id) }.prefix(mostSimilar))
    }

    private static func cover(_ call: Route.Call, _ backend: Backend) -> Response {
        guard
            let image = backend.settings.covers?.image(
                call.path["file"] ?? "", tag: call.parameter("tag") ?? "")
        else { return failure("There is no such cover.", status: 404, call) }
        return Response(
            200, .bytes(image.bytes),
            fields: [("Content-Type", image.type), ("Cache-Control", "private, max-age=86400")])
    }

    private static func signIn(_ call: Route.Call) -> Response {
        let (id, access) = call.authentication.signIn(call.value("token") ?? "")
        guard let id else {
            let refusal = access.refusal?.sentence ?? "This token is not valid here."
            return html(NoticePage.signIn(call.viewer, refusing: refusal), status: 401)
        }
        var response = seeOther("/")
        response.add("Set-Cookie", cookie(of: id.text, seconds: Sessions.lifetime / 1_000))
        return response
    }

    private static func signOut(_ call: Route.Call) -> Response {
        call.authentication.signOut(call.head)
        var response = seeOther("/page/sign-in")
        response.add("Set-Cookie", cookie(of: "", seconds: 0))
        return response
    }

    /// The cookie of a session.
    private static func cookie(of id: String, seconds: Int64) -> String {
        "\(Credentials.cookieName)=\(id); Path=/; HttpOnly; SameSite=Strict; Max-Age=\(seconds)"
    }
}

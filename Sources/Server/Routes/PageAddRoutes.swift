import Books
import Bytes
import Contract
import Formats
import Jobs
import Queries
import Store
import Syntax
import System

/// Adding one book by hand. It is imported as a file with one row, so it is looked up, and can be undone.
enum PageAddRoutes {
    /// Maximum size of the form in bytes.
    private static let formBytes = 8 << 10

    static let all: [Route] = [
        PageRoutes.page(
            .get, "/page/add", "pageAdd", scope: .import,
            taking: [.query("library", .text(.library), "The library that the book is added to.")]
        ) { call, backend in
            .work(.readers) {
                var entered = entered(call)
                entered.form = JobName.make()
                return page(call, entered, nil, backend)
            }
        },
        PageRoutes.page(
            .post, "/page/add", "pageAddBook", scope: .import,
            body: .fields(limit: formBytes),
            form: .fields([
                .optional("isbn", .string), .optional("title", .string), .optional("author", .string),
                .optional("shelf", .names(AddBookPage.shelves.map(\.value))), .optional("library", .string),
                .optional("again", .names(["true"])), .optional("form", .string),
            ]), failing: [404, 409, 429]
        ) { call, backend in
            let isReady = backend.browsing.isReady(call.access.library ?? PageRoutes.namedLibrary(call))
            return .work(isReady ? .writers : .bulk) { await add(call, backend) }
        },
    ]

    private static func page(
        _ call: Route.Call, _ entered: AddBookPage.Entered, _ refusal: String?, status: Int = 400,
        _ backend: Backend
    ) -> Response {
        do throws(ETLError) {
            let page = AddBookPage(
                entered: entered, refusal: refusal, choice: try choice(call, entered, backend),
                viewer: call.viewer(backend))
            return PageRoutes.html(page.document(), status: refusal == nil ? 200 : status)
        } catch {
            return PageRoutes.failure(error, call)
        }
    }

    /// The libraries that a book can be added to. A new one begins with the import of a file.
    private static func choice(
        _ call: Route.Call, _ entered: AddBookPage.Entered, _ backend: Backend
    ) throws(ETLError) -> LibraryChoice {
        if let library = call.access.library { return LibraryChoice(current: library) }
        let store = try StoreFile.openIfStarted(backend.settings.store)
        var libraries: [(name: String, count: Int)] = []
        if let store { libraries = try LibraryBrowser(store).libraries() }
        let usual =
            libraries.contains { $0.name == JobOptions.defaultLibrary }
            ? JobOptions.defaultLibrary : libraries.first?.name ?? JobOptions.defaultLibrary
        return LibraryChoice(
            libraries: libraries.isEmpty ? [(usual, 0)] : libraries,
            current: entered.library.isEmpty ? usual : entered.library)
    }

    /// The book of the library that has the ISBN that was typed, or else the title and the author.
    private static func known(
        _ entered: AddBookPage.Entered, in library: String, _ backend: Backend
    ) throws(ETLError) -> LibraryBrowser.Item? {
        guard let store = try StoreFile.openIfStarted(backend.settings.store) else { return nil }
        let browser = LibraryBrowser(store)
        if !entered.isbn.isEmpty {
            let book = try? EditableBook(BookReference(entered.isbn), library: library, in: store)
            return try browser.items(book?.entries.map(\.id) ?? []).first
        }
        guard let index = try backend.browsing.library(library, in: store).index else { return nil }
        var query = BrowseQuery()
        query.words = BrowseQuery.words(of: "\(entered.title) \(entered.author)")
        let title = Folding.fold(entered.title)
        guard !title.isEmpty else { return nil }
        return try browser.items(index.find(query, from: 0, count: mostCompared).numbers).first {
            Folding.fold($0.title) == title
        }
    }

    /// Maximum number of books with the same words that are compared.
    private static let mostCompared = 1_000

    /// The form with why the job is not accepted.
    private static func page(
        _ call: Route.Call, _ entered: AddBookPage.Entered, _ refusal: JobRefusal, _ backend: Backend
    ) -> Response {
        let (sentence, status) = PageRoutes.sentence(of: refusal)
        return page(call, entered, sentence, status: status, backend)
    }

    private static func entered(_ call: Route.Call) -> AddBookPage.Entered {
        func text(_ name: String) -> String {
            (call.value(name) ?? "").split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        return AddBookPage.Entered(
            isbn: text("isbn"), title: text("title"), author: text("author"), shelf: text("shelf"),
            library: PageRoutes.namedLibrary(call) ?? "", form: text("form"))
    }

    /// The name of the job's file for people.
    private static func name(of entered: AddBookPage.Entered) -> String {
        entered.title.isEmpty ? "ISBN \(entered.isbn)" : entered.title
    }

    /// The unfinished job that adds the same book to a library; nil if there is none.
    private static func job(
        adding entered: AddBookPage.Entered, to library: String, _ call: Route.Call, _ backend: Backend
    ) -> String? {
        backend.jobs.recent(most: 1) { kept in
            kept.options.kind == .files && kept.options.names == [name(of: entered)]
                && kept.options.library == library && kept.owner == call.access.owner
                && backend.jobs.isActive(kept.options.job)
        }.first?.options.job
    }

    private static func add(_ call: Route.Call, _ backend: Backend) async -> Response {
        let entered = entered(call)
        if let refusal = refusal(of: entered) { return page(call, entered, refusal, backend) }
        let isCopy = call.value("again") == "true"
        let library: String
        do throws(ETLError) {
            let choice = try choice(call, entered, backend)
            guard call.access.library != nil || choice.isKnown, let name = choice.current else {
                let sentence =
                    "There is no library `\(entered.library)`. Importing a file into it creates it."
                return page(call, entered, sentence, status: 404, backend)
            }
            library = name
            if !isCopy, let known = try known(entered, in: library, backend) {
                let page = AddBookPage(
                    entered: entered, known: known, choice: choice, viewer: call.viewer(backend))
                return PageRoutes.html(page.document(), status: 409)
            }
            if !isCopy, let job = job(adding: entered, to: library, call, backend) {
                let page = AddBookPage(
                    entered: entered, addedBy: job, choice: choice, viewer: call.viewer(backend))
                return PageRoutes.html(page.document(), status: 409)
            }
        } catch {
            return PageRoutes.failure(error, call)
        }
        // What is not added does not count as an import.
        if let limit = backend.admit(call.client, owner: call.access.owner, .imports), !limit.isAdmitted {
            var answer = page(
                call, entered,
                "You have added many books in a short time. Try again in \(limit.retrySeconds) seconds.",
                status: 429,
                backend)
            answer.add("Retry-After", "\(limit.retrySeconds)")
            return answer
        }
        if let refusal = call.refusal(of: .files, backend) { return page(call, entered, refusal, backend) }
        var files = UploadedFiles(JobName.make(), of: call.user, in: backend.uploads)
        do throws(UploadFolder.Refusal) {
            let now = Timestamp.withoutFraction(backend.clock.epochMilliseconds())
            try files.keep(table(entered, id: isCopy ? files.name : "", day: String(now.prefix(10))))
        } catch {
            files.discard()
            let sentence = "There is no room for the book now. Try again later."
            return page(call, entered, sentence, status: 503, backend)
        }
        var options = ImportOptions(.files, job: files.name)
        options.upload = files.name
        options.files = files.paths
        options.names = [name(of: entered)]
        if let error = options.set("library", library) {
            files.discard()
            return page(call, entered, "Library: \(error.message)", backend)
        }
        _ = options.set("format", Generic().name)
        do throws(JobRefusal) {
            // The key makes a second click show the job of the first one.
            let key =
                JobName.isValid(entered.form)
                ? RequestKey("\(entered.form) add \(name(of: entered)) \(isCopy)", asking: "page") : nil
            let job = try await call.accept(options, key: key, backend).job
            if job.jobId != options.job { files.discard() }
            return PageRoutes.seeJob(job, call)
        } catch {
            files.discard()
            return page(call, entered, error, backend)
        }
    }

    private static func refusal(of entered: AddBookPage.Entered) -> String? {
        guard AddBookPage.shelves.contains(where: { $0.value == entered.shelf }) else {
            return "There is no status `\(entered.shelf)`."
        }
        guard !entered.isbn.isEmpty else {
            return entered.title.isEmpty ? "Write the ISBN of the book, or its title." : nil
        }
        switch ISBNReader.read(entered.isbn) {
        case .valid, .repaired: return nil
        case .absent: return "This is not an ISBN. An ISBN has 10 or 13 digits."
        case .impossible(let fault): return fault.reason.sentence
        }
    }

    /// The book as a file.
    ///
    /// - Parameters:
    ///   - id: The id of another copy, without which it would be the entry that is there; empty for none.
    ///   - day: When the book was added.
    private static func table(_ entered: AddBookPage.Entered, id: String, day: String) -> [UInt8] {
        var out = CSVWriter()
        out.record(["Book Id", "ISBN", "Title", "Author", "Read Status", "Date Added"])
        out.record([id, entered.isbn, entered.title, entered.author, entered.shelf, day])
        return out.bytes
    }
}

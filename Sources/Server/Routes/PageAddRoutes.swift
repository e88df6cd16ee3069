import Books
import Contract
import Formats
import Jobs
import Syntax
import System

/// Adding one book by hand. It is imported as a file with one row, so it is looked up, and can be undone.
enum PageAddRoutes {
    /// Maximum size of the form in bytes.
    private static let formBytes = 8 << 10

    static let all: [Route] = [
        PageRoutes.page(.get, "/page/add", "pageAdd", scope: .import) { call, backend in
            .work(.readers) { page(call, AddBookPage.Entered(), nil, backend) }
        },
        PageRoutes.page(
            .post, "/page/add", "pageAddBook", limit: .imports, scope: .import,
            body: .fields(limit: formBytes),
            form: .fields([
                .optional("isbn", .string), .optional("title", .string), .optional("author", .string),
                .optional("shelf", .names(AddBookPage.shelves.map(\.value))), .optional("library", .string),
            ])
        ) { call, backend in
            .work(.writers) { await add(call, backend) }
        },
    ]

    private static func page(
        _ call: Route.Call, _ entered: AddBookPage.Entered, _ refusal: String?, status: Int = 400,
        _ backend: Backend
    ) -> Response {
        let page = AddBookPage(
            entered: entered, refusal: refusal, choosesLibrary: call.access.library == nil,
            viewer: call.viewer(backend))
        return PageRoutes.html(page.document(), status: refusal == nil ? 200 : status)
    }

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
            library: text("library"))
    }

    private static func add(_ call: Route.Call, _ backend: Backend) async -> Response {
        let entered = entered(call)
        if let refusal = refusal(of: entered) { return page(call, entered, refusal, backend) }
        if let refusal = call.refusal(of: .files, backend) { return page(call, entered, refusal, backend) }
        var files = UploadedFiles(JobName.make(), of: call.user, in: backend.uploads)
        do throws(UploadFolder.Refusal) {
            try files.keep(table(entered))
        } catch {
            files.discard()
            let sentence = "There is no room for the book now. Try again later."
            return page(call, entered, sentence, status: 503, backend)
        }
        var options = ImportOptions(.files, job: files.name)
        options.upload = files.name
        options.files = files.paths
        options.names = [entered.title.isEmpty ? "ISBN \(entered.isbn)" : entered.title]
        if let error = options.set("library", entered.library) {
            files.discard()
            return page(call, entered, "Library: \(error.message)", backend)
        }
        _ = options.set("format", Generic().name)
        do throws(JobRefusal) {
            return PageRoutes.seeJob(try await call.accept(options, backend).job, call)
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
            return entered.title.isEmpty ? "Write the ISBN of the book, or its title and author." : nil
        }
        switch ISBNReader.read(entered.isbn) {
        case .valid, .repaired: return nil
        case .absent: return "This is not an ISBN. An ISBN has 10 or 13 digits."
        case .impossible(let fault): return fault.reason.sentence
        }
    }

    private static func table(_ entered: AddBookPage.Entered) -> [UInt8] {
        var out = CSVWriter()
        out.record(["ISBN", "Title", "Author", "Read Status"])
        out.record([entered.isbn, entered.title, entered.author, entered.shelf])
        return out.bytes
    }
}

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
            .work(.readers) { page(call, entered(call), nil, backend) }
        },
        PageRoutes.page(
            .post, "/page/add", "pageAddBook", limit: .imports, scope: .import,
            body: .fields(limit: formBytes),
            form: .fields([
                .optional("isbn", .string), .optional("title", .string), .optional("author", .string),
                .optional("shelf", .names(AddBookPage.shelves.map(\.value))), .optional("library", .string),
                .optional("again", .names(["true"])),
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
            entered: entered, refusal: refusal, choice: choice(call, entered, backend),
            viewer: call.viewer(backend))
        return PageRoutes.html(page.document(), status: refusal == nil ? 200 : status)
    }

    /// The libraries that a book can be added to. A new one begins with the import of a file.
    private static func choice(
        _ call: Route.Call, _ entered: AddBookPage.Entered, _ backend: Backend
    ) -> LibraryChoice {
        if let library = call.access.library { return LibraryChoice(current: library) }
        let store = try? StoreFile.openIfStarted(backend.settings.store)
        let libraries = store.flatMap { try? LibraryBrowser($0).libraries() } ?? []
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
            guard let book = try? EditableBook(BookReference(entered.isbn), library: library, in: store)
            else {
                return nil
            }
            return try browser.items(book.entries.map(\.id)).first
        }
        guard let index = try backend.browsing.library(library, in: store).index else { return nil }
        var query = BrowseQuery()
        query.words = Folding.fold("\(entered.title) \(entered.author)").split(separator: " ").map(
            String.init)
        let title = Folding.fold(entered.title)
        return try browser.items(index.find(query, from: 0, count: mostCompared).numbers).first {
            Folding.fold($0.title) == title
        }
    }

    /// Maximum number of books with the same words that are compared.
    private static let mostCompared = 100

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
            library: PageRoutes.namedLibrary(call) ?? "")
    }

    private static func add(_ call: Route.Call, _ backend: Backend) async -> Response {
        let entered = entered(call)
        if let refusal = refusal(of: entered) { return page(call, entered, refusal, backend) }
        let choice = choice(call, entered, backend)
        guard call.access.library != nil || choice.isKnown, let library = choice.current else {
            let sentence = "There is no library `\(entered.library)`. Importing a file into it creates it."
            return page(call, entered, sentence, status: 404, backend)
        }
        if call.value("again") != "true", let known = try? known(entered, in: library, backend) {
            let page = AddBookPage(
                entered: entered, known: known, choice: choice, viewer: call.viewer(backend))
            return PageRoutes.html(page.document(), status: 409)
        }
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
        if let error = options.set("library", library) {
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
            return entered.title.isEmpty ? "Write the ISBN of the book, or its title." : nil
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

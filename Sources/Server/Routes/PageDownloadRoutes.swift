import Contract
import Database
import Formats
import Glibc
import Queries
import Store
import System

/// Downloads of the library: for spreadsheets, for programs, and as a page.
enum PageDownloadRoutes {
    private static let programs = DownloadsPage.programs.map(\.name)

    /// The media types of the files.
    private static let types = [
        "text/csv", "text/tab-separated-values", "application/x-ndjson", workbookType, "text/html",
        "application/x-bibtex",
        "application/x-research-info-systems", "application/json",
    ]
    private static let workbookType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

    static let all: [Route] = [
        PageRoutes.page(
            .get, "/page/downloads", "pageDownloads", scope: .search,
            taking: [.query("format", .names(programs), "The program that the file is for.")],
            failing: [400, 404]
        ) { call, backend in
            .work(.bulk) { downloads(call, backend) }
        },
        PageRoutes.page(
            .get, "/page/export", "pageExport", scope: .search,
            taking: [
                .query(
                    "format", .names(DownloadsPage.whole.map(\.name) + programs), "csv if it is absent.")
            ],
            answering: types.map { .init($0, .string) },
            failing: [400, 404]
        ) { call, backend in
            .work(.bulk) { export(call, backend) }
        },
    ]

    private static func downloads(_ call: Route.Call, _ backend: Backend) -> Response {
        let page = DownloadsPage(viewer: call.viewer(backend))
        guard let name = call.parameter("format") else { return PageRoutes.html(page.document()) }
        guard let program = program(name) else { return unknown(name, call) }
        do throws(ETLError) {
            let store = try StoreFile.openForReading(backend.settings.store)
            let report = try LayoutExport(store, program).write(
                of: call.access.library, to: { (_) throws(ETLError) in },
                unless: { (_) throws(ETLError) in true })
            return PageRoutes.html(page.document(program, losing: report))
        } catch {
            return failure(error, call)
        }
    }

    private static func program(_ name: String) -> (any ExportLayout)? {
        DownloadsPage.programs.first { $0.name == name }
    }

    private static func unknown(_ name: String, _ call: Route.Call) -> Response {
        PageRoutes.failure("There is no format `\(name)`.", status: 400, call)
    }

    private static func failure(_ error: ETLError, _ call: Route.Call) -> Response {
        let status = error.kind == .missing ? 404 : error.kind == .configuration ? 400 : 503
        return PageRoutes.failure(error, otherwise: error.message, status: status, call)
    }

    private static func export(_ call: Route.Call, _ backend: Backend) -> Response {
        let (name, library) = (call.parameter("format") ?? "csv", call.access.library)
        do throws(ETLError) {
            let store = try StoreFile.openForReading(backend.settings.store)
            let spool = ResponseSpool(backend.uploads, for: call.user, isAbandoned: call.isAbandoned)
            let (type, ending): (String, String)
            if let format = Export.Format(rawValue: name), format != .json {
                try Export(store).write(.books, as: format, of: library, guardsFormulas: format == .csv) {
                    (bytes) throws(ETLError) in try spool.write(bytes)
                }
                (type, ending) =
                    format == .csv
                    ? ("text/csv; charset=utf-8", name) : ("application/x-ndjson; charset=utf-8", name)
            } else if name == "xlsx" {
                try writeWorkbook(of: library, in: store, to: spool)
                (type, ending) = (workbookType, name)
            } else if name == "html" {
                var reader = LibraryReportReader(
                    store, now: backend.clock.epochMilliseconds(), most: reportLength)
                let report = try reader.read(library)
                try LibraryReportPage(report.withoutProblems).document()
                    .withUnsafeBufferPointer { (bytes) throws(ETLError) in
                        try spool.write(UnsafeRawBufferPointer(bytes))
                    }
                (type, ending) = ("text/html; charset=utf-8", name)
            } else if let program = program(name) {
                try LayoutExport(store, program).write(of: library) { (bytes) throws(ETLError) in
                    try spool.write(bytes)
                }
                (type, ending) = fileType(of: program)
            } else {
                return unknown(name, call)
            }
            var response = try spool.response(200, type: type)
            let file = program(name) == nil ? "library" : name
            response.add("Content-Disposition", "attachment; filename=\"\(file).\(ending)\"")
            return response
        } catch {
            return failure(error, call)
        }
    }

    /// Length of the lists of the report.
    private static let reportLength = 25

    private static func fileType(of program: any ExportLayout) -> (String, ending: String) {
        switch program.name {
        case "librarything": ("text/tab-separated-values; charset=utf-8", "tsv")
        case "bibtex": ("application/x-bibtex; charset=utf-8", "bib")
        case "ris": ("application/x-research-info-systems; charset=utf-8", "ris")
        case "csl-json": ("application/json; charset=utf-8", "json")
        default: ("text/csv; charset=utf-8", "csv")
        }
    }

    /// A workbook needs a file of its own while it is written.
    private static func writeWorkbook(
        of library: String?, in store: Connection, to spool: ResponseSpool
    ) throws(ETLError) {
        let folder = try ScratchFolder(
            in: Folder.temporary, advice: "Make room in the folder for temporary files.")
        let path = "\(folder.path)/library.xlsx"
        _ = try Export(store).writeWorkbook(of: .books, in: library, to: path)
        let descriptor: Int32
        do throws(ReadableFile.Refusal) { descriptor = try ReadableFile.open(path) } catch {
            throw error.failure(of: path)
        }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw ReadableFile.Refusal.system(errno).failure(of: path) }
            guard count > 0 else { return }
            try buffer[..<count].withUnsafeBufferPointer { (bytes) throws(ETLError) in
                try spool.write(UnsafeRawBufferPointer(bytes))
            }
        }
    }
}

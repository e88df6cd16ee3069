import Bytes
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
    private static let formats = DownloadsPage.whole.map(\.name) + programs

    private static let library = Operation.Parameter.query(
        "library", .text(.library), "The library that is downloaded; all if it is absent.")

    static let all: [Route] = [
        PageRoutes.page(
            .get, "/page/downloads", "pageDownloads", scope: .search,
            taking: [
                .query("format", .names(programs), "The program that the file is for."), library,
            ],
            failing: [400, 404]
        ) { call, backend in
            .work(.bulk) { downloads(call, backend) }
        },
        PageRoutes.page(
            .get, "/page/export", "pageExport", scope: .search,
            taking: [
                .query("format", .names(formats), "csv if it is absent."), library,
            ],
            answering: formats.map { String(fileType(of: $0).type.prefix { $0 != ";" }) }.deduplicated.map {
                .init($0, .string)
            },
            failing: [400, 404]
        ) { call, backend in
            .work(.bulk) { export(call, backend) }
        },
    ]

    private static func downloads(_ call: Route.Call, _ backend: Backend) -> Response {
        var page = DownloadsPage(choice: LibraryChoice(), viewer: call.viewer(backend))
        do throws(ETLError) {
            let started = try StoreFile.openIfStarted(backend.settings.store)
            if let started { page.choice = try choice(call, in: started) }
            guard let name = call.parameter("format") else { return PageRoutes.html(page.document()) }
            guard let program = program(name) else { return unknown(name, call) }
            let store =
                if let started { started } else { try StoreFile.openForReading(backend.settings.store) }
            let report = try LayoutExport(store, program).write(
                of: page.choice.current, to: { (_) throws(ETLError) in },
                unless: { (_) throws(ETLError) in true })
            return PageRoutes.html(page.document(program, losing: report))
        } catch {
            return failure(error, call)
        }
    }

    /// The libraries that a request may download, and the one that it means.
    ///
    /// - Throws: `.missing` if there is no such library.
    private static func choice(
        _ call: Route.Call, in store: Connection
    ) throws(ETLError) -> LibraryChoice {
        try PageRoutes.existingChoice(
            of: try LibraryBrowser(store).libraries(), named: PageRoutes.namedLibrary(call), call)
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
        let format = call.parameter("format") ?? "csv"
        guard formats.contains(format) else { return unknown(format, call) }
        do throws(ETLError) {
            let store = try StoreFile.openForReading(backend.settings.store)
            let spool = ResponseSpool(backend.uploads, for: call.user, isAbandoned: call.isAbandoned)
            let library = try choice(call, in: store).current
            try write(
                format, of: library, in: store, at: backend.clock.epochMilliseconds(), to: spool)
            let (type, ending) = fileType(of: format)
            var response = try spool.response(200, type: type)
            let parts = [library.map(plainName), programs.contains(format) ? format : nil].compactMap(\.self)
            let name = parts.isEmpty ? "library" : parts.joined(separator: "-")
            response.add("Content-Disposition", "attachment; filename=\"\(name).\(ending)\"")
            return response
        } catch {
            return failure(error, call)
        }
    }

    /// The name of a library as part of a file's name. Names of libraries can have any letters.
    private static func plainName(_ library: String) -> String {
        let isPlain = library.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
        return isPlain ? library : "library"
    }

    private static func fileType(of format: String) -> (type: String, ending: String) {
        switch format {
        case "xlsx": ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx")
        case "ndjson": ("application/x-ndjson; charset=utf-8", "ndjson")
        case "html": ("text/html; charset=utf-8", "html")
        case "librarything": ("text/tab-separated-values; charset=utf-8", "tsv")
        case "bibtex": ("application/x-bibtex; charset=utf-8", "bib")
        case "ris": ("application/x-research-info-systems; charset=utf-8", "ris")
        case "csl-json": ("application/json; charset=utf-8", "json")
        default: ("text/csv; charset=utf-8", "csv")
        }
    }

    private static func write(
        _ format: String, of library: String?, in store: Connection, at now: Int64, to spool: ResponseSpool
    ) throws(ETLError) {
        switch format {
        case "xlsx": try writeWorkbook(of: library, in: store, to: spool)
        case "html":
            var reader = LibraryReportReader(store, now: now, most: PageStatisticsRoutes.reportLength)
            let page = LibraryReportPage(try reader.read(library).withoutProblems)
            try pass(page.document()[...], to: spool)
        default:
            let sink = { (bytes: UnsafeRawBufferPointer) throws(ETLError) in try spool.write(bytes) }
            if let program = program(format) {
                try LayoutExport(store, program).write(of: library, to: sink)
            } else if let format = Export.Format(rawValue: format) {
                try Export(store).write(
                    .books, as: format, of: library, guardsFormulas: format == .csv, to: sink)
            }
        }
    }

    private static func pass(_ bytes: ArraySlice<UInt8>, to spool: ResponseSpool) throws(ETLError) {
        try bytes.withUnsafeBufferPointer { (bytes) throws(ETLError) in
            try spool.write(UnsafeRawBufferPointer(bytes))
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
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        func next(_ descriptor: Int32) throws(ETLError) -> Int {
            do throws(ReadableFile.Refusal) { return try ReadableFile.next(descriptor, into: &buffer) } catch
            {
                throw error.failure(of: path)
            }
        }
        let descriptor: Int32
        do throws(ReadableFile.Refusal) { descriptor = try ReadableFile.open(path) } catch {
            throw error.failure(of: path)
        }
        defer { close(descriptor) }
        while case let count = try next(descriptor), count > 0 { try pass(buffer[..<count], to: spool) }
    }
}

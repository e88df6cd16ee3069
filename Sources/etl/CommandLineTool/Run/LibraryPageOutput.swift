import Glibc
import Jobs
import Pipeline
import Queries
import System

/// The library, or a year of it, as an HTML page in a file.
struct LibraryPageOutput {
    /// Source of the page's covers.
    enum Covers: String, Sendable, CaseIterable {
        case none, link, embed
    }

    static let page = Option(
        Setting<String?>.text(
            "html", "Write the library as an HTML page to this file instead; - is standard output"), "FILE")
    static let covers = Option(
        .choice("covers", default: Covers.none, "Covers on the page, and their source"), "WHERE")

    static let open = Option.flag("open", "Open the page in a browser")

    /// Whether the command line asks for a page.
    static func isWanted(_ arguments: ParsedArguments) -> Bool { arguments[page] != nil || arguments[open] }

    private let arguments: ParsedArguments
    private let console: Console

    init(_ arguments: ParsedArguments, _ console: Console) {
        self.arguments = arguments
        self.console = console
    }

    /// - Parameters:
    ///   - library: The library; nil for all.
    ///   - most: Length of the page's lists.
    ///   - isTechnical: Whether the page has the part about jobs, services and stages.
    func write(_ library: String?, of store: String, most: Int = 25, isTechnical: Bool)
        async throws(CommandFailure)
    {
        let file = try file(store, named: "library")
        let now = SystemClock().epochMilliseconds()
        let report = try StoreOutput.write(store, console) { (connection, _) throws(ETLError) in
            var reader = LibraryReportReader(connection, now: now, most: most)
            return try reader.read(library)
        }
        let page = LibraryReportPage(
            report, covers: try await images(report.covers), isTechnical: isTechnical,
            spelling: console.words.spelled)
        try write(page.document(), to: file)
    }

    func write(_ review: YearReview, of store: String) async throws(CommandFailure) {
        let file = try file(store, named: "\(review.year)")
        let page = YearReviewPage(
            review, covers: try await images(YearReviewPage.covers(of: review)),
            now: SystemClock().epochMilliseconds())
        try write(page.document(), to: file)
    }

    /// The file of the page: that of `--html`, else one for the browser in the user's cache.
    private func file(_ store: String, named name: String) throws(CommandFailure) -> OutputFile {
        var path = arguments[Self.page] ?? "-"
        if arguments[Self.page] == nil, arguments[Self.open], let folder = try ServiceSetup().cacheFolder {
            let pages = folder + "/pages"
            let code = Folder.make(pages, mode: 0o700)
            guard code == 0 else {
                throw CommandFailure(
                    .cannotCreate,
                    "The folder `\(pages)` cannot be made: \(String(cString: strerror(code))).",
                    advice: "Name a file for the page with --html.")
            }
            path = "\(pages)/\(name).html"
        }
        let file = OutputFile(path: path, option: "--html")
        try file.check(againstStore: store, input: nil)
        return file
    }

    private func write(_ document: [UInt8], to file: OutputFile) throws(CommandFailure) {
        try file.replace(with: String(decoding: document, as: UTF8.self))
        guard !file.isStandardOutput else { return }
        console.note("Wrote `\(file.path)`.")
        if arguments[Self.open], !Browser(environment: ProcessTexts.environment).open(file.path) {
            console.warn(
                "No browser could be started.", advice: "Set BROWSER to a program, or open the file yourself."
            )
        }
    }

    private func images(_ addresses: [String]) async throws(CommandFailure) -> ReportCovers {
        switch arguments[Self.covers] {
        case .none: return .none
        case .link: return .linked
        case .embed:
            let services = try ServiceSetup()
            let settings = try services.settings(named: [], isOffline: false, required: nil)
            let fetcher = CoverFetcher(
                settings, keptIn: services.cacheFolder.map { $0 + "/covers" }, stop: StopSignal())
            do throws(ETLError) {
                return .embedded(try await fetcher.images(at: addresses))
            } catch {
                throw CommandFailure(error)
            }
        }
    }
}

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
        let file = try file(store)
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
        let file = try file(store)
        let page = YearReviewPage(
            review, covers: try await images(YearReviewPage.covers(of: review)),
            now: SystemClock().epochMilliseconds())
        try write(page.document(), to: file)
    }

    private func file(_ store: String) throws(CommandFailure) -> OutputFile {
        let file = OutputFile(path: arguments[Self.page] ?? "-", option: "--html")
        try file.check(againstStore: store, input: nil)
        return file
    }

    private func write(_ document: [UInt8], to file: OutputFile) throws(CommandFailure) {
        try file.replace(with: String(decoding: document, as: UTF8.self))
        if !file.isStandardOutput { console.note("Wrote `\(file.path)`.") }
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

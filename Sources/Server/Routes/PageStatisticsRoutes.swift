import Contract
import Database
import Queries
import Store
import System

/// The library in figures, and a year of it. Both are the pages that the tool writes to files, with links.
enum PageStatisticsRoutes {
    static let all: [Route] = [
        PageRoutes.page(
            .get, "/page/statistics", "pageStatistics", scope: .search, taking: [library], failing: [404]
        ) { call, backend in
            .work(.bulk) { answer(call) { () throws(ETLError) in try statistics(call, backend) } }
        },
        PageRoutes.page(
            .get, "/page/year", "pageYear", scope: .search,
            taking: [
                library, .query("year", .whole(1...9_999), "The latest year with readings if it is absent."),
            ],
            failing: [404]
        ) { call, backend in
            .work(.bulk) { answer(call) { () throws(ETLError) in try year(call, backend) } }
        },
    ]

    private static let library = Operation.Parameter.query(
        "library", .text(.library), "The library that is counted; all if it is absent.")

    /// Length of the lists of the report.
    static let reportLength = 25

    private static func answer(
        _ call: Route.Call, _ document: () throws(ETLError) -> [UInt8]
    ) -> Response {
        do throws(ETLError) {
            return PageRoutes.html(try document())
        } catch {
            return PageRoutes.failure(error, call)
        }
    }

    private static func store(_ backend: Backend) throws(ETLError) -> Connection {
        guard let store = try StoreFile.openIfStarted(backend.settings.store) else {
            throw ETLError(.missing, "There are no books here yet.", advice: "Import a file first.")
        }
        return store
    }

    /// The address of a page about the library that is counted.
    private static func address(_ page: String, _ call: Route.Call, _ more: [(String, String?)] = [])
        -> String
    {
        let named = call.access.library == nil ? PageRoutes.namedLibrary(call) : nil
        return PageLink.path(page, [("library", named)] + more)
    }

    private static func statistics(_ call: Route.Call, _ backend: Backend) throws(ETLError) -> [UInt8] {
        var reader = LibraryReportReader(
            try store(backend), now: backend.clock.epochMilliseconds(), most: reportLength)
        let report = try reader.read(PageRoutes.namedLibrary(call)).withoutProblems
        let links = ReportLinks(
            base: call.site.base.text, style: PageAssets.reportStylePath,
            links: [
                ("Library", address("/page/library", call)), ("A year", address("/page/year", call)),
                ("Download this page", address("/page/export", call, [("format", "html")])),
            ])
        return LibraryReportPage(report, links: links).document()
    }

    private static func year(_ call: Route.Call, _ backend: Backend) throws(ETLError) -> [UInt8] {
        let named = PageRoutes.namedLibrary(call)
        let now = backend.clock.epochMilliseconds()
        let reader = try YearReviewReader(try store(backend), library: named)
        let thisYear = Int(Timestamp.withoutFraction(now).description.prefix(4)) ?? 0
        let asked = call.parameter("year").flatMap { Int($0) }
        var review = try reader.read(asked ?? thisYear, of: named)
        if asked == nil, review.readings.isEmpty, let latest = review.years.last {
            review = try reader.read(latest, of: named)
        }
        let years = review.years.suffix(mostYears).reversed().map {
            (text: "\($0)", path: address("/page/year", call, [("year", "\($0)")]))
        }
        let links = [
            (text: "Library", path: address("/page/library", call)),
            (text: "Statistics", path: address("/page/statistics", call)),
        ]
        return YearReviewPage(
            review, now: now,
            links: ReportLinks(
                base: call.site.base.text, style: PageAssets.reportStylePath, links: links + years)
        )
        .document()
    }

    /// Maximum number of years that the page of a year leads to.
    private static let mostYears = 12
}

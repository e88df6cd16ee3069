import Contract
import Database
import Queries
import Store
import System

/// The first page, and what every page says about its viewer.
enum PageHomeRoutes {
    /// Maximum number of jobs on the page.
    private static let mostJobs = 50
    /// Maximum number of jobs in the store that are looked at: a store of a server has many that are no longer shown.
    private static let mostStored = 500

    static let all: [Route] = [
        PageRoutes.page(.get, "/", "pageHome", scope: .import) { call, backend in
            .work(.readers) {
                let page = HomePage(
                    jobs: jobs(of: call, backend), viewer: call.viewer(backend),
                    limit: backend.uploads.limit, model: backend.settings.jobs.scans?.model,
                    isAdministrator: call.access.has(.admin))
                return PageRoutes.html(page.document())
            }
        }
    ]

    /// The jobs that the viewer may see, the latest first. Who may see all sees also those that were run without the server.
    private static func jobs(of call: Route.Call, _ backend: Backend) -> [HomePage.Item] {
        let seesAll = call.access.owner == nil || call.access.has(.admin)
        let cookies = Set(Credentials.cookies(call.head).map(\.name))
        // Corrections and decisions are jobs of their own, but the job is the same.
        let visible = backend.jobs.recent(most: mostJobs) { kept in
            [.files, .books, .photos].contains(kept.options.kind)
                && (seesAll || kept.owner == call.access.owner
                    || cookies.contains(JobRoutes.cookieName(of: kept.options.job)))
                && JobRoutes.isAuthorized(call, kept.options.job, backend)
        }
        let known = visible.compactMap { kept in
            backend.hub[kept.options.job].map { log in
                HomePage.Item(
                    name: kept.options.job, state: log.state,
                    files: kept.options.names.isEmpty
                        ? "Books to look up" : kept.options.names.joined(separator: ", "),
                    count: PageText.count(
                        log.progress.totalCount,
                        kept.options.kind != .photos ? "record" : kept.options.awaitsModel ? "photo" : "book"),
                    time: kept.acceptedAt)
            }
        }
        // The jobs that the server knows are shown even if the store cannot be read now.
        let stored = seesAll ? (try? storedJobs(call, backend)) ?? [] : []
        return Array((known + stored).sorted { $0.time > $1.time }.prefix(mostJobs))
    }

    private static func storedJobs(_ call: Route.Call, _ backend: Backend) throws(ETLError) -> [HomePage.Item]
    {
        guard let store = try StoreFile.openIfStarted(backend.settings.store) else { return [] }
        let running = StoreLock.jobRun(on: backend.settings.store)
        let jobs = try JobTable(store).newest(most: mostJobs, among: mostStored) { job in
            job.hasRecords && job.undoneBy == nil && backend.hub[job.name] == nil
                && JobRoutes.isAuthorized(call, job.name, backend)
        }
        return jobs.map { job in
            HomePage.Item(
                name: job.name, state: job.statusDTO(isRunning: job.name == running).state,
                files: ChangeList.fileNames(of: job).joined(separator: ", "),
                count: PageText.count(
                    job.counts.totalProcessed, job.options?.scan == nil ? "record" : "book"),
                time: job.startedAt)
        }
    }
}

extension Route.Call {
    /// Who looks at a page that says no more than a sentence.
    var viewer: PageViewer { PageViewer(isSignedIn: access.name != nil, base: site.base) }

    /// Who looks at a page, with the books to decide as far as they are known without a look at the store.
    func viewer(_ backend: Backend) -> PageViewer {
        var viewer = viewer
        // The folder has the books of all libraries, and the images that their owners chose.
        viewer.covers = access.library == nil ? backend.settings.covers : nil
        viewer.undecided = decidable(backend.browsing.undecided(in: access.library), backend)
        return viewer
    }

    /// Those of some jobs whose books the viewer may decide.
    func decidable(
        _ jobs: [(job: String, count: Int)], _ backend: Backend
    ) -> [(job: String, count: Int)] {
        guard access.has(.import) else { return [] }
        return jobs.filter { JobRoutes.isAuthorized(self, $0.job, backend) }
    }
}

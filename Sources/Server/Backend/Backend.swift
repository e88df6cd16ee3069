import Jobs
import Store
package import System

/// Services for routes: jobs, search, uploads, limits, and the pools on which work is done.
package final class Backend: Sendable {
    package let settings: ServerSettings
    package let clock: any RunClock
    /// Who sends requests, for all of them.
    package let authentication: Authentication
    package let jobs: JobRunner
    /// What the tokens of jobs allow.
    package let owners: OwnerAccess
    package let hub = EventHub()
    package let search: SearchService
    package let lookUps: BookLookUps
    package let repeats: RepeatedRequests
    /// What services have answered while clients waited.
    private let answers: SearchAnswers
    package let uploads: UploadFolder
    package let watch: StoreWatch
    /// The libraries that were browsed last.
    package let browsing: BrowseIndexes
    /// What stays open while the disk is almost full.
    package let held: HeldDatabases
    package let metrics = ServerMetrics()
    package let pools: WorkPools
    package let sockets: SocketLoop
    package let pendingUploads = PendingUploads()
    /// Nil without a webhook.
    package let webhook: WebhookSender?
    /// Nil if nothing keeps vectors current.
    let vectors: VectorUpdater?
    /// Nil without a nightly run.
    package let nightly: Nightly?
    /// Nil if covers are not fetched.
    package let covers: CoverUpdates?
    package let feeds = Guarded<[ObjectIdentifier: EventFeed]>([:])
    /// Names that clients have chosen for jobs that are being accepted.
    let claimed = Guarded<Set<String>>([])
    package let results = Guarded(ResultsCache())
    /// Figures of completed jobs, by name.
    let qualities = Guarded<[String: KnownQuality]>([:])
    private let limits: Guarded<ClientLimits>
    /// When ``clean()`` was called last, in nanoseconds of the clock.
    private let cleanedAt: Guarded<UInt64>
    /// When tokens of connected clients were looked at last.
    private let renewedAt: Guarded<UInt64>

    /// Interval of checks of the tokens of connected clients, in nanoseconds.
    private static let renewal: UInt64 = 60_000_000_000
    /// Interval of removals of expired data, in nanoseconds.
    private static let cleaning: UInt64 = 600_000_000_000

    /// Continues the work of an earlier process. Jobs are not run before ``JobRunner/start()``.
    package init(
        _ settings: ServerSettings, _ authentication: Authentication, clock: any RunClock = SystemClock()
    ) async throws(ETLError) {
        self.settings = settings
        self.authentication = authentication
        self.clock = clock
        limits = Guarded(ClientLimits(settings.limits))
        cleanedAt = Guarded(clock.nanoseconds())
        renewedAt = Guarded(clock.nanoseconds())
        pools = try WorkPools(readers: settings.readers)
        uploads = try UploadFolder(
            StorePath.real(settings.store) + ".uploads", limit: settings.uploadLimit,
            quota: settings.uploadQuota)
        watch = StoreWatch(store: settings.store)
        browsing = BrowseIndexes(watch: watch, clock: clock)
        held = HeldDatabases(store: settings.store, leastRoom: settings.leastRoom)
        await held.look()
        let queue = try JobQueue(store: settings.store)
        let answers = try SearchAnswers(JobQueue.path(of: settings.store))
        self.answers = answers
        var template = settings.jobs.lookUps
        template.answers = answers
        let lookUp = try SingleLookUp(
            template, in: uploads.path, timeout: settings.lookUpTimeout, clock: clock)
        search = try SearchService(
            store: settings.store, catalogs: settings.catalogs, lanes: settings.searchers,
            indexTimeout: settings.indexTimeout, watch: watch,
            services: settings.searchesServices
                ? ServiceSearch(
                    lookUp.services, cache: answers, clock: clock, timeout: settings.searchTimeout,
                    turn: settings.searchTurn
                ) { [metrics] in metrics.note($0) } : nil,
            embedder: settings.queryEmbedder, waiters: pools.lookUps,
            shortTimeout: settings.shortSearchTimeout, clock: clock)
        lookUps = BookLookUps(
            search, lookUp, metrics: metrics, clock: clock, timeout: settings.lookUpTimeout)
        repeats = RepeatedRequests(queue, on: pools.lookUps, clock: clock)
        let jobs = try await JobRunner(
            settings.jobs, queue: queue, hub: hub, uploads: uploads, metrics: metrics, watch: watch,
            clock: clock)
        self.jobs = jobs
        let owners = OwnerAccess(jobs: jobs, authentication: authentication)
        self.owners = owners
        webhook = settings.webhook.map { WebhookSender($0, queue, log: settings.log, clock: clock) }
        vectors = settings.vectorUpdate.map {
            VectorUpdater($0, on: jobs.threads, log: settings.log, clock: clock)
        }
        nightly =
            if let nightly = settings.nightly {
                try await Nightly(nightly, jobs, log: settings.log, clock: clock)
            } else { nil }
        covers = settings.coverUpdates.map { [watch] in
            CoverUpdates($0, of: settings.store, watch, log: settings.log, clock: clock)
        }
        sockets = try SocketLoop(hub: hub, clock: clock, limit: settings.socketLimit) { job in
            Task { await owners.cancel(job) }
        } renew: { job, token in
            owners.renew(token, of: job)
        } mayWatch: { job in
            owners.mayRead(job)
        }
        // Only the process that received them knew of pending and incomplete uploads. Nothing can use them now.
        let needed = jobs.needed
        for (name, _) in uploads.uploads() where !needed.contains(name) { uploads.remove(name) }
        for kept in jobs.recent() where needed.contains(kept.options.upload) {
            uploads.note(kept.options.upload, of: kept.user)
        }
    }

    /// Counts a request of a client; nil if it is not limited.
    ///
    /// - Parameters:
    ///   - client: The client's address.
    ///   - owner: The owner of its token, whose requests are counted together wherever they come from; nil without one.
    package func admit(_ client: String, owner: String?, _ kind: RequestClass) -> ClientLimits.Decision? {
        guard settings.hasClientLimits else { return nil }
        let now = Int64(clock.nanoseconds() / 1_000)
        let key = ClientAddress.user(owner, at: client)
        let isTrusted = owner != nil || IPAddress(client)?.isLoopback ?? false
        return limits.withLock { $0.admit(key, kind, isTrusted: isTrusted, at: now) }
    }

    /// Removes expired data.
    package func clean() async {
        await jobs.purge()
        let now = clock.epochMilliseconds()
        await answers.purge(now: now)
        let needed = pendingUploads.purge(now: now).union(jobs.needed)
        // An upload that is arriving now is younger than that.
        for (name, changed) in uploads.uploads()
        where !needed.contains(name) && Int64(changed) * 1_000 < now - 3_600_000 {
            uploads.remove(name)
        }
    }

    /// Work that is done a few times a second: it looks for changes of the store and for room on its disk, resumes jobs
    /// that waited for services, shares the time among users, updates the index and the vectors, keeps streams alive, and now and then
    /// removes expired data.
    package func tick() {
        watch.look()
        Task { [held] in await held.look() }
        jobs.resumeDue()
        jobs.shareTime()
        nightly?.tick()
        webhook?.tick()
        // An import changes the store many times a second. The index, the vectors and the covers need not follow each change.
        let load = jobs.load
        if load.running == nil {
            search.updateIndex()
            vectors?.update(to: watch.version)
            if load.waiting == 0 { covers?.tick(on: jobs.threads) }
        }
        let feeds = feeds.withLock { Array($0.values) }
        for feed in feeds {
            if authentication.access(ofOwner: feed.owner).keepsJobs { feed.keepAlive() } else { feed.cut() }
        }
        if isDue(renewedAt, every: Self.renewal) {
            for feed in feeds { if let token = feed.token { owners.renew(token, of: feed.job) } }
        }
        jobs.writeEnds()
        if isDue(cleanedAt, every: Self.cleaning) { Task { await clean() } }
    }

    private func isDue(_ last: Guarded<UInt64>, every pause: UInt64) -> Bool {
        let now = clock.nanoseconds()
        return last.withLock { last in
            guard now - last >= pause else { return false }
            last = now
            return true
        }
    }
}

import Formats
package import Jobs
import Pipeline
import Queries
package import Syntax

/// Everything that decides how a server behaves.
package struct ServerSettings: Sendable {
    package var http = HTTPServer.Settings()
    package var jobs: JobRunner.Settings
    /// The catalogs to search, in order of preference.
    package var catalogs: [String]
    package var sites = SiteRules()
    /// Path under which the server is mounted.
    package var base = BasePath.root
    package var addresses = ClientAddress()
    /// Whether clients are limited. A proxy in front may do that.
    package var hasClientLimits = true
    package var limits = LimitTable()
    /// What a user may import in a day.
    package var quotas: DailyQuotas {
        get { jobs.quotas }
        set { jobs.quotas = newValue }
    }
    /// Whether status and results of a job need a token also on a server without tokens.
    package var hasPrivateResults = false
    /// Maximum size of one upload in bytes.
    package var uploadLimit = 50 << 20
    /// Maximum size of one upload after decompression; nil for as much as valid data can. An upload of 50 MB can
    /// make two hundred times as much.
    package var expansionLimit: ExpansionLimit? {
        get { jobs.imports.reading.expansionLimit }
        set { jobs.imports.reading.expansionLimit = newValue }
    }
    /// The default of ``expansionLimit``, in bytes.
    package static let expansionBytes = 1 << 30
    /// Maximum number of records of one upload; nil for any number.
    package var recordLimit: Int? {
        get { jobs.imports.recordLimit }
        set { jobs.imports.recordLimit = newValue }
    }
    /// Maximum number of books in a library; nil for any number.
    package var bookLimit: Int? {
        get { jobs.imports.bookLimit }
        set { (jobs.imports.bookLimit, jobs.lookUps.bookLimit) = (newValue, newValue) }
    }
    /// Maximum size of all uploads together in bytes.
    package var uploadQuota = 2 << 30
    /// Free bytes of the disk below which the store is kept open; see ``HeldDatabases``.
    package var leastRoom = 1 << 30
    /// Maximum number of concurrent reads of the store.
    package var readers = 2
    /// Maximum number of concurrent searches.
    package var searchers = 2
    /// How long a search waits for an update of the store's index, in nanoseconds.
    package var indexTimeout: UInt64 = 100_000_000
    /// How long the look-up of a single book waits for services, in nanoseconds.
    package var lookUpTimeout: UInt64 = 30_000_000_000
    /// Whether searches ask services for what neither the store nor a catalog has.
    package var searchesServices = true
    /// Embeds queries; nil if there is no search by meaning.
    package var queryEmbedder: QueryEmbedder?
    /// Keeps the store's vectors current; nil if nothing does.
    package var vectorUpdate: VectorUpdate?
    /// How long a search waits for services, in nanoseconds.
    package var searchTimeout: UInt64 = 10_000_000_000
    /// How long a search waits for one service before it asks others, and for the authors of what it has found, in
    /// nanoseconds.
    package var searchTurn: UInt64 = 1_000_000_000
    /// How long a search that has books to show waits for services to add to them, in nanoseconds. Clients expect an
    /// answer within 500 ms.
    package var shortSearchTimeout: UInt64 = 450_000_000
    /// Maximum time of the preview of an upload, in nanoseconds.
    package var previewTime: UInt64 = 10_000_000_000
    /// Maximum number of WebSockets.
    package var socketLimit = 4_000
    /// Limits of `/ready`.
    package var readiness = Readiness.Limits()
    /// Receiver of the messages about ended jobs; nil for none.
    package var webhook: WebhookSender.Settings? {
        didSet { jobs.tellsEnds = webhook != nil }
    }
    /// Images of covers for the pages; nil for none.
    package var covers: CoverFiles?
    /// How missing covers are fetched in the background; nil if they are not.
    package var coverUpdates: CoverUpdates.Settings?
    /// The nightly run; nil for none.
    package var nightly: Nightly.Settings?
    /// Access log; nil for none.
    package var log: AccessLog?
    /// The program's version.
    package var version: String

    package init(jobs: JobRunner.Settings, catalogs: [String], version: String) {
        self.jobs = jobs
        self.catalogs = catalogs
        self.version = version
        expansionLimit = expansionLimit ?? ExpansionLimit(bytes: Self.expansionBytes)
        (self.jobs.imports.admitsReaders, self.jobs.lookUps.admitsReaders) = (true, true)
        self.jobs.scans?.imports.admitsReaders = true
    }

    /// The path of the store.
    package var store: String { jobs.imports.storePath }
}

extension JobRunner {
    /// Settings for running jobs.
    package struct Settings: Sendable {
        /// The request for imports, with store, catalogs, services and pipeline.
        package var imports: ImportRequest
        /// The same for lists of books to look up.
        package var lookUps: ImportRequest
        /// How photos are read; nil if the server reads none.
        package var scans: Scans?
        /// The request for refreshing the stored books; nil if there is no catalog and no service to ask.
        package var refreshes: ImportRequest?
        /// Whether messages about ended jobs are kept for a webhook.
        package var tellsEnds = false
        /// Lifetime of results, in hours.
        package var hoursKept = JobResults.hoursKept
        /// Maximum number of jobs that wait.
        package var waiting = 1_000
        /// What a user may import in a day.
        package var quotas = DailyQuotas()
        /// How long one job may work, in nanoseconds, as ``WorkTime`` counts it; nil for any time.
        package var jobTime: UInt64?

        /// How photos are read.
        package struct Scans: Sendable {
            package var model: VisionEndpoint
            /// How services are asked.
            package var services: ServiceSettings
            /// The request for importing the books, of the contract `ai_scan`.
            package var imports: ImportRequest

            package init(_ model: VisionEndpoint, _ services: ServiceSettings, imports: ImportRequest) {
                self.model = model
                self.services = services
                self.imports = imports
            }
        }

        package init(imports: ImportRequest, lookUps: ImportRequest) {
            self.imports = imports
            self.lookUps = lookUps
        }
    }
}

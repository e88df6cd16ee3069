import CommandLineTool
import Formats
import Jobs
import Server
import Syntax
import System

/// The settings of a server, from the options of `etl serve`.
struct ServeSetup {
    private let arguments: ParsedArguments

    init(_ arguments: ParsedArguments) { self.arguments = arguments }

    /// - Parameters:
    ///   - isLocal: Whether only this machine can reach the server.
    ///   - log: The file of the access log; nil for none.
    /// - Throws: `.configuration` for an option that cannot be used, `.missing` for a file that cannot be read.
    func settings(isLocal: Bool, _ log: LogFile?) throws(ETLError) -> ServerSettings {
        let catalogs = DefaultPaths.catalogs(arguments[ServeOptions.catalog])
        var settings = ServerSettings(
            jobs: .init(
                imports: try request([], catalogs),
                lookUps: try request(["contract=batch_enrichment"], catalogs)),
            catalogs: catalogs, version: Version.current)
        settings.jobs.scans = try scans(catalogs)
        settings.http.tls = try certificate()
        // All connections of a proxy have its address, and those of this machine have one address too.
        if !isLocal, arguments[ServeOptions.proxy].isEmpty {
            settings.http.connectionsPerAddress = arguments[ServeOptions.connections]
        }
        settings.sites = SiteRules(
            hosts: arguments[ServeOptions.host], origins: arguments[ServeOptions.origin])
        settings.base = try base()
        settings.addresses = ClientAddress(proxies: try proxies())
        settings.hasClientLimits = !arguments[ServeOptions.noLimits]
        settings.limits = try limits()
        settings.hasPrivateResults = arguments[ServeOptions.privateResults]
        settings.uploadLimit = arguments[ServeOptions.upload] << 20
        settings.expansionLimit = ExpansionLimit(bytes: arguments[ServeOptions.expanded] << 20)
        settings.searchesServices = arguments[ServeOptions.search] == .services
        settings.queryEmbedder = try EmbeddingSetup.queryEmbedder(DefaultPaths.store(arguments))
        settings.vectorUpdate = try EmbeddingSetup.update(DefaultPaths.store(arguments))
        settings.recordLimit = arguments[ServeOptions.records]
        settings.uploadQuota = arguments[ServeOptions.quota] << 20
        let (imports, daily) = (arguments[ServeOptions.imports], arguments[ServeOptions.daily])
        settings.quotas = DailyQuotas(
            imports: imports == 0 ? nil : imports, bytes: daily == 0 ? nil : daily << 20)
        let (books, minutes) = (arguments[ServeOptions.books], arguments[ServeOptions.jobTime])
        settings.bookLimit = books == 0 ? nil : books
        settings.jobs.jobTime = minutes == 0 ? nil : UInt64(minutes) * 60_000_000_000
        settings.jobs.refreshes = try refreshes(catalogs)
        if let time = arguments[ServeOptions.nightly] {
            guard settings.jobs.refreshes != nil else {
                throw ETLError(
                    .configuration,
                    "`\(ServeOptions.nightly.spelling)` has no catalog and no service to ask.",
                    advice:
                        "Specify a catalog with \(ServeOptions.catalog.spelling), or see `etl doctor` for the services."
                )
            }
            let store = DefaultPaths.store(arguments)
            settings.nightly = .init(
                at: time,
                backups: try arguments[ServeOptions.backup].map { (folder) throws(ETLError) in
                    try BackupFolder(folder, of: store, keeping: arguments[ServeOptions.keep])
                })
        }
        settings.covers = try covers()
        settings.coverUpdates = try coverUpdates()
        settings.webhook = try webhook()
        if let log { settings.log = try AccessLog(writing: log.write) }
        return settings
    }

    /// The covers of the pages; nil if the server has none.
    ///
    /// - Throws: `.missing` if the folder does not exist.
    private func covers() throws(ETLError) -> CoverFiles? {
        guard let folder = arguments[ServeOptions.covers] else { return nil }
        // Fetching covers makes the folder.
        guard arguments[ServeOptions.fetchesCovers] || Folder.names(in: folder) != nil else {
            throw ETLError(
                .missing, "`\(folder)` is not a folder that can be read.",
                advice: "`etl covers FOLDER` writes the covers of a library into one.")
        }
        return CoverFiles(folder: folder)
    }

    /// How missing covers are fetched; nil if they are not.
    private func coverUpdates() throws(ETLError) -> CoverUpdates.Settings? {
        guard arguments[ServeOptions.fetchesCovers], let folder = arguments[ServeOptions.covers] else {
            return nil
        }
        do throws(CommandFailure) {
            return .init(
                folder: folder,
                try ServiceSetup().settings(named: [], isOffline: false, required: nil))
        } catch {
            throw ETLError(.configuration, error.message, advice: error.advice)
        }
    }

    /// Path under which the server answers.
    func base() throws(ETLError) -> BasePath {
        let text = arguments[ServeOptions.base]
        guard let base = BasePath(text) else {
            throw ETLError(
                .usage, "`\(ServeOptions.base.spelling) \(text)` is not a path.",
                advice: "Write letters, digits, - . _ ~ and slashes, such as /books.")
        }
        return base
    }

    /// The file of the server's tokens; nil if it needs none.
    var tokenFile: TokenFile? { arguments[ServeOptions.tokens].map { TokenFile($0) } }

    /// A request for imports, complete but for its files.
    private func request(
        _ overrides: [String], _ catalogs: [String]
    ) throws(ETLError) -> ImportRequest {
        do throws(CommandFailure) {
            let definition = try Definitions.csvImport(overrides: overrides)
            var request = ImportRequest(
                reading: ReadSettings(files: []), storePath: DefaultPaths.store(arguments), freshName: "",
                definition: definition)
            request.catalogPaths = catalogs
            request.isOffline = arguments[ServeOptions.offline]
            request.services = try ServiceSetup.resolver(
                definition, named: nil, isOffline: request.isOffline, required: nil)
            return request
        } catch {
            throw ETLError(.configuration, error.message, advice: error.advice)
        }
    }

    /// How photos are read; nil if no model is configured, or the server uses no network.
    private func scans(_ catalogs: [String]) throws(ETLError) -> JobRunner.Settings.Scans? {
        let model: VisionEndpoint
        let services: ServiceSettings
        do throws(CommandFailure) {
            let setup = try ServiceSetup()
            guard !arguments[ServeOptions.offline], let configured = try setup.photoModel else { return nil }
            model = configured
            services = try setup.settings(named: [], isOffline: false, required: nil)
        } catch {
            throw ETLError(.configuration, error.message, advice: error.advice)
        }
        return .init(model, services, imports: try request(["contract=ai_scan"], catalogs))
    }

    /// The request for refreshing stored books; nil if there is nothing to ask.
    private func refreshes(_ catalogs: [String]) throws(ETLError) -> ImportRequest? {
        do throws(CommandFailure) {
            return try NightlyRefresh.request(
                store: DefaultPaths.store(arguments), catalogs, isOffline: arguments[ServeOptions.offline])
        } catch {
            throw ETLError(.configuration, error.message, advice: error.advice)
        }
    }

    /// Who is told when jobs end; nil for nobody.
    ///
    /// - Throws: `.configuration` if there is no secret.
    private func webhook() throws(ETLError) -> WebhookSender.Settings? {
        guard let url = arguments[ServeOptions.webhook] else { return nil }
        guard let secret = ProcessTexts.environment["ETL_WEBHOOK_SECRET"], !secret.isEmpty else {
            throw ETLError(
                .configuration,
                "`\(ServeOptions.webhook.spelling)` needs a secret in the variable ETL_WEBHOOK_SECRET.",
                advice: "Set it to a long random text that the receiver knows too.")
        }
        return try .init(
            url: url, secret: Array(secret.utf8), version: Version.current,
            environment: ProcessTexts.environment)
    }

    /// Certificate and private key; nil for plain HTTP.
    func certificate() throws(ETLError) -> (certificate: String, key: String)? {
        switch (arguments[ServeOptions.certificate], arguments[ServeOptions.key]) {
        case (nil, nil): return nil
        case (let certificate?, let key?):
            return (try text(certificate, what: "certificate"), try text(key, what: "private key"))
        default:
            throw ETLError(
                .usage,
                "HTTPS needs both \(ServeOptions.certificate.spelling) and \(ServeOptions.key.spelling).",
                advice: "Add the other one.")
        }
    }

    private func limits() throws(ETLError) -> LimitTable {
        var table = LimitTable()
        for text in arguments[ServeOptions.limit] where !table.take(text) {
            throw ETLError(
                .usage, "`--limit \(text)` is not a limit.",
                advice:
                    "Write a name and a number, such as enrich=20. Names are \(LimitTable.names.joined(separator: ", "))."
            )
        }
        return table
    }

    private func proxies() throws(ETLError) -> [ClientAddress.Range] {
        var ranges: [ClientAddress.Range] = []
        for text in arguments[ServeOptions.proxy] {
            guard let range = ClientAddress.Range(text) else {
                throw ETLError(
                    .usage, "`\(ServeOptions.proxy.spelling) \(text)` is not a range of addresses.",
                    advice: "Write an address, or a range such as 10.0.0.0/8.")
            }
            ranges.append(range)
        }
        return ranges
    }

    /// The file of the access log; nil for none.
    func log() throws(ETLError) -> LogFile? {
        guard let path = arguments[ServeOptions.log] else { return nil }
        return try LogFile(path)
    }

    private func text(_ path: String, what: String) throws(ETLError) -> String {
        let text: String?
        do throws(ReadableFile.Refusal) { text = try ReadableFile.text(of: path) } catch {
            let failure = error.failure(of: path)
            throw ETLError(
                failure.kind, "The \(what) cannot be used. \(failure.message)", advice: failure.advice)
        }
        guard let text else {
            throw ETLError(
                .configuration, "The \(what), `\(path)`, is not UTF-8 text.",
                advice: "Certificates and keys must be PEM files.")
        }
        return text
    }
}

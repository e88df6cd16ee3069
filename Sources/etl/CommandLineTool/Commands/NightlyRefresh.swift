import Formats
package import Jobs
import Pipeline
import Store
import System

/// The refresh that a server runs every night: what `etl enrich` does without further options.
package enum NightlyRefresh {
    /// Its request, complete but for the names of its jobs.
    ///
    /// - Returns: Nil if there is no catalog and no service to ask.
    package static func request(
        store: String, _ catalogs: [String], isOffline: Bool
    ) throws(CommandFailure) -> ImportRequest? {
        let definition = try Definitions.batchEnrichment()
        var request = ImportRequest(
            reading: ReadSettings(files: []), storePath: store, freshName: "", definition: definition)
        request.catalogPaths = catalogs
        request.isOffline = isOffline
        request.services = try ServiceSetup.resolver(
            definition, named: nil, isOffline: isOffline, required: nil)
        let asksServices = try EnrichCommand.asksServices(request)
        guard asksServices || !catalogs.isEmpty else { return nil }
        var options = RefreshOptions(mode: .replace)
        // Services have limits, catalogs do not.
        if asksServices { options.staleAfter = RefreshOptions.defaultAge }
        request.mode = .refresh(RefreshRequest(options))
        return request
    }
}

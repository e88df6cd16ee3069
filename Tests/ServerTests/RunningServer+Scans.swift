import Jobs
import Pipeline
import System
import TestSupport

@testable import Server
@testable import Services

extension RunningServer {
    /// A server that reads photos.
    ///
    /// - Parameter model: The services of which one is the model.
    static func scanning(
        _ model: any HTTPTransport, sample: SampleImport? = nil, tokens: ServerTokens = ServerTokens(),
        clock: any RunClock = StillClock(), lookingUp services: ImportRequest.Services? = nil
    ) async throws -> RunningServer {
        let definition = try DefinitionFile.read(
            DefinitionFile.load("\(ProjectFiles.root)/Pipelines/csv_import.yaml"), named: "csv_import.yaml",
            overrides: [try DefinitionOverride(option: "contract=ai_scan")])
        return try await RunningServer(sample, tokens: tokens, clock: clock) { settings in
            var model = (transport: model, settings: ServiceSettings())
            model.settings.transport = model.transport
            model.settings.limits = FakeClient.limits
            var request = settings.jobs.imports
            request.definition = definition
            if let services { request.services = services }
            settings.jobs.scans = .init(
                .gemini(url: "http://fake.test/vision", key: "any"), model.settings, imports: request)
        }
    }
}

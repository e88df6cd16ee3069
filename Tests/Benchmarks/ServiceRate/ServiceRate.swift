import FakeServices
import Foundation
import Pipeline
import TestSupport

/// `service-rate`: how fast services are asked through the code that an import uses, and how fast an import
/// is when all answers are cached.
@main
enum ServiceRate {
    static let usage = """
        usage: service-rate single|batched COUNT
               service-rate soak COUNT
               service-rate warm COUNT

          single    COUNT books, one per request, from a service that takes 10 ms per response
          batched   the same with fifty books per request
          soak      COUNT requests; prints memory and descriptors after each tenth
          warm      an import of COUNT records whose answers are all cached

        """

    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let count = Int(arguments[2]), count >= 0 else { return refuse(usage) }
        do {
            switch arguments[1] {
            case "single": try await AskingRate(isBatched: false).measure(count)
            case "batched": try await AskingRate(isBatched: true).measure(count)
            case "soak": try await AskingRate(isBatched: false).soak(count)
            case "warm": try await WarmImport(records: count).measure()
            case "serve": try serve()
            default: refuse(usage)
            }
        } catch {
            refuse("service-rate: \(error)\n")
        }
    }

    private static func refuse(_ sentence: String) {
        FileHandle.standardError.write(Data(sentence.utf8))
        exit(64)
    }

    /// The service in its own process: prints its port and answers until its standard input ends.
    private static func serve() throws(StageFailure) {
        let services = FakeServices()
        let server = try FakeServer { request in
            var reply = services.answer(request)
            reply.delayMilliseconds = 10
            return reply
        }
        FileHandle.standardOutput.write(Data("\(server.port)\n".utf8))
        _ = FileHandle.standardInput.availableData
        server.stop()
    }
}

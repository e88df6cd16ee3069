import FoundationEssentials
import Services
import System

/// Tells a monitoring service that a run starts, succeeds or fails, as healthchecks.io and its relatives expect it:
/// requests to the URL with `/start`, the URL itself, and the URL with `/fail`. A ping that fails is a warning and nothing
/// more.
struct Pings {
    private static let timeLimit: UInt64 = 10_000_000_000

    private let url: String
    private let console: Console
    private let client: CurlClient

    /// - Returns: nil without `--ping-url`.
    init?(_ arguments: ParsedArguments, _ console: Console) throws(CommandFailure) {
        guard let url = arguments[RunOptions.pingURL] else { return nil }
        self.url = url.hasSuffix("/") ? String(url.dropLast()) : url
        self.console = console
        do throws(HTTPFailure) {
            client = try CurlClient(
                version: Version.current, contact: nil, environment: ProcessTexts.environment)
        } catch {
            throw CommandFailure(.unavailable, "HTTP cannot be used, so `--ping-url` cannot be pinged.")
        }
    }

    func start() async { await ping("/start") }

    /// - Parameters:
    ///   - job: The job's name, if it has begun; part of the ping's body.
    ///   - isSuccess: Whether the run has done its work as far as possible.
    func end(_ status: ExitStatus, of job: String?, isSuccess: Bool) async {
        await ping(
            isSuccess ? "" : "/fail", "exit status \(status.rawValue)\(job.map { ", job \($0)" } ?? "")")
    }

    private func ping(_ path: String, _ text: String = "") async {
        let request = HTTPRequest(
            url + path, body: Array(text.utf8), timeLimit: Self.timeLimit, byteLimit: 1 << 16,
            allowsPrivateNetwork: true)
        do throws(HTTPFailure) {
            let response = try await client.send(request)
            if !(200..<300).contains(response.status) { warn("status \(response.status)") }
        } catch {
            warn(error.detail ?? "\(error)")
        }
    }

    private func warn(_ why: String) {
        let origin = HTTPRequest.origin(of: url)
        console.warn("The ping to \(origin) failed (\(why)).", advice: "Check --ping-url.")
    }
}

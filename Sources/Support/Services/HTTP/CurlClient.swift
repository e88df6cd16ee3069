import FoundationEssentials

/// HTTP with libcurl: connections are reused, responses decompressed, certificates checked.
///
/// Proxies are taken from the environment (`HTTPS_PROXY`, `NO_PROXY`), certificates from `SSL_CERT_FILE` if
/// it is set. An address in a private network is used only if the user configured it, never after a redirect.
/// If a request goes through a proxy, only the proxy knows the address.
package final class CurlClient: HTTPTransport {
    /// Maximum number of consecutive redirects.
    private static let redirectLimit = 5

    private let loop: CurlLoop
    private let proxies: ProxyPolicy

    /// - Parameters:
    ///   - contact: The user's e-mail address or URL, for the User-Agent; nil if unknown.
    ///   - environment: The variables with proxies and certificates.
    package init(
        version: String, contact: String?, environment: [String: String]
    ) throws(HTTPFailure) {
        let contactText = contact.map { " (\($0))" } ?? ""
        proxies = ProxyPolicy(environment)
        loop = try CurlLoop(
            CurlSettings(
                userAgent: "etl/\(version)\(contactText) gzip",
                certificates: environment["SSL_CERT_FILE"].flatMap { $0.isEmpty ? nil : $0 }))
    }

    deinit { loop.close() }

    package func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
        var request = request
        var opensConnection = false
        for _ in 0...Self.redirectLimit {
            let scheme = HTTPRequest.origin(of: request.url).prefix { $0 != ":" }
            guard scheme == "https" || scheme == "http" else { throw .forbiddenAddress }
            let response = try await transfer(request, opensConnection: opensConnection)
            guard let location = response.location, request.body == nil else { return response }
            opensConnection = HTTPRequest.origin(of: location) != HTTPRequest.origin(of: request.url)
            request = request.redirected(to: location)
        }
        throw .tooManyRedirects
    }

    private func transfer(
        _ request: HTTPRequest, opensConnection: Bool
    ) async throws(HTTPFailure) -> HTTPResponse {
        let number = loop.newNumber()
        let proxy = proxies.proxy(for: request.url)
        let refuses = proxy == nil && !request.allowsPrivateNetwork
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { (waiter: CheckedContinuation<CurlTransfer.Answer, Never>) in
                let transfer = CurlTransfer(
                    number: number, request: request, proxy: proxy, refusesPrivateAddresses: refuses,
                    opensConnection: opensConnection, waiter: waiter)
                guard !Task.isCancelled else { return transfer.finish(.failure(.canceled)) }
                loop.start(transfer)
            }
        } onCancel: {
            loop.cancel(number)
        }
        return try answer.get()
    }
}

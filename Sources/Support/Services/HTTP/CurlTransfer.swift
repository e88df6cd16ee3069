import Bytes
import CCurl
import FoundationEssentials
import Glibc

/// One request under way: the response that libcurl fills in, and the caller that waits for it.
/// The loop's thread also runs libcurl's callbacks.
// Proof: the sender hands it over under the lock of CurlLoop's commands. Then only the loop's thread uses it.
final class CurlTransfer: @unchecked Sendable {
    typealias Answer = Result<HTTPResponse, HTTPFailure>

    let number: Int
    let request: HTTPRequest
    /// The proxy that all its sockets connect to; nil to connect to the request's host.
    let proxy: String?
    /// Whether addresses of private networks are refused.
    let refusesPrivateAddresses: Bool
    /// Whether to open a new connection, because the address of an existing one was checked for another
    /// request.
    let opensConnection: Bool
    var response = HTTPResponse(status: 0)
    /// Whether the empty line after the header fields has arrived.
    private var isHeadComplete = false
    var isTooLarge = false
    var isForbidden = false
    /// Buffer for libcurl's error message, a C string.
    let message = UnsafeMutableBufferPointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    private var waiter: CheckedContinuation<Answer, Never>?

    init(
        number: Int, request: HTTPRequest, proxy: String?, refusesPrivateAddresses: Bool,
        opensConnection: Bool, waiter: CheckedContinuation<Answer, Never>
    ) {
        self.number = number
        self.request = request
        self.proxy = proxy
        self.refusesPrivateAddresses = refusesPrivateAddresses
        self.opensConnection = opensConnection
        self.waiter = waiter
        message.initialize(repeating: 0)
    }

    deinit { message.deallocate() }

    /// Returns the answer to the caller, once.
    func finish(_ answer: Answer) {
        waiter?.resume(returning: answer)
        waiter = nil
    }

    /// The result for a code of libcurl.
    ///
    /// - Parameter systemError: The `errno` of a failed connection; 0 if there was none.
    func answer(_ code: CURLcode, systemError: Int32 = 0) -> Answer {
        if isTooLarge { return .failure(.tooLarge) }
        if isForbidden { return .failure(.forbiddenAddress) }
        switch code {
        case CURLE_OK:
            // For libcurl, a connection that ends in the middle of the head is a response without a body.
            return isHeadComplete ? .success(response) : .failure(.cutOff)
        case CURLE_OPERATION_TIMEDOUT:
            return .failure(.timedOut)
        case CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM,
            CURLE_BAD_CONTENT_ENCODING,
            CURLE_GOT_NOTHING, CURLE_WEIRD_SERVER_REPLY, CURLE_SEND_ERROR:
            return .failure(.cutOff)
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR:
            return .failure(.insecure(certificateProblem ?? Self.words(code)))
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_URL_MALFORMAT:
            return .failure(.forbiddenAddress)
        case CURLE_COULDNT_RESOLVE_HOST: return .failure(.unreachable("could not resolve the host name"))
        case CURLE_COULDNT_RESOLVE_PROXY: return .failure(.unreachable("could not resolve the proxy's name"))
        case CURLE_COULDNT_CONNECT where systemError == ECONNREFUSED:
            return .failure(.refused)
        case CURLE_COULDNT_CONNECT where systemError != 0:
            return .failure(.unreachable(String(cString: strerror(systemError)).lowercased()))
        default:
            return .failure(.unreachable(Self.words(code)))
        }
    }

    /// The problem with the certificate: `certificate has expired` from `SSL certificate problem:
    /// certificate has expired`. Other messages may contain anything.
    private var certificateProblem: String? {
        let message = message.baseAddress.map { String(cString: $0) } ?? ""
        let prefix = "SSL certificate problem: "
        if message.hasPrefix(prefix) { return String(message.dropFirst(prefix.count).prefix(100)) }
        return message.contains("no alternative certificate subject name")
            || message.contains("does not match target host name")
            ? "the certificate is for another host" : nil
    }

    private static func words(_ code: CURLcode) -> String {
        String(cString: curl_easy_strerror(code)).lowercased()
    }

    // MARK: Callbacks of libcurl

    func take(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard response.body.count + bytes.count <= request.byteLimit else {
            isTooLarge = true
            return 0
        }
        response.body.append(contentsOf: bytes)
        return bytes.count
    }

    func takeField(_ line: UnsafeRawBufferPointer) {
        // The status line of another response. The header fields of an interim response are dropped.
        if line.starts(with: "HTTP/".utf8) {
            isHeadComplete = false
            return response.fields.removeAll()
        }
        if line.first == UInt8(ascii: "\r") || line.first == UInt8(ascii: "\n") { isHeadComplete = true }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
        // Further fields are ignored, so that thousands of them cost nothing.
        guard response.fields.count < 128, line.count < 8_192 else { return }
        let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
        let value = String(decoding: line[(colon + 1)...], as: UTF8.self)
        response.fields[name] = value.trimming(.spacesAndNewlines)
    }

    /// Opens a socket to an address, or refuses to.
    func open(_ address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
        let isAllowed =
            !refusesPrivateAddresses
            || withUnsafePointer(to: &address.pointee.addr) { AddressPolicy.isPublic($0) }
        guard isAllowed else {
            isForbidden = true
            return -1
        }
        isForbidden = false
        return socket(
            address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue),
            address.pointee.protocol)
    }
}

import CCurl
import FoundationEssentials
import System

/// Settings of a client's requests.
struct CurlSettings: Sendable {
    /// Names program and user (`etl/1.0 (mailto:…) gzip`). Some services demand it. Some
    /// compress responses only if it contains the word gzip.
    var userAgent: String
    /// A file of certificates to trust instead of the system's (`SSL_CERT_FILE`).
    var certificates: String?
    var connections = 128
    /// At least the number of concurrent requests to one service (``ServiceLimits/limited(perSecond:)``).
    var connectionsPerHost = 64

    private static let connectMilliseconds = 3_000
    /// A connection with fewer bytes per second for this many seconds is too slow.
    private static let slowBytes = 100
    private static let slowSeconds = 5

    /// Whether libcurl was initialized, which happens once.
    static let isLibraryReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// Prepares a handle for a transfer.
    ///
    /// - Returns: The list of header fields, which the handle needs until the transfer ends.
    func apply(
        to handle: UnsafeMutableRawPointer, _ transfer: CurlTransfer
    ) -> UnsafeMutablePointer<curl_slist>? {
        let request = transfer.request
        let owner = Unmanaged.passUnretained(transfer).toOpaque()
        func set(_ option: CURLoption, _ value: Int) { _ = etl_curl_set_long(handle, option, value) }
        func set(_ option: CURLoption, _ value: String) { _ = etl_curl_set_string(handle, option, value) }
        func set(_ option: CURLoption, fileName name: String) {
            name.withFileName { _ = etl_curl_set_string(handle, option, $0) }
        }
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        set(CURLOPT_URL, request.url)
        set(CURLOPT_USERAGENT, userAgent)
        set(CURLOPT_ACCEPT_ENCODING, "gzip")
        // More robust than HTTP/2 with servers that close a connection after a thousand streams.
        set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        // The client follows redirects itself, because it checks each one.
        set(CURLOPT_FOLLOWLOCATION, 0)
        // Set explicitly, because libcurl would otherwise read the environment. Which sockets are checked
        // depends on it.
        set(CURLOPT_PROXY, transfer.proxy ?? "")
        set(CURLOPT_NOPROXY, "")
        set(CURLOPT_CONNECTTIMEOUT_MS, Self.connectMilliseconds)
        set(CURLOPT_TIMEOUT_MS, Int(max(1, request.timeLimit / 1_000_000)))
        set(CURLOPT_LOW_SPEED_LIMIT, Self.slowBytes)
        set(CURLOPT_LOW_SPEED_TIME, Self.slowSeconds)
        set(CURLOPT_FRESH_CONNECT, transfer.opensConnection ? 1 : 0)
        if let certificates { set(CURLOPT_CAINFO, fileName: certificates) }
        _ = etl_curl_set_pointer(handle, CURLOPT_PRIVATE, owner)
        _ = etl_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, transfer.message.baseAddress)
        _ = etl_curl_set_receivers(handle, Self.body, Self.field, owner)
        _ = etl_curl_set_open_socket(handle, Self.open, owner)
        if let body = request.body {
            body.withUnsafeBytes { _ = etl_curl_set_body(handle, $0.baseAddress, $0.count) }
        }
        var fields: UnsafeMutablePointer<curl_slist>?
        // Otherwise libcurl asks for permission before it sends a long body, and waits a second for the
        // response.
        fields = curl_slist_append(fields, "Expect:")
        for field in request.fields { fields = curl_slist_append(fields, "\(field.name): \(field.value)") }
        _ = etl_curl_set_pointer(handle, CURLOPT_HTTPHEADER, fields)
        return fields
    }

    private static let body: etl_curl_bytes = { bytes, size, count, owner in
        transfer(owner)?.take(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
    }

    private static let field: etl_curl_bytes = { bytes, size, count, owner in
        transfer(owner)?.takeField(UnsafeRawBufferPointer(start: bytes, count: size * count))
        return size * count
    }

    private static let open: etl_curl_open = { owner, _, address in
        guard let address else { return -1 }
        return transfer(owner)?.open(address) ?? -1
    }

    private static func transfer(_ owner: UnsafeMutableRawPointer?) -> CurlTransfer? {
        owner.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
    }
}

/// The cached answer's validator, ETag or Last-Modified (RFC 9110, section 8.8), sent when the answer has expired. If
/// it is still current, the service sends status 304 and no body.
package struct CacheValidator: Sendable, Hashable {
    /// The value of `ETag`, quotes included.
    package var etag: String?
    /// The value of `Last-Modified`.
    package var modified: String?

    /// - Returns: nil without any value.
    package init?(etag: String?, modified: String?) {
        guard etag != nil || modified != nil else { return nil }
        self.etag = etag
        self.modified = modified
    }

    /// Those of a response; nil if it has none.
    init?(_ response: HTTPResponse) {
        self.init(
            etag: response.fields["etag"].flatMap { Self.usable($0) },
            modified: response.fields["last-modified"].flatMap { Self.usable($0) })
    }

    /// A header field is sent back as it came. One that is long or not plain ASCII is not worth it.
    private static func usable(_ value: String) -> String? {
        let isPlain = value.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
        return isPlain && (1...256).contains(value.utf8.count) ? value : nil
    }

    /// The header fields of a conditional request.
    var fields: [HTTPRequest.Field] {
        [etag.map { .init("If-None-Match", $0) }, modified.map { .init("If-Modified-Since", $0) }]
            .compactMap(\.self)
    }
}

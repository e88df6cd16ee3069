import CMicroHTTPD
import Glibc

/// The words of a request line where they arrived.
struct RequestLine {
    let method: UnsafePointer<CChar>
    let target: UnsafeRawBufferPointer
    let version: UnsafePointer<CChar>
}

/// Reads the head that libmicrohttpd has taken apart.
extension RequestHead {
    /// The name of an empty field that is put before those of the client. The address tells it from the client's.
    private static let hiddenCookies: StaticString = "Cookie"
    /// Maximum number of fields. libmicrohttpd needs 64 bytes for each.
    static let maximumFields = 128

    /// A head while its fields are listed.
    private struct Reading {
        var head: RequestHead
        var layout: HeadLayout
    }

    /// Keeps libmicrohttpd from listing cookies. Called before the fields of a request arrive.
    static func hideCookies(_ connection: OpaquePointer) {
        hiddenCookies.utf8Start.withMemoryRebound(to: CChar.self, capacity: hiddenCookies.utf8CodeUnitCount) {
            etl_http_hide_cookies(connection, $0)
        }
    }

    init(reading connection: OpaquePointer, _ line: RequestLine) {
        var reading = Reading(
            head: RequestHead(
                method: String(cString: line.method), target: line.target,
                isVersion10: strcmp(line.version, "HTTP/1.0") == 0),
            layout: HeadLayout(method: UInt(bitPattern: line.method), count: strlen(line.method)))
        reading.layout.addWord(at: UInt(bitPattern: line.target.baseAddress), count: line.target.count)
        reading.layout.addWord(at: UInt(bitPattern: line.version), count: strlen(line.version))
        withUnsafeMutablePointer(to: &reading) { reading in
            _ = MHD_get_connection_values_n(
                connection, .HEADER_KIND,
                { target, _, key, keyCount, text, textCount in
                    guard let target, let key, !RequestHead.isHidden(key) else { return .YES }
                    let reading = target.assumingMemoryBound(to: Reading.self)
                    let value = UnsafeRawBufferPointer(start: text, count: text == nil ? 0 : textCount)
                    reading.pointee.layout.addField(
                        name: UInt(bitPattern: key), count: keyCount,
                        value: UInt(bitPattern: text), valueCount: value.count)
                    reading.pointee.head.addField(UnsafeRawBufferPointer(start: key, count: keyCount), value)
                    return .YES
                }, reading)
        }
        reading.layout.finish(count: etl_http_head_size(connection))
        if !reading.layout.isClean { reading.head.isClean = false }
        self = reading.head
    }

    private static func isHidden(_ name: UnsafePointer<CChar>) -> Bool {
        UInt(bitPattern: name) == UInt(bitPattern: hiddenCookies.utf8Start)
    }
}

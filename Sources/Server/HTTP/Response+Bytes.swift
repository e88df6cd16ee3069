import Glibc

/// A response as bytes, for connections whose requests libmicrohttpd cannot read.
extension Response {
    /// Head and body of a response with the body `.bytes`, the last of its connection.
    ///
    /// - Parameter now: Milliseconds since 1970.
    func bytes(at now: Int64) -> [UInt8] {
        guard case .bytes(let body) = body else { return [] }
        let reason = status == 431 ? "Request Header Fields Too Large" : "Bad Request"
        var head = "HTTP/1.1 \(status) \(reason)\r\nDate: \(Self.date(now))\r\nConnection: close\r\n"
        for (name, value) in fields { head += "\(name): \(value)\r\n" }
        return Array("\(head)Content-Length: \(body.count)\r\n\r\n".utf8) + body
    }

    /// A date in HTTP's format: `Sun, 06 Nov 1994 08:49:37 GMT`.
    private static func date(_ milliseconds: Int64) -> String {
        var seconds = time_t(milliseconds / 1_000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ]
        func digits(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let day = "\(days[Int(parts.tm_wday)]), \(digits(parts.tm_mday)) \(months[Int(parts.tm_mon)])"
        let time = "\(digits(parts.tm_hour)):\(digits(parts.tm_min)):\(digits(parts.tm_sec))"
        return "\(day) \(parts.tm_year + 1_900) \(time) GMT"
    }
}

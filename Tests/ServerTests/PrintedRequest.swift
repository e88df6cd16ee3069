import Foundation
import TestSupport
import Testing

/// A request as the documents of the published clients print it: with their host, and no header field that they do not
/// send.
struct PrintedRequest {
    /// The host that they print.
    static let host = "api.oooefam.net"
    /// The fields that version 3.2 sends with every request.
    static let planFields = [("Content-Type", "application/json"), ("X-Client-Version", "ios-v3.7.5")]

    var method = "GET"
    var target: String
    var fields: [(String, String)] = []
    var body: [UInt8]?

    /// A request without fields of its own, as version 2.1 sends it.
    static func get(_ target: String) -> PrintedRequest { PrintedRequest(target: target) }

    /// A request of version 3.2.
    static func plan(
        _ method: String = "GET", _ target: String, _ more: [(String, String)] = [],
        body: (any Encodable)? = nil
    ) throws -> PrintedRequest {
        PrintedRequest(
            method: method, target: target, fields: planFields + more,
            body: try body.map { Array(try JSONEncoder().encode($0)) })
    }

    /// An upload as version 3.2 makes it.
    static func upload(_ file: String, to target: String, _ more: [(String, String)] = []) -> PrintedRequest {
        let boundary = "6F1D2C3B-2C1A-4B7E-8F7A-1F0F5D8A9E21"
        let body =
            "--\(boundary)\r\nContent-Disposition: form-data; name=\"file\"; filename=\"import.csv\"\r\n"
            + "Content-Type: text/csv\r\n\r\n\(file)\r\n--\(boundary)--\r\n"
        return PrintedRequest(
            method: "POST", target: target,
            fields: [("Content-Type", "multipart/form-data; boundary=\(boundary)")] + more,
            body: Array(body.utf8))
    }

    /// Sends it on a connection of its own.
    func answer(of running: RunningServer) throws -> RawClient.Answer {
        let client = try running.client()
        var head = "\(method) \(target) HTTP/1.1\r\nHost: \(Self.host)\r\n"
        for (name, value) in fields { head += "\(name): \(value)\r\n" }
        if let body { head += "Content-Length: \(body.count)\r\n" }
        try client.send(Array((head + "\r\n").utf8) + (body ?? []))
        return try client.answer()
    }
}

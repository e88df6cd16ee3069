import Foundation
import TestSupport
import Testing

@testable import Server

/// A browser without scripts: it keeps cookies, and follows to the next page.
final class PageBrowser {
    let running: RunningServer
    private(set) var cookies: [String: String] = [:]
    /// Path of the server; empty at the root.
    let base: String

    init(_ running: RunningServer, base: String = "") {
        self.running = running
        self.base = base
    }

    /// A browser that has signed in with a token.
    convenience init(_ running: RunningServer, token: String) throws {
        self.init(running)
        #expect(try send("/page/sign-in", "token=\(token)").answer.status == 303)
    }

    private var fields: [(String, String)] {
        let pairs = cookies.map { "\($0)=\($1)" }.joined(separator: "; ")
        return [("Accept", "text/html")] + (pairs.isEmpty ? [] : [("Cookie", pairs)])
    }

    private func keepCookie(_ answer: RawClient.Answer) {
        guard let pair = answer.fields["set-cookie"]?.split(separator: ";").first else { return }
        let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        cookies[String(halves[0])] = String(halves[1])
    }

    func open(_ path: String) throws -> RawClient.Answer {
        try running.client().request("GET", path, fields)
    }

    /// Sends a form.
    ///
    /// - Returns: The answer, and the page that it leads to.
    func send(
        _ path: String, type: String = "application/x-www-form-urlencoded", _ body: [UInt8],
        origin: String = "http://localhost"
    ) throws -> (answer: RawClient.Answer, next: String) {
        let answer = try running.client().request(
            "POST", path, fields + [("Content-Type", type), ("Origin", origin)], body: body)
        keepCookie(answer)
        return (answer, answer.fields["location"] ?? "")
    }

    func send(
        _ path: String, _ form: String, origin: String = "http://localhost"
    ) throws -> (answer: RawClient.Answer, next: String) {
        try send(path, Array(form.utf8), origin: origin)
    }

    /// Uploads a file and imports it.
    ///
    /// - Parameter library: The library; nil for the default one.
    /// - Returns: The path of its job's page.
    func importFile(
        _ file: String, name: String = "library.csv", library: String? = nil
    ) throws -> String {
        let form = RunningServer.form(file, name: name)
        let upload = try send("\(base)/page/uploads", type: form.type, form.body)
        try #require(upload.answer.status == 303, "\(upload.answer.text)")
        let job = try send(upload.next, "action=import" + (library.map { "&library=\($0)" } ?? ""))
        try #require(job.answer.status == 303, "\(job.answer.text)")
        return job.next
    }

    /// Opens a job's page when the job is done.
    func done(_ path: String) throws -> RawClient.Answer {
        let job = String(path.split(separator: "/").last ?? "")
        try running.wait(for: job, cookies["job_\(job)"] ?? "", base: base)
        return try open(path)
    }
}

extension RawClient.Answer {
    /// Name and token of the job that was accepted.
    func acceptedJob() throws -> (job: String, token: String) {
        #expect(status == 202, "\(text)")
        let data = try #require(try json()["data"] as? [String: Any])
        return (try #require(data["jobId"] as? String), try #require(data["token"] as? String))
    }

    /// The first link of a page whose address begins with a path.
    func link(_ path: String) throws -> String {
        let links = text.matches(of: #/href="([^"]+)"/#).map { String($0.1).replacing("&amp;", with: "&") }
        return try #require(links.first { $0.hasPrefix(path) }, "\(links)")
    }

    /// The fields of a page's hidden inputs, as a form sends them.
    var hiddenFields: String {
        text.matches(of: #/<input type="hidden" name="([^"]+)" value="([^"]*)">/#)
            .map { "\($0.1)=\($0.2)" }.joined(separator: "&")
    }
}

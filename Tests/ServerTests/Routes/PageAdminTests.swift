import Foundation
import Store
import System
import TestSupport
import Testing

@testable import Server

/// A clock that is a second later each time it is read.
private final class MovingClock: RunClock {
    private let seconds = Guarded<Int64>(1_800_000_000)

    func nanoseconds() -> UInt64 { SystemClock().nanoseconds() }
    func epochMilliseconds() -> Int64 {
        seconds.withLock { seconds in
            seconds += 1
            return seconds * 1_000
        }
    }
    func sleep(nanoseconds: UInt64) async { await SystemClock().sleep(nanoseconds: nanoseconds) }
}

/// The administrator's pages, as a browser without scripts uses them.
@Suite(.ownThread) struct PageAdminTests {
    /// Tokens `abc` of anna, `def` of ben, and `ghi` of an administrator.
    private static let tokens = """
        anna ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad search,import anna
        ben cb8379ac2098aa165029e3938a51da0bcecfc008fd6795f401178647f96c5b34 search,import ben
        root 50ae61e841fac4e8f9e40baf2ad36ec868922ea48368c18f9535e47db56dd7fb admin
        """
    /// The SHA-256 of `phone`.
    private static let phone = "45569da57f4b7bf472d7a864ef4781451cae6383fee9fb0ae40c59aa1ce475b7"
    private static let header = "Title,Author,ISBN,My Review\n"

    private static func server(
        _ tokens: String = tokens, clock: any RunClock = StillClock(), importing: Bool = false
    ) async throws -> RunningServer {
        try await RunningServer(
            tokens: try ServerTokens(parsing: tokens, named: "tokens"), clock: clock, importing: importing)
    }

    /// A server on which both have one book, and anna another one and a row that was rejected.
    private static func sharedServer(clock: any RunClock = StillClock()) async throws -> RunningServer {
        let running = try await server(clock: clock)
        for (token, table) in [
            (
                "abc",
                "\(header)Reef,Ana Lee,9780306406157,\nMy Diary,Ida Secret,9781234567897,private words\n"
            ),
            ("def", "\(header)Reef,Ana Lee,9780306406157,\n"),
        ] {
            let browser = try PageBrowser(running, token: token)
            _ = try browser.done(try browser.importFile(table))
        }
        return running
    }

    @Test func `only administrators see the page, and everybody does without tokens`() async throws {
        let running = try await Self.server()
        let anna = try PageBrowser(running, token: "abc")
        for path in ["/page/admin", "/page/admin/delete?token=ben"] {
            #expect(try anna.open(path).status == 303)
            #expect(try running.request("GET", path, [("Authorization", "Bearer abc")]).status == 401)
        }
        for path in ["cancel", "repeat", "delete"] {
            #expect(try anna.send("/page/admin/\(path)", "job=1&token=ben&name=ben").next == "/page/sign-in")
        }
        #expect(try !anna.open("/").text.contains("/page/admin"))
        let root = try PageBrowser(running, token: "ghi")
        #expect(try root.open("/").link("/page/admin") == "/page/admin")
        let page = try root.open("/page/admin").text
        #expect(page.contains("No job runs or waits.") && page.contains("Delete anna"))
        // A page of another site cannot send the form.
        let foreign = try root.send(
            "/page/admin/delete", "token=ben&name=ben", origin: "https://evil.example")
        #expect(foreign.answer.status == 403)
        #expect(try root.open("/page/admin").text.contains("Delete ben"))
        await running.server.stop()
        let open = try await RunningServer()
        #expect(try open.request("GET", "/page/admin", [("Accept", "text/html")]).status == 200)
        await open.server.stop()
    }

    @Test func `jobs are listed with their users and places, and canceled`() async throws {
        let running = try await Self.server(importing: true)
        let lock = HeldLock()
        try #require(lock.take(running.store))
        let (anna, ben) = (try PageBrowser(running, token: "abc"), try PageBrowser(running, token: "def"))
        _ = try anna.importFile("Title\nReef\n", name: "first.csv")
        let path = try ben.importFile("Title\nCove\n", name: "<second>.csv")
        let root = try PageBrowser(running, token: "ghi")
        let page = try root.open("/page/admin").text
        #expect(page.contains("first.csv") && page.contains("running") && page.contains("anna"))
        #expect(page.contains("&lt;second&gt;.csv") && page.contains("waiting, place 1"))
        let second = try #require(running.server.backend.jobs.recent().first { $0.tokenName == "ben" })
        #expect(try root.send("/page/admin/cancel", "job=\(second.id)").next == "/page/admin")
        #expect(try ben.done(path).text.contains("canceled"))
        for wrong in ["job=999", "job=x", ""] {
            #expect(try root.send("/page/admin/cancel", wrong).answer.status == 404)
        }
        lock.release()
        await running.server.stop()
    }

    @Test func `a job that failed is run again, with its upload`() async throws {
        let running = try await Self.server()
        let anna = try PageBrowser(running, token: "abc")
        let path = try anna.importFile("No,Columns,Of,Books\n1,2,3,4\n", name: "odd.csv")
        #expect(try anna.done(path).text.contains("failed"))
        let root = try PageBrowser(running, token: "ghi")
        #expect(try root.open("/page/admin").text.contains("Run again"))
        let job = try #require(running.server.backend.jobs.recent().first)
        #expect(try root.send("/page/admin/repeat", "job=\(job.id)").answer.status == 303)
        #expect(try anna.done(path).text.contains("failed"), "the file is the same")
        #expect(running.server.backend.jobs.recent().map(\.state) == [.failed])
        await running.server.stop()
        // One that has succeeded is not run again.
        let other = try await Self.server()
        let ben = try PageBrowser(other, token: "def")
        _ = try ben.done(try ben.importFile("Title\nReef\n"))
        let done = try #require(other.server.backend.jobs.recent().first)
        let admin = try PageBrowser(other, token: "ghi")
        #expect(try admin.send("/page/admin/repeat", "job=\(done.id)").answer.status == 404)
        await other.server.stop()
    }

    @Test(arguments: [StillClock(), MovingClock()] as [any RunClock])
    func `an account is deleted with all its data, after its name was typed`(clock: any RunClock) async throws
    {
        let running = try await Self.sharedServer(clock: clock)
        let (anna, root) = (try PageBrowser(running, token: "abc"), try PageBrowser(running, token: "ghi"))
        let ask = try root.open("/page/admin").link("/page/admin/delete?token=anna")
        let question = try root.open(ask)
        #expect(question.text.contains("This cannot be undone") && question.text.contains("2 books"))
        for name in ["", "ann", "ben", "Anna"] {
            let refused = try root.send("/page/admin/delete", "\(question.hiddenFields)&name=\(name)").answer
            #expect(refused.status == 400 && refused.text.contains("Nothing was deleted"))
        }
        #expect(try anna.open("/page/library").text.contains("My Diary"))
        let report = try root.send("/page/admin/delete", "\(question.hiddenFields)&name=anna").answer
        #expect(report.status == 200 && report.text.contains("anna was deleted"), "\(report.text)")
        for part in ["2 entries", "2 works", "2 editions", "1 author", "1 job with uploads"] {
            #expect(report.text.contains("<li>\(part)</li>"), "\(part) in \(report.text)")
        }
        // Neither token nor session is valid.
        #expect(try anna.open("/page/library").fields["location"] == "/page/sign-in")
        let refused = try running.request(
            "GET", "/v1/search/title?q=reef", [("Authorization", "Bearer abc")])
        #expect(refused.status == 401 && refused.text.contains("revoked"))
        // Others keep their books.
        let ben = try PageBrowser(running, token: "def")
        #expect(try ben.open("/page/library").text.contains("Reef"))
        #expect(running.server.backend.jobs.recent().map(\.tokenName) == ["ben"])
        #expect(try root.open("/page/library").text.contains("Reef"))
        #expect(try !root.open("/page/admin").text.contains("Delete anna"))
        #expect(try root.open(ask).status == 404, "it is gone")
        await running.server.stop()
        // Nothing of it is left in any file next to the store.
        let folder = (running.store as NSString).deletingLastPathComponent
        let files = try #require(FileManager.default.enumerator(atPath: folder))
        for case let name as String in files where name.hasPrefix("library.sqlite") {
            guard let data = FileManager.default.contents(atPath: "\(folder)/\(name)") else { continue }
            for words in ["private words", "My Diary", "Ida Secret"] {
                #expect(data.range(of: Data(words.utf8)) == nil, "\(words) in \(name)")
            }
        }
    }

    @Test func `an account whose deletion failed half-way can still be deleted`() async throws {
        let running = try await Self.sharedServer()
        // The books are removed, and the history that could bring them back is still there.
        _ = try await ResultsStore(running.store).forget("anna", as: "half")
        let later = Self.tokens.split(separator: "\n").dropFirst().joined(separator: "\n")
        try running.server.renew(tokens: try ServerTokens(parsing: later, named: "tokens"), nil)
        let root = try PageBrowser(running, token: "ghi")
        let ask = try root.open("/page/admin").link("/page/admin/delete?library=anna")
        let report = try root.send(
            "/page/admin/delete", "\(try root.open(ask).hiddenFields)&name=anna"
        ).answer
        #expect(report.status == 200 && report.text.contains("anna was deleted"), "\(report.text)")
        #expect(try root.open(ask).status == 404 && !root.open("/page/admin").text.contains("Delete anna"))
        await running.server.stop()
    }

    @Test func `an upload that waits belongs to its token, and is deleted with the account`() async throws {
        let running = try await Self.server()
        let (anna, ben) = (try PageBrowser(running, token: "abc"), try PageBrowser(running, token: "def"))
        let form = RunningServer.form("Title\nReef\n")
        let upload = try anna.send("/page/uploads", type: form.type, form.body).next
        #expect(try anna.open(upload).status == 200 && ben.open(upload).status == 404)
        for action in ["import", "discard"] {
            #expect(try ben.send(upload, "action=\(action)").answer.status == 404)
        }
        let root = try PageBrowser(running, token: "ghi")
        #expect(try root.send("/page/admin/delete", "token=anna&name=anna").answer.status == 200)
        #expect(
            running.server.backend.uploads.uploads().isEmpty && running.server.backend.uploads.usedBytes == 0)
        await running.server.stop()
    }

    @Test func `whoever gets the name of a deleted account sees nothing of its history`() async throws {
        let running = try await Self.sharedServer()
        let root = try PageBrowser(running, token: "ghi")
        #expect(try root.send("/page/admin/delete", "token=anna&name=anna").answer.status == 200)
        let later =
            Self.tokens.replacing("anna ba78", with: "old ba78") + "\nanna \(Self.phone) search,import anna\n"
        try running.server.renew(tokens: try ServerTokens(parsing: later, named: "tokens"), nil)
        let anna = try PageBrowser(running, token: "phone")
        #expect(try !anna.open("/page/library").text.contains("Removed"))
        _ = try anna.done(try anna.importFile("\(Self.header)Reef,Ana Lee,9780306406157,\n", name: "new.csv"))
        for path in ["/page/library", "/page/book?id=9780306406157"] {
            let page = try anna.open(path).text
            #expect(page.contains("Imported new.csv") && !page.contains("Removed"), "\(page)")
            #expect(page.components(separatedBy: "<span>Imported").count == 2)
        }
        let jobs = try root.open("/page/library").text
        #expect(jobs.contains("Removed the library anna"))
        await running.server.stop()
    }

    @Test func `a library that another token uses stays, and so does one's own token`() async throws {
        let running = try await Self.server(
            Self.tokens
                + "\nphone 3608bca1e44ea6c4d268eb6db02260269892c0b42b86bbf1e77a6fa16c3c9282 search,import anna\n"
        )
        let anna = try PageBrowser(running, token: "abc")
        _ = try anna.done(try anna.importFile("Title\nReef\n"))
        let root = try PageBrowser(running, token: "ghi")
        let report = try root.send("/page/admin/delete", "token=anna&name=anna").answer
        #expect(report.text.contains("The library anna stays: phone uses it too."), "\(report.text)")
        #expect(try root.open("/page/library").text.contains("Reef"))
        let own = try root.send("/page/admin/delete", "token=root&name=root").answer
        #expect(own.status == 400 && own.text.contains("You are signed in with this token"))
        await running.server.stop()
    }

    @Test func `a running job of another user goes on after a deletion`() async throws {
        let running = try await Self.server(importing: true)
        let ben = try PageBrowser(running, token: "def")
        let path = try ben.importFile(try RunningServer.export)
        let root = try PageBrowser(running, token: "ghi")
        #expect(try root.send("/page/admin/delete", "token=anna&name=anna").answer.status == 200)
        #expect(try ben.done(path).text.contains("Import done"))
        await running.server.stop()
    }

    @Test func `a library without a token is deleted by its name`() async throws {
        let running = try await RunningServer(importing: true)
        let root = PageBrowser(running)
        let question = try root.open(try root.open("/page/admin").link("/page/admin/delete?library=default"))
        let report = try root.send("/page/admin/delete", "\(question.hiddenFields)&name=default").answer
        #expect(report.status == 200 && report.text.contains("default was deleted"))
        #expect(try root.open("/page/library").text.contains("no books here"))
        await running.server.stop()
    }
}

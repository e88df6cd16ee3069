import Foundation
import Jobs
import TestSupport
import Testing

@testable import Server

/// The pages as a browser without scripts uses them.
@Suite(.ownThread) struct PageRoutesTests {
    @Test func `a preview shows rating, shelf and day, and the columns that are not read`() async throws {
        let browser = PageBrowser(try await RunningServer())
        let form = RunningServer.form(
            "Title,Author,My Rating,Exclusive Shelf,Date Read,Colour\nReef,Ana Lee,4,read,3/25/2024,blue\n")
        let upload = try browser.send("/page/uploads", type: form.type, form.body)
        let preview = try browser.open(upload.next).text
        for cell in [
            "data-name=\"Rating\">4<", "data-name=\"Shelf\">read<", "data-name=\"Read\">2024-03-25<",
        ] {
            #expect(preview.contains(cell), "\(cell)")
        }
        #expect(preview.contains("not shown in your library: <span dir=\"auto\">Colour</span>"))
        #expect(preview.contains("<option value=\"storygraph\">The StoryGraph</option>"))
        await browser.running.server.stop()
    }

    @Test func `a preview says what the library has already, and asks what becomes of it`() async throws {
        let browser = PageBrowser(try await RunningServer())
        func goodreads(added: String) -> String {
            let rows = (1...5).map { book in
                let day = book.isMultiple(of: 2) ? "\(added.dropLast())9" : added
                return GoodreadsRows.row(
                    "\(book)", "Book \(book)", "Ana Lee", GoodreadsRows.isbn(book), date: day)
            }
            return ([GoodreadsRows.header] + rows).joined(separator: "\n") + "\n"
        }
        func preview(_ file: String) throws -> (path: String, text: String) {
            let form = RunningServer.form(file)
            let path = try browser.send("/page/uploads", type: form.type, form.body).next
            return (path, try browser.open(path).text)
        }
        _ = try browser.done(try browser.importFile(goodreads(added: "2020/01/02")))
        let again = try preview(goodreads(added: "2020/01/02")).text
        #expect(again.contains("5 of these records are in your library already, from another table."))
        #expect(!again.contains("required"))

        let isbn = GoodreadsRows.isbn(1)
        let (joining, second) = try preview(
            "Title,Authors,ISBN/UID,Read Status,Last Date Read,Star Rating\nBook 1,Ana Lee,\(isbn),read,,4.0\n"
        )
        #expect(second.contains("books of this file already, from another table (1)."))
        #expect(second.matches(of: #/type="radio" name="join" value="(true|false)" required/#).count == 2)

        let (path, other) = try preview(goodreads(added: "2023/05/06"))
        #expect(
            other.contains("This looks like another person’s file.") && other.contains("name=\"samePerson\""))
        let apart = try browser.send(path, "action=inspect&library=ben").answer.text
        #expect(!apart.contains("another person’s file"))
        // Also without the browser's own check the upload stays, and the question.
        for (page, question) in [
            (path, "Whose file is this?"), (joining, "Books that you have from another program"),
        ] {
            let asked = try browser.open(page).hiddenFields
            let unanswered = try browser.send(page, "action=import&\(asked)").answer
            #expect(
                unanswered.status == 400 && unanswered.text.contains("Answer the question “\(question)”."))
        }
        let refused = try browser.done(try browser.send(path, "action=import").next).text
        #expect(refused.contains("looks like another person"), "\(refused)")
        await browser.running.server.stop()
    }

    @Test func `a file is uploaded, looked at, imported and shown without scripts`() async throws {
        let browser = PageBrowser(try await RunningServer())
        let home = try browser.open("/")
        #expect(home.status == 200 && home.text.contains("<h1>Import your library</h1>"))
        let form = RunningServer.form("Title,Author,ISBN\nReef,Ana Lee,9780306406157\n,,1\n")
        let upload = try browser.send("/page/uploads", type: form.type, form.body)
        #expect(upload.answer.status == 303)
        let preview = try browser.open(upload.next)
        #expect(preview.status == 200 && preview.text.contains("Reef") && preview.text.contains("Ana Lee"))
        #expect(preview.text.contains("<dd>Any other table</dd>"))
        #expect(!FileManager.default.fileExists(atPath: browser.running.store), "nothing is stored yet")
        let wrong = try browser.send(upload.next, "action=inspect&format=pdf")
        #expect(wrong.answer.status == 400 && wrong.answer.text.contains("role=\"alert\""))
        let job = try browser.send(upload.next, "action=import&library=anna+b")
        #expect(job.answer.status == 303)
        let page = try browser.done(job.next)
        #expect(page.text.contains("<h1>Import done</h1>") && page.text.contains("Reef"))
        #expect(page.text.contains("<dt>set aside</dt><dd>1</dd>"))
        #expect(try browser.open("/").text.contains(job.next))
        let library = try browser.open("/page/library?library=anna%20b")
        #expect(library.text.contains("Reef"))
        let found = try browser.open("/page/library?q=reef")
        #expect(found.text.contains("1 of 1 book"))
        #expect(try browser.open("/page/library?q=978-0-306-40615-7").text.contains("Reef"))
        let link = try #require(found.text.firstMatch(of: #/href="(\/page\/book\?id=[^"]+)"/#)?.1)
        #expect(try browser.open(String(link)).text.contains("<h1>Reef</h1>"))
        #expect(try browser.open("/page/export?format=csv").text.contains("Reef"))
        #expect(try browser.open("\(job.next)/errors.csv").text.contains("Title,Author,ISBN"))
        #expect(try browser.open("\(job.next)/results.json").status == 200)
        // The address of the upload is used up.
        #expect(try browser.open(upload.next).status == 404)
        // Without tokens, everybody who may browse sees all jobs.
        let other = PageBrowser(browser.running)
        #expect(try other.open(job.next).status == 200)
        #expect(try other.open("/").text.contains(job.next))
        await browser.running.server.stop()
    }

    @Test func `a browser keeps the cookies of its latest hundred jobs`() async throws {
        let browser = PageBrowser(try await RunningServer())
        let form = RunningServer.form("Title,ISBN\nReef,9780306406157\n")
        let upload = try browser.send("/page/uploads", type: form.type, form.body)
        let client = try browser.running.client()
        let cookies = (1...110).map { "job_\($0)=x" }.joined(separator: "; ")
        try client.send(
            "POST \(upload.next) HTTP/1.1\nHost: localhost\nConnection: close\nOrigin: http://localhost\n"
                + "Content-Type: application/x-www-form-urlencoded\nContent-Length: 13\nCookie: \(cookies)\n\n"
                + "action=import")
        let answer = String(decoding: try client.rest(), as: UTF8.self).replacing("\r\n", with: "\n")
        let ended = answer.matches(of: #/Set-Cookie: job_([0-9]+)=;[^\n]*Max-Age=0/#).compactMap { Int($0.1) }
        #expect(ended == Array(1...11), "\(answer)")
        await browser.running.server.stop()
    }

    @Test func `the page of a canceled import says how to import the rest`() async throws {
        let browser = PageBrowser(try await RunningServer(importing: true))
        let lock = HeldLock()
        try #require(lock.take(browser.running.store))
        let path = try browser.importFile("Title\nReef\n")
        #expect(try browser.open(path).text.contains("Importing"))
        #expect(try browser.send("\(path)/cancel", "").next == path)
        let page = try browser.done(path)
        #expect(page.text.contains("Import canceled") && page.text.contains(">Upload the file again</a>"))
        lock.release()
        await browser.running.server.stop()
    }

    @Test func `a second click on import shows the job of the first one`() async throws {
        let running = try await RunningServer()
        let (browser, other) = (PageBrowser(running), PageBrowser(running))
        let form = RunningServer.form("Title\nReef\n")
        let upload = try browser.send("/page/uploads", type: form.type, form.body)
        // The second one is sent before the answer to the first one is there, as browsers do.
        let clicks = try (0..<2).map { _ in try running.client() }
        for click in clicks {
            try click.send(
                "POST \(upload.next) HTTP/1.1\nHost: localhost\nOrigin: http://localhost\nContent-Length: 13\n"
                    + "Content-Type: application/x-www-form-urlencoded\n\n")
            try click.send(Array("action=import".utf8))
        }
        let answers = try clicks.map { try $0.answer() }
        #expect(answers.map(\.status) == [303, 303])
        #expect(Set(answers.map { $0.fields["location"] }).count == 1)
        #expect(Set(answers.map { $0.fields["set-cookie"] }).count == 2, "each has a token")
        #expect(running.server.backend.jobs.recent().count == 1)
        let later = try browser.send(upload.next, "action=import")
        #expect(later.next == answers[0].fields["location"])
        #expect(try browser.done(later.next).text.contains("Reef"))
        #expect(running.server.backend.jobs.recent().count == 1)
        #expect(try other.send(upload.next, "action=discard").answer.status == 404, "it is imported")
        await running.server.stop()
    }

    @Test func `all pages that queue a job say when too many wait`() async throws {
        let browser = PageBrowser(try await RunningServer(importing: true) { $0.jobs.waiting = 1 })
        let running = browser.running
        let path = try browser.importFile("Title,ISBN\nReef,\n,123\n")
        _ = try browser.done(path)
        let lock = HeldLock()
        try #require(lock.take(running.store))
        let form = RunningServer.form("Title\nReef\n")
        let upload = try browser.send("/page/uploads", type: form.type, form.body)
        for _ in 0..<2 { #expect(try running.upload("Title\nReef\n").status == 202) }
        let job = try #require(path.split(separator: "/").last)
        let list = RunningServer.form("Row,Title\n2,Reef\n")
        let answers = [
            try browser.send(upload.next, "action=import").answer,
            try browser.send("\(path)/corrections", type: list.type, list.body).answer,
            try running.upload(
                "Row,Title\n2,Reef\n", to: "/v1/jobs/\(job)/corrections",
                headers: [("Authorization", "Bearer \(browser.cookies["job_\(job)"] ?? "")")]),
        ]
        for answer in answers {
            #expect(answer.status == 503 && answer.fields["retry-after"] == "60")
            #expect(answer.text.contains("Too many jobs wait."))
        }
        lock.release()
        // The upload is still there.
        #expect(try browser.open(upload.next).status == 200)
        await running.server.stop()
    }

    @Test func `an upload that is discarded is gone`() async throws {
        let browser = PageBrowser(try await RunningServer())
        let form = RunningServer.form("Title\nReef\n")
        let upload = try browser.send("/page/uploads", type: form.type, form.body)
        #expect(browser.running.server.backend.uploads.usedBytes > 0)
        #expect(try browser.send(upload.next, "action=discard").next == "/")
        #expect(browser.running.server.backend.uploads.usedBytes == 0)
        #expect(try browser.open(upload.next).status == 404)
        await browser.running.server.stop()
    }

    @Test func `nothing that a file or an address holds becomes a part of the page`() async throws {
        let browser = PageBrowser(try await RunningServer())
        let hostile = "<script>alert(1)</script>"
        let path = try browser.importFile(
            "Title,Author\n\(hostile),\"\"\"><img src=x onerror=alert(2)>\"\n", name: "\(hostile).csv")
        let pages = [
            try browser.done(path), try browser.open("/"), try browser.open("/page/library"),
            try browser.open(
                "/page/library?q=\(hostile.replacing("<", with: "%3C").replacing(">", with: "%3E"))"),
            try browser.open("/page/nothing/%3Cscript%3E"),
        ]
        for page in pages {
            #expect(!page.text.contains("<script>alert") && !page.text.contains("<img"), "\(page.text)")
        }
        #expect(pages[0].text.contains("&lt;script&gt;"))
        await browser.running.server.stop()
    }

    @Test func `pages load nothing from elsewhere, and nobody may frame them`() async throws {
        let browser = PageBrowser(try await RunningServer())
        let path = try browser.importFile("Title\nReef\n")
        _ = try browser.done(path)
        for place in ["/", path, "/page/library", "/page/sign-in"] {
            let page = try browser.open(place)
            let policy = try #require(page.fields["content-security-policy"])
            #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
            #expect(!policy.contains("unsafe"))
            #expect(page.fields["x-content-type-options"] == "nosniff")
            #expect(page.fields["cache-control"] == "no-store")
            #expect(page.text.hasPrefix("<!DOCTYPE html><html lang=\"en\">"))
            for match in page.text.matches(of: #/(?:href|src|action)="([^"]*)"/#) {
                #expect(match.1.hasPrefix("/") || match.1.hasPrefix("#"), "\(match.1)")
                #expect(!match.1.hasPrefix("//"))
            }
            #expect(page.text.firstMatch(of: #/ (on[a-z]+|style)="/#) == nil, "the policy forbids it")
            // Each field has a label.
            for match in page.text.matches(of: #/<(?:input|select)[^>]* id="([^"]+)"/#) {
                #expect(page.text.contains("for=\"\(match.1)\""), "\(match.1)")
            }
            for asset in page.text.matches(of: #/(?:href|src)="(\/page\/(?:style|script)-[^"]+)"/#) {
                let answer = try browser.open(String(asset.1))
                #expect(answer.status == 200 && answer.fields["cache-control"]?.contains("immutable") == true)
            }
        }
        await browser.running.server.stop()
    }

    @Test func `a server with tokens asks for one before it shows anything`() async throws {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        let browser = PageBrowser(
            try await RunningServer(
                tokens: try ServerTokens(parsing: "anna \(abc) search,import anna", named: "tokens")))
        let home = try browser.open("/")
        #expect(home.status == 303 && home.fields["location"] == "/page/sign-in")
        #expect(try browser.send("/page/sign-in", "token=wrong").answer.status == 401)
        let signedIn = try browser.send("/page/sign-in", "token=abc")
        #expect(signedIn.next == "/")
        let cookie = try #require(signedIn.answer.fields["set-cookie"])
        #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"))
        #expect(cookie.contains("Max-Age=2592000") && !cookie.contains("=abc;"))
        let session = [("Accept", "text/html"), ("Cookie", String(cookie.prefix { $0 != ";" }))]
        #expect(try browser.open("/").text.contains("Sign out"))
        let path = try browser.importFile("Title\nReef\n")
        #expect(try browser.done(path).text.contains("Reef"))
        _ = try browser.send("/page/sign-out", "")
        #expect(try browser.open("/").status == 303)
        #expect(
            try browser.running.client().request("GET", "/", session).status == 303,
            "a cookie that was kept is of no use")
        await browser.running.server.stop()
    }

    @Test func `a session ends with its token, whose holder is told`() async throws {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        let line = "anna \(abc) search,import anna"
        let browser = PageBrowser(
            try await RunningServer(tokens: try ServerTokens(parsing: line, named: "tokens")))
        #expect(try browser.send("/page/sign-in", "token=abc").next == "/")
        #expect(try browser.open("/").status == 200)
        try browser.running.server.renew(
            tokens: ServerTokens(parsing: line + " revoked", named: "tokens"), nil)
        #expect(try browser.open("/").fields["location"] == "/page/sign-in")
        let refused = try browser.send("/page/sign-in", "token=abc").answer
        #expect(refused.status == 401 && refused.text.contains("This token has been revoked."))
        let answer = try browser.running.request(
            "GET", "/v1/search/isbn?isbn=1", [("Authorization", "Bearer abc")])
        #expect(answer.status == 401 && answer.text.contains("This token has been revoked."))
        // A token that gets its name does not bring the session back.
        try browser.running.server.renew(tokens: ServerTokens(parsing: line, named: "tokens"), nil)
        #expect(try browser.open("/").status == 303)
        await browser.running.server.stop()
    }

    @Test func `a form of another site changes nothing`() async throws {
        let running = try await RunningServer()
        let form = RunningServer.form("Title\nReef\n")
        let answer = try running.client().request(
            "POST", "/page/uploads", [("Content-Type", form.type), ("Origin", "https://evil.example")],
            body: form.body)
        #expect(answer.status == 403)
        #expect(running.server.backend.uploads.usedBytes == 0)
        await running.server.stop()
    }

    @Test func `a column is given another meaning, and two columns cannot have one`() async throws {
        let browser = PageBrowser(try await RunningServer())
        let form = RunningServer.form("Buch,Wer,Punkte\nReef,Ana Lee,4\n")
        let path = try browser.send("/page/uploads", type: form.type, form.body).next
        #expect(try browser.open(path).text.contains("name=\"column 1\" form=\"choices\""))
        let chosen = "column+1=title&column+2=author&column+3=rating"
        let read = try browser.send(path, "action=inspect&\(chosen)").answer
        #expect(read.status == 200 && read.text.contains("<td data-name=\"Title\">Reef</td>"), "\(read.text)")
        #expect(read.text.contains("<option value=\"rating\" selected>"))
        let twice = try browser.send(path, "action=import&column+1=title&column+2=title").answer
        #expect(twice.status == 400 && twice.text.contains("Columns 1 and 2 are both chosen as title."))
        let unknown = try browser.send(path, "action=import&column+1=tittle").answer
        #expect(unknown.status == 400 && unknown.text.contains("tittle"))
        _ = try browser.done(try browser.send(path, "action=import&\(chosen)").next)
        #expect(try browser.open("/page/export?format=csv").text.contains("Reef,"))
        await browser.running.server.stop()
    }
}

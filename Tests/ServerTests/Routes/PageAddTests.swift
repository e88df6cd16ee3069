import Foundation
import Store
import TestSupport
import Testing

@testable import Server

/// A book that is typed on a page.
@Suite(.ownThread) struct PageAddTests {
    @Test func `a book is added by its ISBN, and looked up`() async throws {
        let browser = PageBrowser(try await RunningServer())
        #expect(try browser.open("/").text.contains("href=\"/page/add\""))
        #expect(try browser.open("/page/add").text.contains("<h1>Add a book</h1>"))
        let added = try browser.send(
            "/page/add", "isbn=978-0-306-40615-7&title=+Reef+&author=Ana+Lee&shelf=to-read&library=")
        #expect(added.answer.status == 303)
        #expect(try browser.done(added.next).text.contains("Reef"))
        let library = try browser.open("/page/library").text
        #expect(
            library.contains("Reef") && library.contains("Ana Lee") && library.contains("href=\"/page/add\""))
        let list = try browser.open("/page/export?format=csv").text
        #expect(list.contains("9780306406157") && list.contains("to-read"))
        await browser.running.server.stop()
    }

    @Test(arguments: [
        ("", "Write the ISBN of the book"), ("isbn=978-0-306-40615-8", "check digit"),
        ("isbn=12", "digits"), ("isbn=-", "10 or 13 digits"), ("author=Ana", "Write the ISBN"),
        ("title=A&shelf=lost", "There is no status"),
    ])
    func `what is no book is refused, and stays in the form`(form: String, reason: String) async throws {
        let browser = PageBrowser(try await RunningServer())
        let answer = try browser.send("/page/add", form).answer
        #expect(answer.status == 400 && answer.text.contains(reason), "\(answer.text)")
        #expect(answer.text.contains("role=\"alert\"") && !answer.text.contains("<b>"))
        #expect(!FileManager.default.fileExists(atPath: browser.running.store))
        #expect(browser.running.server.backend.jobs.recent().isEmpty)
        await browser.running.server.stop()
    }

    @Test func `a book that the library has is not added twice by mistake`() async throws {
        let browser = PageBrowser(try await RunningServer())
        let rows = [
            GoodreadsRows.header,
            GoodreadsRows.row("1", "Reef", "Ana Lee", GoodreadsRows.isbn(1), date: "2020/01/02"),
            GoodreadsRows.row("2", "Tides", "Bo Berg", "", date: "2020/01/03"),
        ]
        _ = try browser.done(try browser.importFile(rows.joined(separator: "\n") + "\n"))
        for form in ["isbn=\(GoodreadsRows.isbn(1))&shelf=read", "title=TIDES&author=Bo+Berg"] {
            let answer = try browser.send("/page/add", form).answer
            #expect(
                answer.status == 409 && answer.text.contains("You have this book already"), "\(answer.text)")
            #expect(answer.text.contains("href=\"/page/book?id="))
        }
        #expect(try browser.send("/page/add", "title=Tides&author=Cy+Cole").answer.status == 303)
        let again = try browser.send("/page/add", "isbn=\(GoodreadsRows.isbn(1))&again=true")
        #expect(again.answer.status == 303)
        _ = try browser.done(again.next)
        let second = try browser.send("/page/add", "isbn=\(GoodreadsRows.isbn(1))&again=true")
        _ = try browser.done(second.next)
        let list = try browser.open("/page/export?format=csv").text
        #expect(
            list.split(separator: "\n").count { $0.contains(GoodreadsRows.isbn(1)) } == 3,
            "each copy is an entry")
        await browser.running.server.stop()
    }

    @Test func `a book is added to a library that exists`() async throws {
        let browser = PageBrowser(try await RunningServer())
        let missing = try browser.send("/page/add", "title=%3Cb%3E&library=nobody").answer
        #expect(missing.status == 404 && missing.text.contains("There is no library `nobody`"))
        #expect(!FileManager.default.fileExists(atPath: browser.running.store))
        await browser.running.server.stop()
    }

    @Test func `who has a library of their own adds to it`() async throws {
        let tokens = try ServerTokens(
            parsing: "anna \(Secret.hexHash("a")) search,import anna\nben \(Secret.hexHash("b")) search ben",
            named: "tokens")
        let running = try await RunningServer(tokens: tokens)
        let browser = try PageBrowser(running, token: "a")
        #expect(try !browser.open("/page/add").text.contains("name=\"library\""))
        let added = try browser.send("/page/add", "title=Reef&library=ben")
        _ = try browser.done(added.next)
        #expect(try browser.open("/page/library").text.contains("Reef"))
        let reader = try PageBrowser(running, token: "b")
        #expect(try reader.open("/page/add").status != 200)
        #expect(try !reader.open("/page/library").text.contains("Reef"))
        await running.server.stop()
    }

    @Test func `a second click adds nothing, and a book that is being added is told`() async throws {
        let browser = PageBrowser(try await RunningServer())
        let form = try browser.open("/page/add").hiddenFields
        var lock: StoreLock? = try StoreLock(store: browser.running.store)
        let first = try browser.send("/page/add", "title=Reef&author=Ana+Lee&\(form)")
        #expect(first.answer.status == 303 && lock != nil)
        #expect(
            try browser.send("/page/add", "title=Reef&author=Ana+Lee&again=true&\(form)").answer.status == 303
        )
        let other = try browser.send(
            "/page/add", "title=Reef&author=Ana+Lee&\(try browser.open("/page/add").hiddenFields)"
        ).answer
        #expect(other.status == 409 && other.text.contains("This book is being added"), "\(other.text)")
        #expect(try other.link("/page/jobs/").isEmpty == false)
        lock = nil
        await browser.running.server.stop()
    }

    @Test func `what is not added does not count as an import, and too many books stay in the form`()
        async throws
    {
        let running = try await RunningServer { settings in
            settings.hasClientLimits = true
            settings.addresses = ClientAddress(proxies: [ClientAddress.Range("127.0.0.1")].compactMap { $0 })
        }
        func add(_ form: String) throws -> RawClient.Answer {
            try running.client().request(
                "POST", "/page/add",
                [
                    ("X-Forwarded-For", "192.0.2.1"), ("Accept", "text/html"), ("Origin", "http://localhost"),
                    ("Content-Type", "application/x-www-form-urlencoded"),
                ], body: Array(form.utf8))
        }
        for _ in 0..<8 { #expect(try add("isbn=12").status == 400) }
        var last = try add("title=Book+0")
        for number in 1..<8 where last.status == 303 { last = try add("title=Book+\(number)") }
        #expect(last.status == 429 && last.text.contains("many books in a short time"), "\(last.text)")
        #expect(last.text.contains("value=\"Book ") && last.fields["retry-after"] != nil)
        await running.server.stop()
    }
}

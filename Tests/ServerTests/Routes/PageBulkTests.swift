import Foundation
import Jobs
import Queries
import Store
import TestSupport
import Testing

@testable import Server

/// Changes of several books of the library's page at once.
@Suite(.ownThread) struct PageBulkTests {
    private static let file =
        ([GoodreadsRows.header]
        + (1...4).map {
            GoodreadsRows.row(
                "\($0)", "Book \($0)", "Ana Lee", GoodreadsRows.isbn($0), date: "2020/01/0\($0)")
        })
        .joined(separator: "\n") + "\n"

    private static func browser() async throws -> PageBrowser {
        let browser = PageBrowser(try await RunningServer())
        _ = try browser.done(try browser.importFile(file))
        return browser
    }

    /// The values of the check boxes by the titles that they choose.
    private static func boxes(_ page: String) -> [String: String] {
        let pattern = /value="(\d+)" aria-label="Choose ([^"]+)"/
        return Dictionary(
            uniqueKeysWithValues: page.matches(of: pattern).map { (String($0.2), String($0.1)) })
    }

    private static func exported(_ browser: PageBrowser) throws -> [[String: String]] {
        try browser.open("/page/export?format=ndjson").text.split(separator: "\n").map { line in
            let object = try #require(
                try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            return object.compactMapValues { value in
                (value as? String) ?? (value as? [String])?.joined(separator: ";")
                    ?? (value as? Int).map(String.init)
            }
        }
    }

    @Test func `chosen books get a status, and one undo takes it back`() async throws {
        let browser = try await Self.browser()
        let page = try browser.open("/page/library").text
        let boxes = Self.boxes(page)
        #expect(boxes.count == 4 && page.contains("form=\"bulk\""))
        let chosen = ["Book 1", "Book 3"].compactMap { boxes[$0] }.map { "entry=\($0)" }
        let form = "scope=chosen&change=shelf%3Dpaused&\(chosen.joined(separator: "&"))"
        let changed = try browser.send("/page/changes", form)
        #expect(changed.answer.status == 303 && changed.next.hasPrefix("/page/library?changed="))
        #expect(try browser.open(changed.next).text.contains("Corrected status of 2 books"))
        #expect(
            try Self.exported(browser).filter { $0["shelf"] == "paused" }.compactMap { $0["title"] }.sorted()
                == ["Book 1", "Book 3"])
        let job = try #require(changed.next.split(separator: "=").last)
        _ = try browser.send("/page/undo", "job=\(job)")
        #expect(try Self.exported(browser).allSatisfy { $0["shelf"] != "paused" })
        await browser.running.server.stop()
    }

    @Test func `everything that a filter finds is changed, and the filter stays`() async throws {
        let browser = try await Self.browser()
        let path = "/page/changes?q=book+2"
        let changed = try browser.send(path, "scope=all&change=shelves%2B&text=beach")
        #expect(changed.answer.status == 303 && changed.next.hasPrefix("/page/library?q=book%202&changed="))
        #expect(try browser.open("/page/library?shelf=beach").text.contains("1 of 4 books"))
        // The library's own spelling is used, and a book that is on the shelf already stays as it is.
        _ = try browser.send("/page/changes", "scope=all&change=shelves%2B&text=Beach")
        #expect(try browser.open("/page/library?shelf=beach").text.contains("4 of 4 books"))
        let again = try browser.send("/page/changes", "scope=all&change=shelves%2B&text=beach")
        #expect(again.next == "/page/library?unchanged=true")
        #expect(try browser.open(again.next).text.contains("Nothing was changed"))
        _ = try browser.send("/page/changes", "scope=all&change=shelves-&text=beach")
        let all = try browser.open("/page/library").text
        #expect(!all.contains("beach") && !all.contains("Beach"))
        await browser.running.server.stop()
    }

    @Test func `genre and language are those of the books`() async throws {
        let browser = try await Self.browser()
        _ = try browser.send("/page/changes", "scope=all&change=genre%2B&text=Poetry")
        _ = try browser.send("/page/changes", "scope=all&change=language%3D&text=ger")
        #expect(try Self.exported(browser).allSatisfy { $0["language"] == "de" })
        #expect(try browser.open("/page/library?genre=Poetry&language=de").text.contains("4 of 4 books"))
        await browser.running.server.stop()
    }

    @Test func `books are removed after a question that names them`() async throws {
        let browser = try await Self.browser()
        let form = "scope=all&change=remove"
        let question = try browser.send("/page/changes?q=book", form).answer
        #expect(question.status == 200 && question.text.contains("Remove 4 books?"))
        #expect(question.text.contains("Book 4") && question.text.contains("name=\"confirmed\" value=\"4\""))
        #expect(try Self.exported(browser).count == 4)
        // What was not counted is asked for again.
        #expect(try browser.send("/page/changes?q=book", form + "&confirmed=3").answer.status == 200)
        let removed = try browser.send("/page/changes?q=book", form + "&confirmed=4")
        #expect(removed.answer.status == 303)
        #expect(try browser.open(removed.next).text.contains("Removed 4 books"))
        #expect(try Self.exported(browser).isEmpty)
        await browser.running.server.stop()
    }

    @Test(arguments: [
        ("scope=chosen&change=shelf%3Dread", "Choose at least one book"),
        ("scope=all&change=shelves%2B", "write one shelf"),
        ("scope=all&change=shelves%2B&text=a%2Cb", "write one shelf"),
        ("scope=all&change=shelves%2B&text=a%0Ab", "without control characters"),
        ("scope=all&change=genre%2B&text=\(String(repeating: "a", count: 201))", "at most 200 characters"),
        ("scope=all&change=language%3D&text=elvish%3F", "a language such as French"),
        ("scope=all&change=bogus", "There is no change"),
        ("scope=chosen&change=shelf%3Dread&entry=999999", ""),
    ])
    func `what cannot be changed is said above the list`(form: String, reason: String) async throws {
        let browser = try await Self.browser()
        let before = try Self.exported(browser)
        let answer = try browser.send("/page/changes", form).answer
        if reason.isEmpty {
            #expect(answer.status == 303)
        } else {
            #expect(answer.status == 400 && answer.text.contains(reason), "\(answer.text)")
            #expect(answer.text.contains("Book 1"))
        }
        #expect(try Self.exported(browser) == before)
        await browser.running.server.stop()
    }

    @Test func `what was chosen stays in a form that is refused, and a list that has changed is told`()
        async throws
    {
        let browser = try await Self.browser()
        let entry = try #require(Self.boxes(try browser.open("/page/library").text)["Book 2"])
        let refused = try browser.send("/page/changes", "scope=chosen&change=genre%2B&entry=\(entry)").answer
        #expect(refused.text.contains("value=\"\(entry)\" aria-label=\"Choose Book 2\" checked"))
        #expect(refused.text.contains("<option value=\"genre+\" selected>"))
        let late = try browser.send("/page/changes", "scope=all&change=rating%3D5&total=3").answer
        #expect(late.status == 409 && late.text.contains("The list has changed"))
        #expect(try browser.send("/page/changes", "scope=all&change=rating%3D5&total=4").answer.status == 303)
        await browser.running.server.stop()
    }

    @Test(arguments: [("C#", ["C", "C++"]), ("beach", ["C", "C#", "C++"])])
    func `names differ by more than letters`(name: String, left: [String]) {
        let all = ["C", "C#", "C++"]
        #expect(BulkChange.remove(.shelves, name).applied(to: all) == left)
    }

    @Test func `books of several libraries are not changed together`() async throws {
        let browser = try await Self.browser()
        _ = try browser.done(try browser.importFile(Self.file, library: "friend"))
        let all = try browser.open("/page/library").text
        #expect(Self.boxes(all).isEmpty && !all.contains("Change several books"))
        let answer = try browser.send("/page/changes", "scope=all&change=rating%3D5").answer
        #expect(answer.status == 400 && answer.text.contains("Choose a library first"))
        let changed = try browser.send("/page/changes?library=friend", "scope=all&change=rating%3D5")
        #expect(changed.answer.status == 303)
        #expect(try Self.exported(browser).filter { $0["library"] == "friend" }.count == 4)
        await browser.running.server.stop()
    }

    @Test func `who has a library of their own changes neither other entries nor shared books`() async throws
    {
        let tokens = try ServerTokens(
            parsing:
                "anna \(Secret.hexHash("a")) search,import anna\nben \(Secret.hexHash("b")) search,import ben",
            named: "tokens")
        let running = try await RunningServer(tokens: tokens)
        let (anna, ben) = (try PageBrowser(running, token: "a"), try PageBrowser(running, token: "b"))
        for browser in [anna, ben] { _ = try browser.done(try browser.importFile(Self.file)) }
        let own = Self.boxes(try anna.open("/page/library").text)
        let theirs = try #require(Self.boxes(try ben.open("/page/library").text)["Book 1"])
        let before = try Self.exported(ben)
        #expect(own.count == 4)
        #expect(
            try anna.send("/page/changes", "scope=chosen&change=rating%3D1&entry=\(theirs)").answer.status
                == 303)
        #expect(
            try anna.send("/page/changes?library=ben", "scope=all&change=rating%3D1").answer.status == 303)
        #expect(try Self.exported(ben) == before)
        #expect(try Self.exported(anna).allSatisfy { $0["rating"] == "1" })
        await running.server.stop()
    }
}

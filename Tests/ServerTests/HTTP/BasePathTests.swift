import Store
import Testing

@testable import Server

@Suite struct BasePathTests {
    @Test func `a path of plain names is the path of a server, with or without a slash at its end`() {
        for (text, path) in [
            ("", ""), ("/", ""), ("/books", "/books"), ("/books/", "/books"),
            ("/a/b-c_d.e~f", "/a/b-c_d.e~f"),
        ] {
            #expect(BasePath(text)?.text == path, "\(text)")
        }
        for text in [
            "books", "//", "//books", "/a//b", "/a/../b", "/.", "/a%20b", "/a b", "/a?b", "/a#b", "/ü",
            "/a\nb",
            "/" + String(repeating: "a", count: 300),
        ] {
            #expect(BasePath(text) == nil, "\(text)")
        }
    }

    @Test func `a request enters the path of the server as a whole name`() throws {
        let base = try #require(BasePath("/books"))
        func entered(_ path: String) -> String? {
            var head = Array(path.utf8).withUnsafeBytes { RequestHead(method: "GET", target: $0) }
            return head.enter(base) ? head.path : nil
        }
        #expect(entered("/books") == "/" && entered("/books/") == "/" && entered("/books//") == "//")
        #expect(entered("/books/page/a%20b") == "/page/a%20b")
        #expect(entered("http://h.example/books/x") == "/x")
        for path in ["/", "/book", "/booksellers", "/Books/x", "/b%6Foks/x", "/x/books", "*", ""] {
            #expect(entered(path) == nil, "\(path)")
        }
    }

    @Test func `the results' address in a last message begins with the path of the server`() throws {
        let base = try #require(BasePath("/books"))
        let text = #"{"a":"\"resultsUrl\":\"/x","payload":{"resultsUrl":"/v1/jobs/j/results"}}"#
        let event = JobEvent(id: 1, kind: .completed, message: Array(text.utf8))
        #expect(
            String(decoding: event.message(at: base), as: UTF8.self)
                == #"{"a":"\"resultsUrl\":\"/x","payload":{"resultsUrl":"/books/v1/jobs/j/results"}}"#)
        #expect(event.message(at: .root) == event.message)
    }
}

import FoundationEssentials
import System
import TestSupport
import Testing

@testable import CommandLineTool

@Suite struct PagerTests {
    @Test(
        arguments: [
            ([:], "less"), (["PAGER": "more"], "more"), (["PAGER": "less -S"], "less -S"),
            (["PAGER": ""], nil),
            (["PAGER": "cat"], nil), (["TERM": "dumb"], nil),
        ] as [([String: String], String?)])
    func `the pager is the user's, else less`(environment: [String: String], command: String?) {
        #expect(Pager(environment: environment)?.command == command)
    }

    /// Writes lines to a screen of three lines, whose pager cannot be started.
    private func written(_ lines: [String], paging: Bool) -> (before: String, after: String, starts: Int) {
        let (terminal, starts) = (MemoryOutlet(), Guarded(0))
        let outlet = PagedOutlet(terminal, rows: 3) {
            starts.withLock { $0 += 1 }
            return nil
        }
        if paging { outlet.begin() }
        for line in lines { #expect(outlet.write(Array(line.utf8)) == 0) }
        let before = terminal.text
        #expect(outlet.isBusy == (paging && before.isEmpty && !lines.isEmpty))
        #expect(outlet.end() == 0)
        return (before, terminal.text, starts.withLock { $0 })
    }

    @Test func `output that fits the screen is kept to its end and not paged`() {
        #expect(written(["a\n", "b\n"], paging: true) == ("", "a\nb\n", 0))
        #expect(written([], paging: true) == ("", "", 0))
        #expect(written(["a\n", "b\n", "c\n"], paging: false) == ("a\nb\nc\n", "a\nb\nc\n", 0))
    }

    @Test func `without a pager, long output goes to the terminal`() {
        #expect(written(["a\nb\n", "c\n", "d\n"], paging: true) == ("a\nb\nc\nd\n", "a\nb\nc\nd\n", 1))
    }

    @Test func `the pager reads everything, and is waited for`() throws {
        let terminal = MemoryOutlet()
        let folder = try TemporaryFolder()
        let pager = try #require(Pager(environment: ["PAGER": "sleep 0.05; cat > \(folder.file("shown"))"]))
        let outlet = PagedOutlet(terminal, rows: 2) { Pager.Running(pager) }
        outlet.begin()
        for line in ["a\n", "b\n", "c\n"] { #expect(outlet.write(Array(line.utf8)) == 0) }
        #expect(outlet.isBusy)
        #expect(outlet.end() == 0)
        #expect(terminal.text.isEmpty)
        let shown = try String(contentsOfFile: folder.file("shown"), encoding: .utf8)
        #expect(shown == "a\nb\nc\n")
    }

    @Test func `the browser is the first of the user's that can show the page, else the desktop's`() throws {
        let folder = try TemporaryFolder()
        let script = try folder.write("echo \"$1\" > \(folder.file("shown"))", to: "browser")
        let browser = Browser(environment: ["BROWSER": "false:sh \(script)"])
        #expect(browser.commands == ["false", "sh \(script)", "xdg-open"])
        #expect(browser.open("a page.html"))
        let shown = try String(contentsOfFile: folder.file("shown"), encoding: .utf8)
        #expect(shown == "a page.html\n")
        #expect(Browser(environment: [:]).commands == ["xdg-open"])
    }

    @Test func `a table for programs has tabs and no padding`() {
        var table = Table(.init("title"), .init("pages", .right))
        #expect(table.tabSeparated.isEmpty)
        table.add("A\tB", "12")
        table.add("C")
        #expect(table.tabSeparated == "title\tpages\nA B\t12\nC\t\n")
    }
}

import Foundation
import TestSupport
import Testing

@testable import CommandLineTool

@Suite struct ManualPageTests {
    private let page = ManualPage(version: Version.current)

    @Test func `every command has a page with its options and examples`() throws {
        for command in ManualPage.leaves(Commands.specs) {
            let text = page.command(command)
            #expect(text.hasPrefix(".TH \(command.page.uppercased()) 1"))
            for option in command.options { #expect(text.contains(option.name.replacing("-", with: "\\-"))) }
            #expect(text.contains(".SH EXAMPLES"))
        }
    }

    @Test func `the tool's page lists every command and exit status`() {
        let text = page.tool(Commands.specs)
        for command in ManualPage.leaves(Commands.specs) {
            #expect(text.contains("\\fB\(command.line.replacing("-", with: "\\-"))"))
        }
        for status in ExitStatus.allCases { #expect(text.contains("\\fB\(status.rawValue)\\fR")) }
    }

    @Test func `no text starts a roff request`() {
        for command in ManualPage.leaves(Commands.specs) {
            for line in page.command(command).split(separator: "\n") where line.hasPrefix(".") {
                #expect(line.contains(/^\.(TH|SH|TP|PP|EX|EE)( |$)/), "\(command.line): \(line)")
            }
        }
    }

    private static let man = "/usr/bin/man"

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: man), "needs man"))
    func `man renders the pages without a warning`() throws {
        let folder = try TemporaryFolder()
        for command in ManualPage.leaves(Commands.specs) {
            let file = try folder.write(Array(page.command(command).utf8), to: "page.1")
            let process = try ChildProcess(
                "/bin/sh", ["-c", "MANWIDTH=80 \(Self.man) --warnings -l '\(file)' 2>&1 >/dev/null"],
                output: .pipe)
            let bytes = try process.output?.readToEnd() ?? Data()
            #expect(try process.wait().status == 0)
            #expect(String(decoding: bytes, as: UTF8.self) == "", "\(command.line)")
        }
    }
}

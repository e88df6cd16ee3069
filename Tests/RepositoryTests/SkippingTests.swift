import Foundation
import TestSupport
import Testing

/// Tests that cannot run on a machine are skipped visibly.
@Suite struct SkippingTests {
    @Test func `every test that may be skipped says what it needs`() {
        var conditions = 0
        for file in Tree.tests where file.name != "SkippingTests" {
            for number in file.linesOfCode(with: ".enabled(") {
                conditions += 1
                let condition = file.lines[(number - 1)..<min(number + 2, file.lines.count)].joined()
                #expect(
                    condition.contains("\"needs ") || condition.contains("TestFiles.needsShared"),
                    "\(file.path):\(number)")
            }
        }
        #expect(conditions > 20)
    }

    @Test func `the skipped tests and what they need are listed after the tests`() async throws {
        let folder = try TemporaryFolder()
        let script = """
            echo '◇ Suite KillTests started.'
            echo '➜ Test "lines are skipped" skipped: "needs zsh"'
            echo '➜ Suite KillTests skipped: "needs the built tool"'
            echo '✔ Test run with 2 tests passed.'
            exit 7
            """
        let path = try folder.write(script, to: "tests.sh")
        let outcome = try await Shell(in: folder.path).run("'\(Tree.root.path)/.ci/test' sh '\(path)'")
        #expect(outcome.status == 7, "the tests' own exit status")
        #expect(
            outcome.output.hasSuffix(
                """
                ✔ Test run with 2 tests passed.

                2 skipped, because this machine lacks something they need:
                Suite KillTests: "needs the built tool"
                Test "lines are skipped": "needs zsh"

                """), "\(outcome.output)")
    }

    @Test func `nothing is listed if no test is skipped`() async throws {
        let outcome = try await Shell(in: Tree.root.path).run(".ci/test echo '✔ Test run passed.'")
        #expect(outcome.status == 0)
        #expect(outcome.output == "✔ Test run passed.\n")
    }
}

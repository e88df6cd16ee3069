import Foundation
import TestSupport
import Testing

/// `make demo`, but for building the release binary: what it prints and leaves behind.
@Suite struct DemoTests {
    @Test func `the demo shows a closing table, an enriched book, a rejected row and where to look next`()
        async throws
    {
        let folder = try TemporaryFolder()
        let shell = Shell(in: Tree.root.path)
        let target = folder.file("demo")
        for round in 1...2 {
            let outcome = try await shell.run(".ci/demo '\(Shell.products)/etl' '\(target)'")
            let output = outcome.output
            #expect(outcome.status == 0, "round \(round): \(output)")
            for wanted in [
                // The closing table, the same in both rounds: the demo begins afresh.
                "created      133", "nothing new    1", "rejected       1", "in all       135",
                // The enriched book with its origins, the rejected row with its reason.
                "The Left Hand of Darkness", "openlibrary", "no_title_or_isbn", "Where to look next",
            ] {
                #expect(output.contains(wanted), "round \(round) lacks \(wanted): \(output)")
            }
        }
    }
}

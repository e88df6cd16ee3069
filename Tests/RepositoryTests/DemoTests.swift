import Foundation
import TestSupport
import Testing

/// `make demo` without building the release binary: its output and the files it leaves.
@Suite struct DemoTests {
    @Test func `the demo shows a closing table, an enriched book, a rejected row and next steps`()
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
                // The closing table is the same in both rounds: the demo starts from scratch.
                "created    133", "unchanged    1", "rejected     1", "total      135",
                // The enriched book with its origins, the rejected row with its reason.
                "The Left Hand of Darkness", "openlibrary", "no_title_or_isbn", "Where to look next",
            ] {
                #expect(output.contains(wanted), "round \(round) lacks \(wanted): \(output)")
            }
        }
    }
}

import Foundation
import Testing

/// Nothing in the project names a place on the machine it was written on.
@Suite struct MachinePathTests {
    @Test func `no file names a folder of somebody's machine`() {
        // Put together here, so that this file is no finding of its own.
        let places = ["work", "farm", "tmp", "opt", "home", "root", "Users"].map { "/\($0)/" }
        let folders = ["Sources", "Tests", "Pipelines", ".ci"]
        let files = folders.flatMap { Tree.paths(under: $0) } + ["Package.swift", "Makefile", "README.md"]
        var read = 0
        for path in files where !path.hasSuffix(".gz") {
            let text = Tree.text(path)
            read += text.isEmpty ? 0 : 1
            for place in places where text.contains(place) {
                // An address may have such a part: https://example.org/home/…
                let lines = text.split(separator: "\n").filter { $0.contains(place) && !$0.contains("://") }
                #expect(lines.isEmpty, "\(path) names \(place)")
            }
        }
        #expect(read > 300)
    }
}

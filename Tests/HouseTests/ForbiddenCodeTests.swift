import Testing

/// What has no place in the code, or only with a comment that proves it right.
@Suite struct ForbiddenCodeTests {
    /// Traps that input could reach.
    private static let traps = ["try!", "as!", "fatalError("]
    /// What the compiler would otherwise prove: the line above says why it holds.
    private static let unproved = ["@unchecked Sendable", "nonisolated(unsafe)"]

    @Test func `nothing in the sources traps on purpose`() {
        for file in Tree.sources {
            for (number, line) in file.code.enumerated() {
                for trap in Self.traps where line.contains(trap) {
                    Issue.record("\(file.path):\(number + 1) has \(trap)")
                }
            }
        }
    }

    @Test func `what the compiler is asked to take on trust is proved in a comment above it`() {
        for file in Tree.sources + Tree.tests {
            for (number, line) in file.code.enumerated() {
                for claim in Self.unproved where line.contains(claim) {
                    let above = number > 0 ? file.lines[number - 1].drop { $0 == " " } : ""
                    #expect(above.hasPrefix("//"), "\(file.path):\(number + 1) says \(claim) without a proof")
                }
            }
        }
    }

    @Test func `no test waits for the clock, and none is switched off`() {
        let waits = ["Thread" + ".sleep", "Task" + ".sleep", "usleep" + "("]
        for file in Tree.tests {
            for (number, line) in file.code.enumerated() {
                for wait in waits where line.contains(wait) {
                    Issue.record("\(file.path):\(number + 1) waits by \(wait)")
                }
                #expect(!line.contains(".disabled("), "\(file.path):\(number + 1)")
            }
        }
    }

    @Test func `nothing is left to be done later`() {
        let words = ["TODO", "FIXME"]
        for file in Tree.sources + Tree.tests where file.name != "ForbiddenCodeTests" {
            for (number, line) in file.lines.enumerated() {
                for word in words where line.contains(word) {
                    Issue.record("\(file.path):\(number + 1) says \(word)")
                }
            }
        }
    }
}

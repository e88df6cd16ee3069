import Testing

/// Code that is not allowed, or only with a comment that justifies it.
@Suite struct ForbiddenCodeTests {
    /// Code that ends the process.
    private static let traps = [
        "try!", "as!", "fatalError(", "precondition(", "preconditionFailure(", "unsafelyUnwrapped",
    ]
    /// Places where it is allowed, and the reasons.
    private static let allowedTraps = [
        "Sources/Support/Syntax/JSON/JSONReader.swift": "the pointer is not nil in either case",
        "Sources/Application/Contract/Results/ImportResultsWriter.swift":
            "lists in another order would be invalid JSON; the order is fixed in the code",
    ]
    /// Claims the compiler cannot check: the comment above proves them.
    private static let unchecked = ["@unchecked Sendable", "nonisolated(unsafe)"]

    @Test func `nothing in the sources traps on purpose`() {
        for file in Tree.sources where Self.allowedTraps[file.path] == nil {
            for trap in Self.traps {
                for number in file.linesOfCode(with: trap) {
                    Issue.record("\(file.path):\(number) has \(trap)")
                }
            }
        }
    }

    @Test func `code the compiler cannot check is justified by a comment above it`() {
        for file in Tree.sources + Tree.tests {
            for claim in Self.unchecked {
                for number in file.linesOfCode(with: claim) {
                    let comment = file.lines.prefix(number - 1).reversed().prefix {
                        $0.drop { $0 == " " }.hasPrefix("//")
                    }
                    #expect(
                        comment.contains { $0.contains("// Proof: ") || $0.contains("/// Proof: ") },
                        "\(file.path):\(number) says \(claim) without a proof above it")
                }
            }
        }
    }

    @Test func `no test sleeps or is disabled`() {
        for file in Tree.tests {
            for word in ["Thread.sleep", "Task.sleep", "usleep(", ".disabled("] {
                for number in file.linesOfCode(with: word) {
                    Issue.record("\(file.path):\(number) has \(word)")
                }
            }
        }
    }

    @Test func `processes are started with ChildProcess`() {
        for file in Tree.sources + Tree.tests where file.name != "ForbiddenCodeTests" {
            for number in file.linesOfCode(with: " Process()") {
                Issue.record("\(file.path):\(number) starts a process: see ChildProcess")
            }
        }
    }

    @Test func `files are opened with functions that take names of any bytes`() {
        let others = [
            "FileManager", "contentsOfFile", "URL(filePath", "URL(fileURLWithPath", "Data(contentsOf",
            "FileHandle(", "ProcessInfo.processInfo.environment", "CommandLine.arguments",
        ]
        // Apps name files by URLs, and their systems allow no other names.
        for file in Tree.sources where !file.path.hasPrefix("Sources/Client/") {
            for word in others {
                for number in file.linesOfCode(with: word) {
                    Issue.record("\(file.path):\(number) has \(word): see FileSystem and Folder")
                }
            }
        }
    }

    @Test func `names of files are given to the system by FileSystem`() {
        let calls = [
            #/(?:^|[^.\w]|Glibc\.)(?:access|l?stat|statvfs|unlink|rmdir|mkdir)\([^)]/#,
            #/(?:[^.\w]|Glibc\.)open\([^)]*O_[A-Z]/#, #/Glibc\.(?:open|rename|link)\(/#,
            // Methods of these names have labels, or take a table first.
            #/(?:^|[^.\w])(?:rename|link)\([^.)][^:]*$/#,
        ]
        let names =
            "opendir|realpath|readlink|chmod|truncate|symlink|chdir|fopen|glob|strdup|posix_spawnp|zip_open|workbook_new_opt"
        guard
            let wrapped = try? Regex(
                "(?:^|[^.\\w])(?:\(names)|sqlite3_open_v2)\\((?!\\$0|name,|&identifier, program|\\))")
        else {
            Issue.record("no expression")
            return
        }
        for file in Tree.sources where file.module != "Client" && file.name != "FileSystem" {
            for (number, line) in file.lines.enumerated()
            where !line.drop(while: { $0 == " " }).hasPrefix("//") && !line.contains("func ") {
                if line.contains(wrapped) || calls.contains(where: { line.contains($0) }) {
                    Issue.record("\(file.path):\(number + 1) calls the C library: see FileSystem")
                }
            }
        }
    }

    @Test func `only the command line spells commands and options`() {
        for file in Tree.sources where !file.path.hasPrefix("Sources/etl/") {
            for (number, line) in file.lines.enumerated()
            where !line.drop(while: { $0 == " " }).hasPrefix("//") {
                for match in line.matches(of: #/"[^"]*(?:`etl [a-z]|--[a-z])[^"]*"/#) {
                    Issue.record("\(file.path):\(number + 1) says \(match.0): see UserText")
                }
            }
        }
    }

    @Test func `there are no TODO or FIXME comments`() {
        for file in Tree.sources + Tree.tests where file.name != "ForbiddenCodeTests" {
            for word in ["TODO", "FIXME"] {
                for number in file.lines(with: word) {
                    Issue.record("\(file.path):\(number) says \(word)")
                }
            }
        }
    }
}

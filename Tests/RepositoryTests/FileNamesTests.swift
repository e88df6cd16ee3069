import Testing

/// Files are named after their content, with meaningful words, so that readers can guess where something is.
@Suite struct FileNamesTests {
    /// Words without information about the content of a file.
    private static let meaningless = ["Manager", "Helper", "Util"]

    /// Words of a camel-case name: `JSONReaderValues` is JSON, Reader, Values.
    private func words(_ name: Substring) -> [String] {
        name.matches(of: #/[A-Z]+(?![a-z])|[A-Z][a-z0-9]*|[a-z0-9]+/#).map { String($0.0) }
    }

    /// `ISBN.swift` declares `ISBN`; `JSONReader+Values.swift` extends `JSONReader` with code about values.
    @Test func `a file is named after a type it declares, or after one it extends and a topic`() {
        for file in Tree.sources + Tree.tests where file.name != "main" {
            let parts = file.name.split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false)
            let names = parts.count == 1 ? file.types : file.extended
            #expect(names.contains(String(parts[0])), "\(file.path) has \(names) but nothing with its name")
        }
    }

    @Test func `a test of a type is in the folder that mirrors the type's`() {
        var targets = ["EtlTests": "etl/CommandLineTool", "ApplicationTests": "Application"]
        for (module, target) in Tree.targets {
            targets[module + "Tests"] = String(target.folder.dropFirst("Sources/".count))
        }
        var folders: [String: Set<String>] = [:]
        for file in Tree.sources {
            let name = file.name.filter { $0 != "+" }
            folders[name, default: []].insert(file.folders.dropFirst().joined(separator: "/"))
        }
        for file in Tree.tests where file.name.hasSuffix("Tests") {
            guard let target = file.folders.dropFirst().first, let source = targets[String(target)] else {
                continue
            }
            let tested = folders[String(file.name.dropLast("Tests".count)), default: []]
                .filter { $0.hasPrefix(source + "/") }
            let mirrored = ([source] + file.folders.dropFirst(2).map(String.init)).joined(separator: "/")
            #expect(tested.isEmpty || tested.contains(mirrored), "\(file.path) tests a type in \(tested)")
        }
    }

    @Test func `no file or type has a meaningless name`() {
        for file in Tree.sources + Tree.tests {
            for name in [file.name] + file.types.map({ Substring($0) }) {
                // Singular or plural, as whole words.
                let found = words(name).filter { word in
                    Self.meaningless.contains { word == $0 || word == $0 + "s" }
                }
                #expect(found.isEmpty, "\(file.path): \(name)")
            }
        }
    }
}

/// Files are small, and none is long.
@Suite struct FileSizeTests {
    @Test func `most files are small, and none has more than 400 lines`() {
        let files = Tree.sources + Tree.tests
        let lengths = files.map(\.lineCount).sorted()
        for file in files where file.lineCount > 400 {
            Issue.record("\(file.path) has \(file.lineCount) lines")
        }
        let tiny = files.filter { $0.lineCount < 20 }.map(\.path)
        #expect(tiny.count <= 20, "\(tiny)")
        let (median, ninth) = (lengths[lengths.count / 2], lengths[lengths.count * 9 / 10])
        print("Swift files: \(lengths.count), median \(median) lines, nine of ten at most \(ninth)")
        #expect(median <= 130)
        #expect(ninth <= 260)
    }
}

/// Declarations that other modules use are documented.
@Suite struct DocCommentsTests {
    /// Whether a line declares something for stage authors, or a type that other modules or tests use.
    private func needsDocComment(_ line: Substring) -> Bool {
        let words = line.split(separator: " ").filter { !$0.hasPrefix("@") }
        let types: Set<Substring> = ["struct", "class", "enum", "actor", "protocol"]
        return switch words.first {
        case "public": words.dropFirst().first != "import"
        case "package": words.dropFirst().prefix(3).contains { types.contains($0) }
        default: false
        }
    }

    @Test func `public declarations and package types have a doc comment`() {
        var declarations = 0
        for file in Tree.sources {
            for (number, line) in file.code.enumerated() where needsDocComment(line) {
                declarations += 1
                #expect(isDocumented(number, in: file), "\(file.path):\(number + 1) \(line)")
            }
        }
        #expect(declarations > 500)
    }

    /// Whether there is a doc comment above a line, ignoring attributes and conditions between them.
    private func isDocumented(_ number: Int, in file: SwiftFile) -> Bool {
        var above = number - 1
        while above >= 0 {
            let line = file.lines[above].drop { $0 == " " }
            if line.hasPrefix("///") { return true }
            guard line.hasPrefix("@") || line.hasPrefix("//") || line.hasPrefix("#") else { return false }
            above -= 1
        }
        return false
    }
}

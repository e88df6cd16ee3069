import Testing

/// What others use is documented where it is declared.
@Suite struct DocCommentsTests {
    /// What a stage author may use, and the types that etl and the tests share with Stages.
    private func mustBeTold(_ line: Substring) -> Bool {
        let words = line.split(separator: " ").filter { !$0.hasPrefix("@") }
        let types: Set<Substring> = ["struct", "class", "enum", "actor", "protocol"]
        return switch words.first {
        case "public": words.dropFirst().first != "import"
        case "package": words.dropFirst().prefix(3).contains { types.contains($0) }
        default: false
        }
    }

    @Test func `public declarations and package types have a doc comment`() {
        var told = 0
        for file in Tree.sources {
            for (number, line) in file.code.enumerated() where mustBeTold(line) {
                told += 1
                #expect(isDocumented(number, in: file), "\(file.path):\(number + 1) \(line)")
            }
        }
        #expect(told > 500)
    }

    /// Whether a doc comment stands above a line, attributes and conditions between them aside.
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

import Testing

/// What a stage author may use is documented where it is declared.
@Suite struct DocCommentsTests {
    /// Requirements of protocols: their meaning is told there.
    private static let told: Set = ["count", "byteCount", "description", "hash", "isEmpty"]

    @Test func `public declarations have a doc comment`() {
        for file in Tree.sources {
            for (number, line) in file.code.enumerated() {
                guard
                    let match = line.firstMatch(
                        of:
                            #/^\s*public (?:(?:static|final|mutating|indirect|consuming|nonisolated|convenience|private\(set\)) )*(struct|class|enum|actor|protocol|typealias|func|var|let|subscript|associatedtype) ?(`?\w+`?|\S+)/#
                    )
                else { continue }
                let name = String(match.2)
                if Self.told.contains(name) || match.1 == "typealias" || !name.first!.isLetter { continue }
                #expect(isDocumented(number, in: file), "\(file.path):\(number + 1) \(name)")
            }
        }
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

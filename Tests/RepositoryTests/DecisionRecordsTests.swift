import Testing

/// Decision records say when they were made and whether they still apply.
@Suite struct DecisionRecordsTests {
    private static let folder = "Sources/Pipeline/Pipeline.docc"
    private static let names = Tree.names(in: "\(folder)/Decisions")

    /// The value of a line such as `- Status: accepted`; nil unless there is exactly one.
    private func value(of key: String, in name: String) -> Substring? {
        let lines = MarkdownPage("\(Self.folder)/Decisions/\(name)").prose.filter {
            $0.hasPrefix("- \(key): ")
        }
        return lines.count == 1 ? lines[0].dropFirst(key.count + 4) : nil
    }

    @Test(arguments: names) func `a record has a date and a status`(name: String) throws {
        let date = try #require(value(of: "Date", in: name))
        #expect(date.wholeMatch(of: #/20\d\d-[01]\d-[0-3]\d/#) != nil, "\(date)")
        let status = try #require(value(of: "Status", in: name))
        let form = #/(accepted|(?:partly )?superseded by \d{4})\b.*/#
        #expect(status.wholeMatch(of: form) != nil, "\(status)")
    }

    @Test func `a superseded record names a later one`() {
        var superseded = 0
        for name in Self.names {
            let status = value(of: "Status", in: name) ?? ""
            guard let newer = status.firstMatch(of: #/superseded by (\d{4})/#)?.1 else { continue }
            superseded += 1
            #expect(newer > name.prefix(4), "\(name)")
        }
        #expect(superseded > 0)
    }

    @Test func `the unused numbers are listed`() throws {
        let used = Set(Self.names.compactMap { Int($0.prefix(4)) })
        let unused = (1...(used.max() ?? 1)).filter { !used.contains($0) }
        let text = Tree.text("\(Self.folder)/Pipeline.md")
        let sentence = try #require(text.firstMatch(of: #/Numbers ([^.]*) are not used\./#)?.1)
        #expect(sentence.matches(of: #/\d{4}/#).compactMap { Int($0.0) } == unused)
    }
}

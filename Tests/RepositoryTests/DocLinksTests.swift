import Testing

/// Doc comments link to names that exist, in whatever module. DocC checks the links of the modules that have pages.
@Suite struct DocLinksTests {
    @Test func `links in doc comments name something that is declared`() {
        let words = Set(Tree.sources.flatMap(\.words))
        var links = 0
        for file in Tree.sources {
            for line in file.lines where line.contains("``") && line.contains("///") {
                for link in line.matches(of: #/``([^`]+)``/#).map(\.output.1) {
                    links += 1
                    let names = link.split(separator: "/").map { $0.prefix { $0 != "(" && $0 != "-" } }
                    let missing = names.filter { !words.contains(String($0)) }
                    #expect(missing.isEmpty, "\(file.path): nothing is called \(missing)")
                }
            }
        }
        #expect(links > 500)
    }
}

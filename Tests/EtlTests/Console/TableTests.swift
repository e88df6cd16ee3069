import Testing

@testable import etl

@Suite struct TableTests {
    @Test func `what is of no use when cut is not cut, however narrow the terminal`() {
        var table = Table(.init("job", isWhole: true), .init("input"), .init("records", .right))
        let name = "0f8fad5b-d9cb-469f-a165-70867728950e"
        table.add(name, String(repeating: "long ", count: 20), "1234567")
        let text = table.render(width: 80)
        #expect(text.contains(name))
        #expect(text.contains("1234567"))
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
        #expect(table.render(width: 30).contains(name))
    }
}

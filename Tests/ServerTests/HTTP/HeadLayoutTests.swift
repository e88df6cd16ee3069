import Testing

@testable import Server

@Suite struct HeadLayoutTests {
    /// `GET /a HTTP/1.1`, `X: b`, at address 100.
    private static func layout(shift: UInt = 0, size: Int = 25) -> HeadLayout {
        var layout = HeadLayout(method: 100, count: 3)
        layout.addWord(at: 104, count: 2)
        layout.addWord(at: 107, count: 8)
        layout.addField(name: 117 + shift, count: 1, value: 120 + shift, valueCount: 1)
        layout.finish(count: size)
        return layout
    }

    @Test func `parts that follow each other are a clean head`() {
        #expect(Self.layout().isClean)
    }

    @Test func `anything between two parts, and anything at the end, is noticed`() {
        #expect(!Self.layout(shift: 1, size: 26).isClean)
        #expect(!Self.layout(size: 24).isClean && !Self.layout(size: 26).isClean)
    }

    @Test func `a value that does not follow its name is noticed`() {
        var layout = HeadLayout(method: 100, count: 3)
        layout.addField(name: 105, count: 10, value: 110, valueCount: 1)
        #expect(!layout.isClean)
    }
}

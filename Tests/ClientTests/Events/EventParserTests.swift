import Foundation
import Testing

@testable import BooksTrack

@Suite struct EventParserTests {
    @Test(arguments: 1...9)
    func `events are the same however the stream is cut`(size: Int) {
        let text = "event: progress\r\nid: 4\r\ndata: a\r\ndata:b\r\n\r\n: ping\n\nretry: 2000\n\ndata: ü\n\n"
        var parser = EventParser()
        var found: [EventParser.Event] = []
        let bytes = Data(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: size) {
            found += parser.read(bytes[start..<min(start + size, bytes.count)])
        }
        #expect(
            found == [
                .init(id: "4", name: "progress", data: "a\nb"), .init(id: nil, name: "message", data: "ü"),
            ])
    }

    @Test func `a line without end is dropped, and what follows is read`() {
        var parser = EventParser()
        #expect(parser.read(Data(repeating: 97, count: 2 << 20)).isEmpty)
        #expect(parser.read(Data("\n\ndata: b\n\n".utf8)).map(\.data) == ["b"])
    }
}

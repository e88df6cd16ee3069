import Foundation

/// Reads a stream of server-sent events, as the HTML standard defines it.
struct EventParser {
    /// One event.
    struct Event: Equatable {
        var id: String?
        var name = "message"
        var data = ""
    }

    private var rest = Data()
    private var event = Event()
    private var hasData = false
    /// Most bytes of a line. A longer one is dropped.
    private static let mostBytes = 1 << 20

    /// The events that end in a piece of the stream.
    mutating func read(_ bytes: Data) -> [Event] {
        rest += bytes
        var events: [Event] = []
        var start = rest.startIndex
        while let end = rest[start...].firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) {
            // A CR can be followed by an LF in the next piece.
            if rest[end] == 0x0D, end == rest.index(before: rest.endIndex) { break }
            let line = String(decoding: rest[start..<end], as: UTF8.self)
            let isPair = rest[end] == 0x0D && rest[rest.index(after: end)] == 0x0A
            start = rest.index(end, offsetBy: isPair ? 2 : 1)
            if let event = take(line) { events.append(event) }
        }
        rest = Data(rest[start...])
        if rest.count > Self.mostBytes { rest = Data() }
        return events
    }

    private mutating func take(_ line: String) -> Event? {
        guard !line.isEmpty else {
            defer { (event, hasData) = (Event(), false) }
            return hasData ? event : nil
        }
        let colon = line.firstIndex(of: ":") ?? line.endIndex
        var value = colon == line.endIndex ? "" : line[line.index(after: colon)...]
        if value.first == " " { value = value.dropFirst() }
        switch line[..<colon] {
        case "id": event.id = String(value)
        case "event": event.name = String(value)
        case "data":
            event.data += (hasData ? "\n" : "") + value
            hasData = true
        default: break
        }
        return nil
    }
}

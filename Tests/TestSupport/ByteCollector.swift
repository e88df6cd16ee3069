/// Takes written bytes and counts how many it was lent at once.
package final class ByteCollector {
    package private(set) var bytes: [UInt8] = []
    package private(set) var largestPiece = 0
    package private(set) var pieces = 0
    /// Whether the bytes are kept.
    private let keeps: Bool

    package init(keeps: Bool = true) { self.keeps = keeps }

    package var text: String { String(decoding: bytes, as: UTF8.self) }
    /// The records of CSV, by the slow parser.
    package var records: [[String]] {
        CSVTwin.parse(bytes).map { $0.cells.map { String(decoding: $0, as: UTF8.self) } }
    }
    package var lines: [String] { text.split(separator: "\n").map(String.init) }

    package func take(_ piece: UnsafeRawBufferPointer) {
        pieces += 1
        largestPiece = max(largestPiece, piece.count)
        if keeps { bytes.append(contentsOf: piece) }
    }
}

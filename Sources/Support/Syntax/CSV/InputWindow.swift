import System

/// The part of an input, as UTF-8, that a reader holds and has not consumed yet. More is read on demand.
///
/// It holds one block, and more for a record that is longer than a block. Readers stop holding a record at
/// their limits, so the window never exceeds twice those.
struct InputWindow: ~Copyable {
    /// Bytes read at a time. More would displace the records' cells from the cache; fewer would need more
    /// calls.
    static let blockBytes = 128 * 1024

    private var source: any ByteSource
    /// Nil if the input is UTF-8, which is read directly into the window.
    private var transcoder: Transcoder?
    private var piece: UnsafeMutableRawBufferPointer
    private var buffer: UnsafeMutableRawBufferPointer
    private var start = 0
    private var end = 0
    /// Whether the input ends with ``bytes``.
    private(set) var isAtEnd = false
    /// Whether the input ends within a character, after ``bytes``: it was truncated.
    var endsInHalfCharacter: Bool { isAtEnd && transcoder?.holdsHalfUnit == true }

    /// - Parameter blockBytes: Initial size. Tests make it small to split the input everywhere.
    init(_ source: any ByteSource, encoding: TextEncoding, blockBytes: Int = Self.blockBytes) {
        self.init(source, encoding == .utf8 ? nil : Transcoder(encoding), blockBytes: blockBytes)
    }

    private init(_ source: any ByteSource, _ transcoder: Transcoder?, blockBytes: Int) {
        self.source = source
        self.transcoder = transcoder
        buffer = .allocate(byteCount: max(1, blockBytes), alignment: 64)
        piece = .allocate(
            byteCount: transcoder == nil ? 0 : max(1, blockBytes / Transcoder.growth), alignment: 64)
    }

    /// Another window on the input after ``bytes``; nil if the input can be read only once.
    func ahead() throws(ETLError) -> InputWindow? {
        guard let source = try source.ahead() else { return nil }
        return InputWindow(source, transcoder, blockBytes: Self.blockBytes)
    }

    deinit {
        buffer.deallocate()
        piece.deallocate()
    }

    /// Bytes that were read but not consumed yet. Valid until the next change.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: buffer[start..<end]) }

    /// Bytes of memory held.
    var capacity: Int { buffer.count + piece.count }

    /// Drops bytes from the beginning.
    mutating func consume(_ count: Int) {
        start += count
    }

    /// Reads more: afterwards there are more ``bytes``, or the input is at its end.
    mutating func refill() throws(ETLError) {
        makeRoom()
        let before = end
        while !isAtEnd, end == before || buffer.count - end >= leastRoom {
            try readPiece()
        }
    }

    private mutating func readPiece() throws(ETLError) {
        let free = UnsafeMutableRawBufferPointer(rebasing: buffer[end...])
        guard transcoder != nil else {
            let count = try source.read(into: free)
            end += count
            isAtEnd = count == 0
            return
        }
        let fitting = min(piece.count, (free.count - Transcoder.slack) / Transcoder.growth)
        let count = try source.read(into: UnsafeMutableRawBufferPointer(rebasing: piece[..<fitting]))
        let read = UnsafeRawBufferPointer(rebasing: piece[..<count])
        // The transcoder is not nil here.
        end += (count == 0 ? transcoder?.finish(into: free) : transcoder?.transcode(read, into: free)) ?? 0
        isAtEnd = count == 0
    }

    /// The minimum free space, in bytes, to read more.
    private var leastRoom: Int { transcoder == nil ? 1 : Transcoder.growth + Transcoder.slack }

    /// Moves the bytes to the front of the buffer. If they fill more than half of it, allocates a larger one.
    private mutating func makeRoom() {
        let held = end - start
        if held > buffer.count / 2 || buffer.count - held < leastRoom {
            let larger = UnsafeMutableRawBufferPointer.allocate(
                byteCount: max(2 * buffer.count, held + leastRoom), alignment: 64)
            larger.copyMemory(from: bytes)
            buffer.deallocate()
            buffer = larger
        } else if start > 0 {
            buffer.copyMemory(from: bytes)
        }
        start = 0
        end = held
    }
}

import CLzma

/// Decompresses the data of .xz files: all its streams, one after the other.
final class XZInflater: StreamInflater {
    /// Bytes of memory for decompressing: enough for `xz -9`.
    private static let memory: UInt64 = 72 << 20

    /// On the heap, because liblzma's state keeps a pointer to its stream.
    private let stream: UnsafeMutablePointer<lzma_stream>
    private let limit: InflateLimit
    private var totalIn = 0
    private var totalOut = 0
    let hasTrailingGarbage = false

    init(limit: InflateLimit) throws(InflateError) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: lzma_stream())
        self.limit = limit
        guard etl_xz_decoder(stream, Self.memory) == LZMA_OK else { throw .outOfMemory }
    }

    deinit {
        // Safe even if initialization failed.
        lzma_end(stream)
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    func inflate(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(InflateError) -> (taken: Int, made: Int) {
        try run(input, output, LZMA_RUN).counts
    }

    func finish() throws(InflateError) {
        var room: UInt8 = 0
        let isOver = try withUnsafeMutableBytes(of: &room) { room throws(InflateError) in
            let (counts, code) = try run(UnsafeRawBufferPointer(start: nil, count: 0), room, LZMA_FINISH)
            return code == LZMA_STREAM_END && counts.made == 0
        }
        guard isOver else { throw .truncated }
    }

    private func run(
        _ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer, _ action: lzma_action
    ) throws(InflateError) -> (counts: (taken: Int, made: Int), code: lzma_ret) {
        stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_in = input.count
        stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = output.count
        let code = lzma_code(stream, action)
        let counts = (
            taken: input.count - stream.pointee.avail_in, made: output.count - stream.pointee.avail_out
        )
        totalIn += counts.taken
        totalOut += counts.made
        switch code {
        case LZMA_OK, LZMA_STREAM_END, LZMA_BUF_ERROR: break
        case LZMA_MEMLIMIT_ERROR: throw .needsMemory
        case LZMA_MEM_ERROR: throw .outOfMemory
        case LZMA_FORMAT_ERROR: throw totalOut == 0 ? .notCompressed : .damaged
        default: throw .damaged
        }
        guard !limit.isExceeded(by: totalOut, from: totalIn) else { throw .bomb }
        return (counts, code)
    }
}

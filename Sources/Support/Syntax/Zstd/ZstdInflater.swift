import CZstd

/// Decompresses zstd data (RFC 8878): all its frames, one after the other.
final class ZstdInflater: StreamInflater {
    /// The largest window, as a power of two: 32 MiB. Levels up to 19 need 8 MiB.
    private static let longestWindow: Int32 = 25

    private let context: OpaquePointer
    private let limit: InflateLimit
    private var isInFrame = false
    private var frames = 0
    private var totalIn = 0
    private var totalOut = 0
    private(set) var hasTrailingGarbage = false

    init(limit: InflateLimit) throws(InflateError) {
        guard let context = ZSTD_createDCtx() else { throw .outOfMemory }
        self.context = context
        self.limit = limit
        ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, Self.longestWindow)
    }

    deinit { ZSTD_freeDCtx(context) }

    func inflate(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(InflateError) -> (taken: Int, made: Int) {
        guard !hasTrailingGarbage else { return (input.count, 0) }
        var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
        var target = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        if input.isEmpty, !isInFrame { return (0, 0) }
        let code = ZSTD_decompressStream(context, &target, &source)
        if ZSTD_isError(code) != 0 {
            switch ZSTD_getErrorCode(code) {
            case ZSTD_error_frameParameter_windowTooLarge: throw .needsMemory
            case ZSTD_error_memory_allocation: throw .outOfMemory
            case ZSTD_error_prefix_unknown where !isInFrame && frames > 0:
                hasTrailingGarbage = true
                return (input.count, 0)
            case ZSTD_error_prefix_unknown where frames == 0: throw .notCompressed
            default: throw .damaged
            }
        }
        totalIn += source.pos
        totalOut += target.pos
        guard !limit.isExceeded(by: totalOut, from: totalIn) else { throw .bomb }
        if source.pos > 0 || target.pos > 0 {
            isInFrame = code != 0
            if code == 0 { frames += 1 }
        }
        return (source.pos, target.pos)
    }

    func finish() throws(InflateError) {
        if isInFrame { throw .truncated }
        if frames == 0 { throw .notCompressed }
    }
}

import CZlib

/// Decompresses gzip data (RFC 1952) piece by piece: all its members, one after the other, like `gzip -d`.
///
/// Zeros between and after members are padding. Anything else after a member is garbage: it ends the data and
/// sets ``hasTrailingGarbage``. Memory use is a window of 32 KiB, whatever the data.
package struct GzipInflater: ~Copyable {
    private enum State { case betweenMembers, halfMagic, inMember, atGarbage }

    /// On the heap, because zlib's state keeps a pointer to its stream.
    private let stream: UnsafeMutablePointer<z_stream>
    private let limit: InflateLimit
    private var state = State.betweenMembers
    private var members = 0
    private var totalIn = 0
    private var totalOut = 0

    /// The input must begin with the first byte of a member.
    ///
    /// - Throws: `outOfMemory` if zlib cannot allocate its state.
    package init(limit: InflateLimit = .text) throws(InflateError) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        self.limit = limit
        guard etl_inflate_init_gzip(stream) == Z_OK else { throw .outOfMemory }
    }

    private init(copying other: borrowing GzipInflater) throws(InflateError) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        (limit, state, members) = (other.limit, other.state, other.members)
        (totalIn, totalOut) = (other.totalIn, other.totalOut)
        guard inflateCopy(stream, other.stream) == Z_OK else { throw .outOfMemory }
    }

    /// A second inflater that continues from the same state.
    func copy() throws(InflateError) -> GzipInflater { try GzipInflater(copying: self) }

    deinit {
        // This is safe even if initialization failed: zlib returns an error and frees nothing.
        inflateEnd(stream)
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    /// Whether the last member is followed by bytes that are neither a member nor padding.
    package var hasTrailingGarbage: Bool { state == .atGarbage }

    /// Decompresses as much of `input` as fits into `output`.
    ///
    /// - Returns: The number of bytes taken and made. Call it again with the rest until both are 0.
    package mutating func inflate(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(InflateError) -> (taken: Int, made: Int) {
        var taken = 0
        var made = 0
        while taken < input.count, made < output.count {
            switch state {
            case .atGarbage:
                return (input.count, made)
            case .betweenMembers:
                switch input[taken] {
                case 0x1F: state = .halfMagic
                case 0 where members > 0: break
                default: try noteGarbage()
                }
                taken += 1
            case .halfMagic:
                if input[taken] == 0x8B { try beginMember() } else { try noteGarbage() }
                taken += 1
            case .inMember:
                let step = try run(
                    UnsafeRawBufferPointer(rebasing: input[taken...]),
                    UnsafeMutableRawBufferPointer(rebasing: output[made...]))
                taken += step.taken
                made += step.made
                if step.taken == 0, step.made == 0 { return (taken, made) }
            }
        }
        return (taken, made)
    }

    /// Call it at the end of the input.
    ///
    /// - Throws: ``InflateError/truncated`` inside a member, ``InflateError/notCompressed`` if there was none.
    package func finish() throws(InflateError) {
        switch state {
        case .inMember: throw .truncated
        case .halfMagic: throw members == 0 ? .notCompressed : .truncated
        case .betweenMembers, .atGarbage: if members == 0 { throw .notCompressed }
        }
    }

    private mutating func noteGarbage() throws(InflateError) {
        guard members > 0 else { throw .notCompressed }
        state = .atGarbage
    }

    private mutating func beginMember() throws(InflateError) {
        inflateReset(stream)
        members += 1
        state = .inMember
        // The two magic bytes were consumed to recognize the member. zlib needs them too.
        var magic: (UInt8, UInt8) = (0x1F, 0x8B)
        var nothing: UInt8 = 0
        try withUnsafeMutableBytes(of: &magic) { magic throws(InflateError) in
            try withUnsafeMutableBytes(of: &nothing) { nothing throws(InflateError) in
                _ = try run(
                    UnsafeRawBufferPointer(magic), UnsafeMutableRawBufferPointer(rebasing: nothing[..<0]))
            }
        }
    }

    private mutating func run(
        _ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer
    ) throws(InflateError) -> (taken: Int, made: Int) {
        let room = min(output.count, Int(UInt32.max))
        let given = min(input.count, Int(UInt32.max))
        // zlib's struct has no const, but zlib never writes to its input.
        stream.pointee.next_in = UnsafeMutableRawPointer(mutating: input.baseAddress)?
            .assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_in = UInt32(given)
        stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = UInt32(room)
        let code = CZlib.inflate(stream, Z_NO_FLUSH)
        let taken = given - Int(stream.pointee.avail_in)
        let made = room - Int(stream.pointee.avail_out)
        totalIn += taken
        totalOut += made
        switch code {
        case Z_OK, Z_BUF_ERROR: break
        case Z_STREAM_END: state = .betweenMembers
        case Z_MEM_ERROR: throw .outOfMemory
        default: throw .damaged
        }
        guard !limit.isExceeded(by: totalOut, from: totalIn) else { throw .bomb }
        return (taken, made)
    }
}

/// Bytes that do not move until all are released. They are composed while a batch is written, and bound in
/// place.
final class ScratchBytes {
    private static let chunk = 64 * 1024

    private var chunks: [UnsafeMutableRawBufferPointer] = []
    /// The chunk that is being filled, and how much of it is used.
    private var current = 0
    private var used = 0

    deinit { for chunk in chunks { chunk.deallocate() } }

    private var composed: [UInt8] = []

    /// Lets `write` compose bytes, and keeps them at a fixed address.
    func keep(_ write: (inout [UInt8]) -> Void) -> UnsafeRawBufferPointer {
        composed.removeAll(keepingCapacity: true)
        write(&composed)
        return keep(composed)
    }

    private func keep(_ bytes: [UInt8]) -> UnsafeRawBufferPointer {
        guard !bytes.isEmpty else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        while current < chunks.count, chunks[current].count - used < bytes.count {
            current += 1
            used = 0
        }
        if current == chunks.count {
            let size = max(Self.chunk, bytes.count)
            chunks.append(.allocate(byteCount: size, alignment: 1))
        }
        let place = UnsafeMutableRawBufferPointer(rebasing: chunks[current][used..<used + bytes.count])
        place.copyBytes(from: bytes)
        used += bytes.count
        return UnsafeRawBufferPointer(place)
    }

    /// Releases all bytes. Their memory is reused.
    func removeAll() {
        current = 0
        used = 0
    }
}

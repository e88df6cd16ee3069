import System

/// Receives a small body in memory.
package final class TextReceiver: BodyReceiver {
    private let limit: Int
    private let bytes = Guarded<[UInt8]?>([])
    private let complete: @Sendable ([UInt8]?) -> Void

    /// - Parameters:
    ///   - limit: Maximum size of the body in bytes.
    ///   - complete: Called with the body, or with nil if it is longer.
    package init(limit: Int, complete: @escaping @Sendable ([UInt8]?) -> Void) {
        self.limit = limit
        self.complete = complete
    }

    package func receive(_ piece: UnsafeRawBufferPointer) -> Bool {
        let piece = Array(piece)
        let isTooLong = bytes.withLock { bytes in
            guard let before = bytes else { return false }
            guard before.count + piece.count <= limit else {
                bytes = nil
                return true
            }
            bytes?.append(contentsOf: piece)
            return false
        }
        if isTooLong { complete(nil) }
        return true
    }

    package func finish() {
        if let bytes = bytes.withLock({ $0 }) { complete(bytes) }
    }

    package func abandon() {}
}

extension Array where Element == UInt8 {
    /// Lends the bytes to a body that may throw: `withUnsafeBytes` forgets the type of what it throws.
    @inlinable
    package func lend<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withUnsafeBufferPointer { buffer throws(Failure) in try body(UnsafeRawBufferPointer(buffer)) }
    }
}

/// What a batch carries from stage to stage: many records in one value.
///
/// A payload is a value. It is moved from stage to stage, never shared, so a stage changes it in place.
public protocol Payload: Sendable {
    /// Records in it.
    var count: Int { get }
    /// Bytes of memory it holds, near enough for a bound.
    var byteCount: Int { get }
    /// Records in it that begin before a position of the input: with them, those turned away have their places in the
    /// batch. None where a payload does not know where its records began.
    func count(before position: Position) -> Int
}

extension Payload {
    /// None.
    public func count(before position: Position) -> Int { 0 }
}

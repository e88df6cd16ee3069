/// The bytes of a batch: what its records' ``Text`` values point into.
///
/// One growing buffer instead of thousands of strings. It only ever grows, so a text stays valid as long as its
/// batch; it holds at most 4 GiB, far above any batch's bound.
public struct Arena: Sendable {
    @usableFromInline var storage: [UInt8]

    /// An empty arena.
    ///
    /// - Parameter capacity: Bytes to have room for without growing.
    @inlinable
    public init(capacity: Int = 0) {
        storage = []
        storage.reserveCapacity(capacity)
    }

    /// Bytes in it, those included that no text points at any more.
    @inlinable
    public var byteCount: Int { storage.count }

    /// Forgets all bytes, and with them all texts, and keeps the memory.
    @inlinable
    package mutating func removeAll() { storage.removeAll(keepingCapacity: true) }

    /// Bytes that can be added before it has to grow.
    @inlinable
    package var room: Int { storage.capacity - storage.count }

    /// Makes room for so many bytes more.
    @inlinable
    package mutating func reserve(_ count: Int) { storage.reserveCapacity(storage.count + count) }

    /// Appends bytes and returns where they are.
    @inlinable
    public mutating func append(_ bytes: UnsafeRawBufferPointer) -> Text {
        guard !bytes.isEmpty else { return .none }
        let text = Text(offset: UInt32(storage.count), length: UInt32(bytes.count))
        storage.append(contentsOf: bytes)
        return text
    }

    /// Appends bytes and returns where they are.
    @inlinable
    public mutating func append(_ bytes: some Collection<UInt8>) -> Text {
        guard !bytes.isEmpty else { return .none }
        let offset = storage.count
        storage.append(contentsOf: bytes)
        return Text(offset: UInt32(offset), length: UInt32(storage.count - offset))
    }

    /// Appends a string's UTF-8 and returns where it is.
    @inlinable
    public mutating func append(_ string: some StringProtocol) -> Text {
        append(string.utf8)
    }

    /// Lets `write` append any number of bytes and returns where they are.
    @inlinable
    public mutating func append(writing write: (inout [UInt8]) -> Void) -> Text {
        let offset = storage.count
        write(&storage)
        return storage.count == offset
            ? .none : Text(offset: UInt32(offset), length: UInt32(storage.count - offset))
    }

    /// The text as a `String`; bytes that are not UTF-8 show as U+FFFD.
    @inlinable
    public subscript(_ text: Text) -> String {
        String(decoding: storage[text.range], as: UTF8.self)
    }

    /// The text's bytes, copied.
    @inlinable
    public func bytes(_ text: Text) -> [UInt8] { Array(storage[text.range]) }

    /// Lends the text's bytes.
    @inline(__always)
    @inlinable
    public func withBytes<Result>(_ text: Text, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        storage.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[text.range])) }
    }

    /// Lends the whole buffer, for loops over many texts.
    @inline(__always)
    @inlinable
    public func withAllBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        storage.withUnsafeBytes(body)
    }

    /// Whether two texts hold the same bytes.
    @inlinable
    public func equal(_ a: Text, _ b: Text) -> Bool {
        if a == b { return true }
        guard a.length == b.length else { return false }
        return storage.withUnsafeBytes { bytes in
            UnsafeRawBufferPointer(rebasing: bytes[a.range])
                .hasSameBytes(as: UnsafeRawBufferPointer(rebasing: bytes[b.range]))
        }
    }
}

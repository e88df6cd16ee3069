import Bytes
import Glibc

/// The model that vectors were computed with. Vectors of different models have nothing in common.
package struct VectorModel: Sendable, Hashable {
    /// The model's name.
    package let name: String
    /// Identifies its content; empty if its provider does not tell it.
    package let revision: String
    /// Dimension of the vectors.
    package let dimension: Int
    /// Where the model is: the path of a file, or the address of a service.
    package let source: String

    /// A model. Texts that are longer than a file of vectors has room for are cut.
    package init(name: String, revision: String, dimension: Int, source: String) {
        self.name = Self.cut(name, to: 512)
        self.revision = Self.cut(revision, to: 128)
        self.dimension = dimension
        self.source = Self.cut(source, to: 3_000)
    }

    /// The beginning of a text that has at most some bytes of UTF-8.
    private static func cut(_ text: String, to limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        var bytes = Array(text.utf8.prefix(limit))
        while String(validating: bytes, as: UTF8.self) == nil { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether vectors of two models can be compared. A model may have been moved.
    package func isComparable(to other: VectorModel) -> Bool {
        (name, revision, dimension) == (other.name, other.revision, other.dimension)
    }
}

/// The first page of a file of vectors.
///
/// The numbers that change are in its first 40 bytes, which a disk writes as a whole; the rest is written once.
struct VectorHeader: Equatable {
    static let byteCount = 4_096
    /// Maximum dimension of a vector.
    static let mostDimensions = 16_384
    private static let magic = Array("etlV".utf8)
    private static let version: UInt32 = 1
    private static let stringStart = 128
    private static let checkStart = byteCount - 8

    var model: VectorModel
    /// Rows that are written completely, including deleted ones.
    var count = 0
    /// Increased with each change of the file.
    var generation = 0
    /// Identifies the state of the things of which the file has the vectors; 0 if it has not all of them.
    var stamp: UInt64 = 0

    init(_ model: VectorModel) { self.model = model }

    /// Reads a page.
    ///
    /// - Returns: Nil if it is damaged, or none.
    init?(_ page: UnsafeRawBufferPointer) {
        guard page.count >= Self.byteCount, page[0..<4].elementsEqual(Self.magic),
            Self.number(page, 4, as: UInt32.self) == Self.version,
            Self.number(page, 32, as: UInt64.self) == Self.check(page, 0..<32),
            Self.number(page, Self.checkStart, as: UInt64.self) == Self.check(page, 64..<Self.checkStart),
            let count = Int(exactly: Self.number(page, 8, as: UInt64.self)), count < Int(UInt32.max)
        else { return nil }
        self.count = count
        generation = Int(truncatingIfNeeded: Self.number(page, 16, as: UInt64.self))
        stamp = Self.number(page, 24, as: UInt64.self)
        let dimension = Int(Self.number(page, 64, as: UInt32.self))
        guard (1...Self.mostDimensions).contains(dimension) else { return nil }
        var (start, texts) = (Self.stringStart, [String]())
        for field in 0..<3 {
            let end = start + Int(Self.number(page, 68 + field * 2, as: UInt16.self))
            guard end <= Self.checkStart, let text = String(validating: page[start..<end], as: UTF8.self)
            else { return nil }
            texts.append(text)
            start = end
        }
        model = VectorModel(name: texts[0], revision: texts[1], dimension: dimension, source: texts[2])
    }

    /// Whether an open file is empty, has vectors, or was not written yet when the power failed.
    static func isOurs(_ descriptor: Int32) -> Bool {
        var start = [UInt8](repeating: 0, count: 4)
        let count = max(0, pread(descriptor, &start, 4, 0))
        return start[..<count] == magic[..<count] || start == [0, 0, 0, 0]
    }

    /// The page.
    var page: [UInt8] {
        var page = [UInt8](repeating: 0, count: Self.byteCount)
        page.replaceSubrange(0..<40, with: counts)
        Self.put(UInt32(model.dimension), 64, &page)
        var start = Self.stringStart
        for (field, text) in [model.name, model.revision, model.source].enumerated() {
            let bytes = Array(text.utf8)
            Self.put(UInt16(bytes.count), 68 + field * 2, &page)
            page.replaceSubrange(start..<start + bytes.count, with: bytes)
            start += bytes.count
        }
        Self.put(page.withUnsafeBytes { Self.check($0, 64..<Self.checkStart) }, Self.checkStart, &page)
        return page
    }

    /// The part of the page that changes, from its beginning on.
    var counts: [UInt8] {
        var bytes = Self.magic + [UInt8](repeating: 0, count: 36)
        Self.put(Self.version, 4, &bytes)
        Self.put(UInt64(count), 8, &bytes)
        Self.put(UInt64(generation), 16, &bytes)
        Self.put(stamp, 24, &bytes)
        Self.put(bytes.withUnsafeBytes { Self.check($0, 0..<32) }, 32, &bytes)
        return bytes
    }

    private static func check(_ page: UnsafeRawBufferPointer, _ range: Range<Int>) -> UInt64 {
        KeyHash.hash(UnsafeRawBufferPointer(rebasing: page[range]))
    }

    private static func number<Number: FixedWidthInteger>(
        _ page: UnsafeRawBufferPointer, _ offset: Int, as type: Number.Type
    ) -> Number { Number(littleEndian: page.loadUnaligned(fromByteOffset: offset, as: type)) }

    private static func put(_ number: some FixedWidthInteger, _ offset: Int, _ page: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) {
            page.replaceSubrange(offset..<offset + $0.count, with: $0)
        }
    }
}

import Foundation

extension UnsafeRawBufferPointer {
    /// Whether the bytes are UTF-8.
    package var isUTF8: Bool {
        withMemoryRebound(to: UInt8.self) { buffer in
            do throws(UTF8.ValidationError) {
                _ = try UTF8Span(validating: buffer.span)
                return true
            } catch {
                return false
            }
        }
    }

    /// The offset of the first such byte from an offset on; nil where there is none.
    @usableFromInline package func offset(of byte: UInt8, from start: Int) -> Int? {
        guard start < count, let base = baseAddress,
            let found = memchr(base + start, CInt(byte), count - start)
        else { return nil }
        return UnsafeRawPointer(found) - base
    }

    /// Whether both hold the same bytes. `elementsEqual` goes byte by byte, some ten times slower.
    @usableFromInline package func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        guard count > 0, let start = baseAddress, let otherStart = other.baseAddress else { return true }
        return memcmp(start, otherStart, count) == 0
    }

    /// The bytes of a part, given by offset and length.
    @inline(__always)
    @inlinable
    package func part(_ offset: Int, _ length: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self[offset..<offset + length])
    }

    /// Whether the bytes begin with those of a literal.
    @inline(__always)
    @inlinable
    package func begins(with start: StaticString) -> Bool {
        start.withUTF8Buffer { start in
            start.count <= count && part(0, start.count).hasSameBytes(as: UnsafeRawBufferPointer(start))
        }
    }

    /// Whether the bytes are those of a literal.
    @inline(__always)
    @inlinable
    package static func == (literal: StaticString, bytes: UnsafeRawBufferPointer) -> Bool {
        literal.utf8CodeUnitCount == bytes.count && bytes.begins(with: literal)
    }
}

import Books
import Bytes
import Syntax
import System

/// Guessing of a file's encoding.
extension InputFile {
    /// Bytes that are passed to find the first one beyond ASCII, if the first ones of the file are ASCII.
    private static let mostPassed = (plain: 16 << 20, packed: 2 << 20)

    /// The encoding by the first bytes that show it. It depends on the file alone, so that a resumed run reads with the
    /// same one.
    ///
    /// - Parameter head: The first ``headBytes``, or the whole of a shorter file.
    func encodingGuess(_ head: [UInt8]) throws(ETLError) -> EncodingGuess {
        let guess = TextEncoding.sniff(head: head)
        guard guess.encoding == .utf8, guess.byteOrderMarkLength == 0, head.count >= Self.headBytes,
            head.allSatisfy({ $0 < 0x80 }), let later = try firstBytesBeyondASCII(after: head.count)
        else { return guess }
        return TextEncoding.sniff(head: later)
    }

    /// The bytes around the first one beyond ASCII; nil if there is none nearby.
    private func firstBytesBeyondASCII(after offset: Int) throws(ETLError) -> [UInt8]? {
        let most = isPacked ? Self.mostPassed.packed : Self.mostPassed.plain
        var source = try bytes(from: isPacked ? 0 : Int64(offset))
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 64)
        defer { buffer.deallocate() }
        var (passed, kept) = (0, [UInt8]())
        while passed < most, kept.count < Self.headBytes {
            let count = try source.read(into: buffer)
            guard count > 0 else { break }
            passed += count
            let read = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            if !kept.isEmpty {
                kept += read.prefix(Self.headBytes - kept.count)
            } else if let first = read.firstBeyondASCII {
                // Whole cells: from the beginning of the line.
                let start = read[..<first].lastIndex(of: UInt8(ascii: "\n")) ?? max(0, first - 64)
                kept = Array(read[start...].prefix(Self.headBytes))
            }
        }
        return kept.isEmpty ? nil : kept
    }

    /// A warning about an encoding that is not near certain; nil if it is, or if the user named it.
    func doubt(about guess: EncodingGuess) -> UserWarning? {
        guard encoding == nil, guess.candidates.count > 1 else { return nil }
        let readings = guess.candidates.map { candidate in
            "\(candidate.encoding.rawValue) (\(candidate.words.map { "`\($0)`" }.joined(separator: ", ")))"
        }
        return UserWarning(
            "The encoding of `\(path)` is a guess: \(readings[0]). It could also be "
                + "\(readings.dropFirst().joined(separator: " or ")).",
            advice: """
                Import the file with the encoding in which the words are right: \
                \(UserSetting.encoding(guess.candidates[1].encoding.rawValue)).
                """)
    }
}

extension UnsafeRawBufferPointer {
    /// The first byte from 0x80 on.
    fileprivate var firstBeyondASCII: Int? {
        var at = 0
        while at + 8 <= count {
            if loadUnaligned(fromByteOffset: at, as: UInt64.self) & 0x8080_8080_8080_8080 != 0 { break }
            at += 8
        }
        return self[at...].firstIndex { $0 >= 0x80 }
    }
}

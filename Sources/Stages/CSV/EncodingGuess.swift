/// What a file's head says about its encoding, and why.
package struct EncodingGuess: Sendable, Hashable {
    package var encoding: TextEncoding
    /// Bytes of the byte order mark; 0 where there is none.
    package var byteOrderMarkLength: Int
    /// One sentence for the reader.
    package var evidence: String
}

extension TextEncoding {
    /// Guesses the encoding from the first bytes of a file.
    package static func sniff(head: [UInt8]) -> EncodingGuess {
        EncodingGuess(encoding: .utf8, byteOrderMarkLength: 0, evidence: "")
    }

    /// The text of a file's head as UTF-8, its byte order mark and a cut-off last character left out.
    package func utf8(ofHead head: [UInt8]) -> [UInt8] { head }
}

/// Refuses requests whose end two servers could see in different places (RFC 9112 sections 5 and 6): behind a proxy
/// that sees another end, the rest would be taken for the next request.
package enum RequestFraming {
    /// Why the framing is refused, as a sentence; nil if it is clear.
    package static func refusal(_ head: RequestHead) -> String? {
        if !head.isClean {
            return
                "A line of the head is folded, does not end with CR and LF, or has a zero byte, the path has a space, or the method is not a word."
        }
        if !head.hasPlainNames {
            return "The name of a header field is empty, or has a character that no name may have."
        }
        if !head.hasPlainValues { return "A header field has a control character." }
        let lengths = head.values(of: "Content-Length")
        let encodings = head.values(of: "Transfer-Encoding")
        if lengths.count > 1 { return "The request has more than one Content-Length." }
        if encodings.count > 1 { return "The request has more than one Transfer-Encoding." }
        if !lengths.isEmpty, !encodings.isEmpty {
            return "The request has both Content-Length and Transfer-Encoding."
        }
        // Unicode has other letters whose lower case is an ASCII letter.
        if let encoding = encodings.first,
            !encoding.utf8.allSatisfy({ $0 < 128 })
                || encoding.lowercased() != "chunked"
        {
            return "The only Transfer-Encoding that is understood is chunked."
        }
        if let length = lengths.first, length.isEmpty || !length.utf8.allSatisfy({ (48...57).contains($0) }) {
            return "The Content-Length is not a number."
        }
        if head.isVersion10, !encodings.isEmpty {
            return "A request of HTTP/1.0 cannot have a Transfer-Encoding."
        }
        if head.count(of: "Host") != 1 { return "The request must have one Host." }
        return nil
    }
}

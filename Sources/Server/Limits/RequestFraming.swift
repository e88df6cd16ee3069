/// Refuses requests whose end two servers could see in different places (RFC 9112 section 6.3): behind a proxy that
/// sees another end, the rest would be taken for the next request.
package enum RequestFraming {
    /// Why the framing is refused, as a sentence; nil if it is clear.
    package static func refusal(_ head: RequestHead) -> String? {
        let lengths = head.values(of: "Content-Length")
        let encodings = head.values(of: "Transfer-Encoding")
        if lengths.count > 1 { return "The request has more than one Content-Length." }
        if encodings.count > 1 { return "The request has more than one Transfer-Encoding." }
        if !lengths.isEmpty, !encodings.isEmpty {
            return "The request has both Content-Length and Transfer-Encoding."
        }
        if let encoding = encodings.first, encoding.lowercased() != "chunked" {
            return "The only Transfer-Encoding that is understood is chunked."
        }
        if let length = lengths.first, length.isEmpty || !length.utf8.allSatisfy({ (48...57).contains($0) }) {
            return "The Content-Length is not a number."
        }
        if head.count(of: "Host") != 1 { return "The request must have one Host." }
        return nil
    }
}

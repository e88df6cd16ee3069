extension RecordReader {
    /// Takes the last record out of the run where a lone quote has swallowed what follows it: when the run is handed
    /// over it stands at the window's head.
    mutating func takeOutLoneQuote() -> LoneQuote? {
        guard let last = run.marks.last, last.flags.contains(.unterminatedQuote), last.lineEnds > 0 else {
            return nil
        }
        let quote = loneQuote(from: run.marks.dropLast().last?.next ?? 0, to: last.end)
        if quote != nil { run.dropLast() }
        return quote
    }

    /// The lone quote of a record at the window's head that is over a limit, if it is why.
    ///
    /// - Parameter length: Its length; nil where it is longer than any may be.
    func loneQuote(ofLength length: Int?) -> LoneQuote? {
        guard length == nil || window.isAtEnd && length == window.bytes.count else { return nil }
        return loneQuote(from: 0, to: length ?? .max)
    }

    private func loneQuote(from start: Int, to end: Int) -> LoneQuote? {
        guard let columns else { return nil }
        // Of a long one as much is looked at whatever the window holds: where reading was begun must not show.
        let looked = min(end, window.bytes.count, start + parser.limits.recordBytes)
        return LoneQuote(
            in: UnsafeRawBufferPointer(rebasing: window.bytes[start..<looked]), isWhole: looked == end,
            parser,
            columns: columns)
    }
}

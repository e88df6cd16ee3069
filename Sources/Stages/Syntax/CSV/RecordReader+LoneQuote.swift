import Pipeline

extension RecordReader {
    /// Takes the last record out of the run where a lone quote has swallowed what follows it: when the run is handed
    /// over it stands at the window's head. The run is in offsets, and the window may have been read on.
    mutating func takeOutLoneQuote(_ ending: CSVParser.Ending) throws(StageFailure) -> UnclosedQuote? {
        guard let last = run.marks.last else { return nil }
        switch ending {
        case .acrossLines: break
        case .end where last.flags.contains(.unterminatedQuote) && last.lineEnds > 0: break
        default: return nil
        }
        let quote = try loneQuote(from: run.marks.dropLast().last?.next ?? 0, to: last.end)
        if quote != nil { run.dropLast() }
        return quote
    }

    /// The lone quote of a record at the window's head that is over a limit, if it is why.
    mutating func loneQuote(of mark: ParsedRecords.Mark) throws(StageFailure) -> UnclosedQuote? {
        mark.spansLines ? try loneQuote(from: 0, to: mark.end) : nil
    }

    /// The lone quote of the record that begins at an offset of the window.
    ///
    /// - Parameter end: Where it ends; nil where it is longer than any may be.
    mutating func loneQuote(from start: Int, to end: Int?) throws(StageFailure) -> UnclosedQuote? {
        while true {
            // As much is looked at whatever the window holds: where reading was begun must not show.
            let most = start + parser.limits.recordBytes
            let looked = min(window.bytes.count, most)
            let isWhole = window.isAtEnd && looked == window.bytes.count
            let finding = search.look(
                at: UnsafeRawBufferPointer(rebasing: window.bytes[start..<looked]),
                recordEnd: end.map { $0 - start }, isWhole: isWhole, canGrow: !isWhole && looked < most)
            switch finding {
            case .nothing: return nil
            case .quote(let quote): return quote
            case .needsInput: try window.refill()
            }
        }
    }
}

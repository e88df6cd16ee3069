import Pipeline

/// What makes no catalog although it could be read: it is refused, so that the catalog that is there stays.
extension CatalogBuildReport {
    /// Lines that were read.
    var linesRead: Int { sources.reduce(0) { $0 + $1.lines } }

    /// Makes sure that a file which was read to its end was a dump.
    ///
    /// - Throws: `unusableInput` where nothing was taken of it, and more of its lines were passed over than understood.
    func checkSource(_ index: Int) throws(StageFailure) {
        let source = sources[index]
        guard source.taken ?? 0 == 0, source.malformed > source.records else { return }
        throw StageFailure(
            .unusableInput,
            "Nothing was taken of \(source.name): of its \(source.lines) lines \(source.malformed) were passed over "
                + "(\(Self.counts(source.reasons ?? [:]))).",
            advice: DumpHeader.advice)
    }

    /// Makes sure that there is something to make a catalog of.
    ///
    /// - Parameter updates: Whether a catalog is updated, for which what leads elsewhere or was deleted is something, too.
    /// - Throws: `unusableInput` where there is not.
    func checkContent(updates: Bool) throws(StageFailure) {
        guard (updates ? read.taken : read.content) == 0 else { return }
        let kinds = [
            ("of other kinds", read.others), ("redirects and deletes", read.redirects + read.deletes),
            ("malformed", malformed.values.reduce(0, +)),
        ]
        let counts = kinds.filter { $0.1 > 0 }.map { "\($0.1) \($0.0)" }
        throw StageFailure(
            .unusableInput,
            "There is nothing to make a catalog of: no edition, work, author or person who writes in \(linesRead) lines "
                + "(\(counts.joined(separator: ", "))).",
            advice: DumpHeader.advice)
    }

    private static func counts(_ reasons: [DumpLineError: Int]) -> String {
        reasons.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
            .map { "\($0.value) \($0.key.rawValue)" }.joined(separator: ", ")
    }
}

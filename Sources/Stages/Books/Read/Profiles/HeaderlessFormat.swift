/// A profile of files that have no header: it knows them by their first records, and names their columns itself.
package protocol HeaderlessFormat: LibraryFormat {
    /// The columns of a file; nil where its records are not of this exporter.
    ///
    /// - Parameter records: The first records that are not blank, at least one.
    func columns(of records: [[String]]) -> [String]?

    /// What told it, as one sentence for the reader.
    var evidence: String { get }
}

extension HeaderlessFormat {
    /// A file with a header is of another exporter.
    package func score(_ header: HeaderNames) -> Double { 0 }
}

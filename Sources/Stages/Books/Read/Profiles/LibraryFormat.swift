/// A profile: what one exporter's files look like and what their records say.
///
/// A profile knows a file by the names of its columns, never by their order, and reads a record in place: it
/// fills the row's title, series, people and format, says what cells mean that others would misread
/// (``LibraryRows/read(_:as:of:)``), and notes what is odd. It sets aside what is no book
/// (``LibraryRow/refusal``) and never fails. One that knows its files by their bytes is a ``StructuredFormat``.
package protocol LibraryFormat: Sendable {
    /// Name on the command line and in the store: `goodreads`.
    var name: String { get }

    /// How much a header looks like this exporter's, 0…1. From ``LibraryFormats/threshold`` on the profile
    /// claims the file.
    func score(_ header: HeaderNames) -> Double

    /// What the columns mean. Columns it does not know stay unmapped; they are carried along all the same.
    func fields(_ header: HeaderNames) -> [LibraryField: Int]

    /// The columns that may hold the title as the reader's own row has it: the first that is not empty does.
    func readersTitles(_ header: HeaderNames) -> [Int]

    /// The fields of which a file must have one, or nothing in it can be a book.
    var identifying: [LibraryField] { get }

    /// Whether its files mix encodings, so that each cell is decoded for itself (``MixedEncoding``).
    var mixesEncodings: Bool { get }

    /// Fills title, series, people, format and notices of a row whose cells are set, and which is not yet
    /// among the rows. Runs for every record: it works on bytes and allocates nothing for a record that is in
    /// order.
    func interpret(_ row: inout LibraryRow, in rows: inout LibraryRows)
}

extension LibraryFormat {
    package var identifying: [LibraryField] { ColumnMap.identifying }

    package var mixesEncodings: Bool { false }

    package func readersTitles(_ header: HeaderNames) -> [Int] { fields(header)[.title].map { [$0] } ?? [] }
}

/// Copies the rows of new records from a batch's image into the store, row by row as they are laid out.
///
/// SQLite copies a whole table without looking into its rows where both tables are alike: a sixth of what it costs to
/// insert them. Records that are not new split a batch; the parts between them are copied column by column.
final class ImageRows {
    private let connection: Connection
    /// The image of the batch in hand.
    private var image: DatabaseImage?
    private var library: Int64 = 0
    private var layout: Int64 = 0
    /// Records whose rows are to be copied.
    private var waiting: [Range<Int>] = []
    private var statements: [(whole: Statement, part: Statement)] = []

    init(_ connection: Connection) { self.connection = connection }

    /// Whether there is an image to take rows from.
    private(set) var isOpen = false

    /// Begins a batch.
    func begin(_ image: DatabaseImage?, library: Int64, layout: Int64) {
        self.image = image
        self.library = library
        self.layout = layout
        waiting.removeAll(keepingCapacity: true)
        isOpen = image != nil && max(library, layout) <= DatabaseImage.largestOpenNumber
    }

    /// Says who an author is.
    @inline(__always)
    func set(author: Int64, at place: UInt32) { image?.set(author, at: place) }

    /// Takes a record's rows, whose authors are set.
    func take(_ number: Int, of batch: LentResults) {
        let place = batch.drafts[number].openEntry
        image?.set(library, at: place)
        image?.set(layout, at: place + UInt32(MemoryLayout<UInt32>.size))
        if let last = waiting.last, last.upperBound == number {
            waiting[waiting.count - 1] = last.lowerBound..<number + 1
        } else {
            waiting.append(number..<number + 1)
        }
    }

    /// Copies what was taken.
    func flush(_ batch: LentResults) throws(SQLiteError) {
        guard let image, !waiting.isEmpty else { return }
        // Anew each time: of pages it has read before, SQLite would not see what was set since.
        try connection.attach(image)
        if statements.isEmpty { statements = try Self.statements(connection) }
        let isWhole = waiting == [0..<batch.drafts.count]
        for (table, statement) in zip(ImageLayout.tables, statements) {
            if isWhole {
                try statement.whole.run()
                continue
            }
            for part in waiting {
                let ids = table.ids(
                    ofRows: batch.row(of: part.lowerBound)...batch.row(of: part.upperBound - 1))
                statement.part.bind(1, ids.lowerBound)
                statement.part.bind(2, ids.upperBound)
                try statement.part.run()
            }
        }
        waiting.removeAll(keepingCapacity: true)
    }

    private static func statements(
        _ connection: Connection
    ) throws(SQLiteError) -> [(whole: Statement, part: Statement)] {
        var statements: [(whole: Statement, part: Statement)] = []
        for table in ImageLayout.tables {
            // An error here rolls all back anyhow; said so, SQLite keeps no journal of the statement against it.
            let copy = """
                INSERT OR ROLLBACK INTO main.\(table.name)
                SELECT * FROM \(Connection.image).\(table.name)
                """
            statements.append(
                (
                    try connection.prepare(copy),
                    try connection.prepare(copy + " WHERE id BETWEEN ?1 AND ?2")
                ))
        }
        return statements
    }
}

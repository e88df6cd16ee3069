/// Puts down to wait what each work is searched by: its titles and its authors' names, folded.
struct SearchStaging {
    /// Authors a work is searched by, and other names of each.
    static let authorLimit = 4
    static let otherNameLimit = 4

    private let insert: Statement
    private var authors: [UInt8] = []
    private var count = 0

    init(_ connection: Connection) throws(SQLiteError) {
        insert = try connection.prepare("INSERT INTO stage.search VALUES (?,?,?,?,?)")
    }

    /// Begins a work.
    mutating func begin() {
        authors.removeAll(keepingCapacity: true)
        count = 0
    }

    /// Adds the names of one of its authors, from the author's record.
    mutating func add(author body: UnsafeRawBufferPointer) {
        count += 1
        guard count <= Self.authorLimit else { return }
        PackedRecord.forEachName(ofAuthor: body, others: Self.otherNameLimit) { name in
            if !authors.isEmpty, authors.last != 0x20 { authors.append(0x20) }
            Folding.fold(name, into: &authors)
        }
    }

    /// Puts the work down; one without a title is found by its ISBN only.
    func write(work: Int64, editions: Int, _ record: [UInt8]) throws(SQLiteError) {
        var title: [UInt8] = []
        var subtitle: [UInt8] = []
        record.withUnsafeBytes { bytes in
            _ = PackedRecord.forEachValue(bytes) { field, _, range in
                let value = UnsafeRawBufferPointer(rebasing: bytes[range])
                if field == .title { Folding.fold(value, into: &title) }
                if field == .subtitle { Folding.fold(value, into: &subtitle) }
            }
        }
        guard !title.isEmpty else { return }
        insert.bind(1, -editions)
        insert.bind(2, work)
        try title.lend { title throws(SQLiteError) in
            try subtitle.lend { subtitle throws(SQLiteError) in
                try authors.lend { authors throws(SQLiteError) in
                    insert.bind(3, textInPlace: title)
                    insert.bind(4, textInPlace: subtitle)
                    insert.bind(5, textInPlace: authors)
                    try insert.run()
                }
            }
        }
    }
}

/// Lays out rows as the pages of an SQLite database (sqlite.org/fileformat2.html), without SQLite.
///
/// Rows of different tables can come in any order. Rows of one table must have ascending ids.
/// ``begin(_:id:)`` starts a row, whose values follow (``RowValues``). ``commit()`` lays out all rows since
/// the last commit, or none of them.
///
///     page 1      the schema: one row per table or index
///     page 2 …    the roots of the tables and indexes, in order
///     the others  leaves, each of one table; rows from the page's end towards its start
///
/// The roots are the same in every image of the same tables. So a statement that SQLite compiled for one
/// image works with the next.
package struct ImageWriter: ~Copyable {
    /// Page size in bytes, the same as a store's.
    static let pageSize = 16_384
    /// Maximum size of a row. Larger ones need overflow pages and are left to SQLite.
    static let longestRow = pageSize - 35

    /// A table of the image.
    package struct Table: Sendable {
        package var name: String
        package var sql: String
        /// A partial index whose condition excludes all rows of the image.
        package var emptyIndex: (name: String, sql: String)?

        package init(name: String, sql: String, emptyIndex: (name: String, sql: String)? = nil) {
            self.name = name
            self.sql = sql
            self.emptyIndex = emptyIndex
        }
    }

    private let tables: [Table]
    private var pages: ImagePages
    private var trees: [ImageTree]
    @usableFromInline var gathered = RowBuffer()

    package init(_ tables: [Table]) {
        self.tables = tables
        pages = ImagePages(pageSize: Self.pageSize)
        trees = tables.map { _ in ImageTree() }
        // The schema, and the roots.
        _ = pages.add()
        for table in tables {
            _ = pages.add()
            if table.emptyIndex != nil {
                pages.writeHeader(of: pages.add(), kind: 0x0A, cells: 0, content: Self.pageSize)
            }
        }
    }

    /// The page numbers of the tables' roots. The root of a table's index is on the page after it.
    package static func roots(of tables: [Table]) -> [Int] {
        var next = 2
        return tables.map { table in
            defer { next += table.emptyIndex == nil ? 1 : 2 }
            return next
        }
    }

    // MARK: Rows

    /// Begins a row of a table. Its values must follow, without the id, which is the first column.
    package mutating func begin(_ table: Int, id: Int64) { gathered.begin(table, id: id) }

    /// Lays out the rows begun since the last commit.
    ///
    /// - Returns: False if none was laid out, because one is too large or has a value that SQLite must
    ///   convert, or because the image is full.
    package mutating func commit() -> Bool {
        defer { gathered.removeAll() }
        gathered.endRow()
        guard gathered.isPlain,
            gathered.rows.allSatisfy({ $0.payload <= Self.longestRow && trees[$0.table].isOpen })
        else { return false }
        placeholderOffsets.removeAll(keepingCapacity: true)
        for index in gathered.rows.indices {
            let row = gathered.rows[index]
            let place = trees[row.table].room(for: row, in: &pages)
            let placeholder = gathered.layOut(index, at: pages.start + place)
            placeholderOffsets.append(placeholder.map { UInt32(place + $0) } ?? 0)
        }
        return true
    }

    /// For each row of the last commit, the offset of its first open number in the unfinished image
    /// (``DatabaseImage/place(_:)``); 0 for a row without one.
    package private(set) var placeholderOffsets: [UInt32] = []

    // MARK: Finishing

    /// Finishes the image.
    package consuming func finish() -> DatabaseImage {
        var schema = RowBuffer()
        var names: [[UInt8]] = []
        var entries: [(type: Int, name: Int, table: Int, sql: Int, root: Int)] = []
        func keep(_ text: String) -> Int {
            names.append(Array(text.utf8))
            return names.count - 1
        }
        let (tableType, indexType) = (keep("table"), keep("index"))
        var moves: [(from: Int, to: Int)] = []
        for (index, (table, root)) in zip(tables, Self.roots(of: tables)).enumerated() {
            let name = keep(table.name)
            if let moved = trees[index].close(root: root, in: &pages) { moves.append((moved, root)) }
            entries.append((tableType, name, name, keep(table.sql), root))
            guard let empty = table.emptyIndex else { continue }
            entries.append((indexType, keep(empty.name), name, keep(empty.sql), root + 1))
        }
        var first = ImageTree(schemaIn: &pages)
        let bytes = names.flatMap { $0 }
        let starts = names.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.count) }
        bytes.withUnsafeBytes { all in
            func text(_ name: Int) -> UnsafeRawBufferPointer {
                UnsafeRawBufferPointer(rebasing: all[starts[name]..<starts[name + 1]])
            }
            for (number, entry) in entries.enumerated() {
                schema.begin(0, id: Int64(number + 1), hasIDColumn: false)
                schema.add(text: text(entry.type))
                schema.add(text: text(entry.name))
                schema.add(text: text(entry.table))
                schema.add(Int64(entry.root))
                schema.add(text: text(entry.sql))
            }
            schema.endRow()
            for index in schema.rows.indices {
                let place = first.room(for: schema.rows[index], in: &pages)
                _ = schema.layOut(index, at: pages.start + place)
            }
        }
        first.writeHeader(in: &pages)
        pages.writeFileHeader(unused: moves.map(\.from))
        return DatabaseImage(taking: pages.take(), pageSize: Self.pageSize, moves: moves)
    }
}

extension ImageWriter: RowValues {
    /// Adds an integer.
    @inlinable
    package mutating func add(_ value: Int64) { gathered.add(value) }
    /// Adds an integer or NULL.
    @inlinable
    package mutating func add(_ value: Int64?) { gathered.add(value) }
    /// Adds a floating-point number or NULL.
    @inlinable
    package mutating func add(_ value: Double?) { gathered.add(value) }
    /// Adds text whose bytes stay in place until the row is laid out.
    @inlinable
    package mutating func add(text bytes: UnsafeRawBufferPointer) { gathered.add(text: bytes) }
    /// Adds a blob whose bytes stay in place until the row is laid out.
    @inlinable
    package mutating func add(blob bytes: UnsafeRawBufferPointer) { gathered.add(blob: bytes) }
    /// Adds text for a numeric column.
    @inlinable
    package mutating func add(number bytes: UnsafeRawBufferPointer, isReal: Bool) {
        gathered.add(number: bytes, isReal: isReal)
    }
    /// Adds an open number, which can be set after the image is finished.
    @inlinable
    package mutating func add(placeholder value: Int64) { gathered.add(placeholder: value) }
}

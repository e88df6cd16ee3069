import TestSupport
import Testing

@testable import Database

@Suite struct ImageWriterTests {
    /// A value of a row. Owns its bytes until they are written.
    private enum Value {
        case integer(Int64?)
        case real(Double?)
        case text([UInt8])
        case blob([UInt8])
        case number(String, isReal: Bool)
    }

    private struct Row {
        var table: Int
        var id: Int64
        var values: [Value]
    }

    private static let sql = [
        "CREATE TABLE a(id INTEGER PRIMARY KEY, whole INTEGER, part REAL, word TEXT, bytes BLOB, n INTEGER)",
        "CREATE TABLE b(id INTEGER PRIMARY KEY, part REAL, word TEXT)",
        "CREATE TABLE c(id INTEGER PRIMARY KEY, open INTEGER, other INTEGER)",
    ]
    private static let index = "CREATE INDEX words ON b(word) WHERE word = 'never'"

    private static func writer() -> ImageWriter {
        ImageWriter([
            .init(name: "a", sql: sql[0]), .init(name: "b", sql: sql[1], emptyIndex: ("words", index)),
            .init(name: "c", sql: sql[2]),
        ])
    }

    /// Writes rows in one commit.
    private static func commit(_ rows: [Row], to writer: inout ImageWriter) -> Bool {
        // Borrowed bytes must stay in place until the rows are written.
        defer { withExtendedLifetime(rows) {} }
        for row in rows {
            writer.begin(row.table, id: row.id)
            put(row.values, into: &writer)
        }
        return writer.commit()
    }

    private static func put<Target: RowValues & ~Copyable>(_ values: [Value], into row: inout Target) {
        for value in values {
            switch value {
            case .integer(let number): row.add(number)
            case .real(let number): row.add(number)
            case .text(let bytes): bytes.withUnsafeBytes { row.add(text: $0) }
            case .blob(let bytes): bytes.withUnsafeBytes { row.add(blob: $0) }
            case .number(let text, let isReal):
                Array(text.utf8).withUnsafeBytes { row.add(number: $0, isReal: isReal) }
            }
        }
    }

    /// A connection to tables with the same definitions, with an image attached.
    private static func connection(_ folder: TemporaryFolder, _ image: DatabaseImage) throws -> Connection {
        let connection = try Connection(folder.file("main.sqlite"), .create)
        for statement in sql + [index] { try connection.execute(statement) }
        try connection.attach(image)
        return connection
    }

    private static func bytes(_ random: inout SeededGenerator, atMost most: Int) -> [UInt8] {
        (0..<Int.random(in: 0...most, using: &random)).map { _ in UInt8.random(in: 1...127, using: &random) }
    }

    private static func rows(_ count: Int, seed: UInt64) -> [Row] {
        var random = SeededGenerator(seed: seed)
        let edges: [Int64] = [
            .min, .max, 0, 1, -1, 127, 128, -128, -129, 32_767, 32_768, -32_769, 8_388_607, 8_388_608,
            2_147_483_647, 2_147_483_648, -2_147_483_649, 140_737_488_355_327, 140_737_488_355_328,
        ]
        var id: Int64 = -70
        return (0..<count).map { _ in
            id += Int64.random(in: 1...(Bool.random(using: &random) ? 2 : 1 << 40), using: &random)
            let fraction = [0, -0.0, 0.5, 4, -3, 1e300, .infinity].randomElement(using: &random)
            let most = [10, 100, 200, 3_000].randomElement(using: &random) ?? 0
            if Bool.random(using: &random) {
                return Row(
                    table: 0, id: id,
                    values: [
                        .integer(Bool.random(using: &random) ? edges.randomElement(using: &random) : nil),
                        .real(fraction), .text(bytes(&random, atMost: most)),
                        .blob(bytes(&random, atMost: most)),
                        .number(["", "412", "0", "007"].randomElement(using: &random) ?? "", isReal: false),
                    ])
            }
            return Row(
                table: 1, id: id,
                values: [
                    .number(["", "3.94", "4", "4.0"].randomElement(using: &random) ?? "", isReal: true),
                    .text(bytes(&random, atMost: most)),
                ])
        }
    }

    @Test(arguments: [0, 1, 2, 30, 500, 5_000])
    func `SQLite reads the rows of an image as if they had been inserted`(
        count: Int
    ) throws {
        let folder = try TemporaryFolder()
        let rows = Self.rows(count, seed: UInt64(count))
        var writer = Self.writer()
        for row in rows {
            let isThere = Self.commit([row], to: &writer)
            #expect(isThere)
        }
        let connection = try Self.connection(folder, writer.finish())
        #expect(try connection.string("PRAGMA image.integrity_check") == "ok")
        let inserts = [
            try connection.prepare("INSERT INTO main.a VALUES (?1,?2,?3,?4,?5,?6)"),
            try connection.prepare("INSERT INTO main.b VALUES (?1,?2,?3)"),
        ]
        for row in rows {
            inserts[row.table].bind(1, row.id)
            var bound = BoundRow(inserts[row.table], from: 2)
            Self.put(row.values, into: &bound)
            try inserts[row.table].run()
        }
        for (table, columns) in [
            ("a", ["id", "whole", "part", "word", "bytes", "n"]), ("b", ["id", "part", "word"]),
        ] {
            let all = columns.map { "\($0), typeof(\($0))" }.joined(separator: ", ")
            let sides = ["main", "image"].map { "SELECT \(all) FROM \($0).\(table)" }
            let count = try connection.integer("SELECT count(*) FROM main.\(table)")
            #expect(try connection.integer("SELECT count(*) FROM image.\(table)") == count)
            for (one, other) in [(sides[0], sides[1]), (sides[1], sides[0])] {
                #expect(try connection.integer("SELECT count(*) FROM (\(one) EXCEPT \(other))") == 0)
            }
        }
    }

    @Test func `whole tables are copied after existing rows`() throws {
        let folder = try TemporaryFolder()
        var writer = Self.writer()
        for id in 100..<3_000 as Range<Int64> {
            let row = Row(table: 1, id: id, values: [.real(0.5), .text(Array("word \(id)".utf8))])
            let isThere = Self.commit([row], to: &writer)
            #expect(isThere)
        }
        let connection = try Self.connection(folder, writer.finish())
        try connection.execute("INSERT INTO main.b VALUES (99, 1, 'never')")
        try connection.execute("INSERT OR ROLLBACK INTO main.b SELECT * FROM image.b")
        #expect(try connection.integer("SELECT count(*) FROM main.b") == 2_901)
        #expect(try connection.string("SELECT word FROM main.b WHERE id = 2999") == "word 2999")
        #expect(try connection.string("PRAGMA integrity_check") == "ok")
        // The next image replaces the previous one.
        try connection.attach(Self.writer().finish())
        #expect(try connection.integer("SELECT count(*) FROM image.b") == 0)
    }

    @Test func `the rows of a commit are all in the image or none`() throws {
        let folder = try TemporaryFolder()
        var writer = Self.writer()
        let long = [UInt8](repeating: 0x61, count: ImageWriter.longestRow)
        let refused: [Value] = [
            .text(long), .number("1e3", isReal: false), .number("4.5", isReal: false),
            .number(" 4", isReal: true),
        ]
        for (number, value) in refused.enumerated() {
            let plain: [Value] = [.integer(1), .real(1), .text([0x61]), .blob([1]), .integer(2)]
            let id = Int64(number * 2 + 1)
            let isThere = Self.commit(
                [Row(table: 0, id: id, values: plain), Row(table: 1, id: id, values: [.real(nil), value])],
                to: &writer)
            #expect(!isThere)
        }
        // A row of maximum length is accepted, whatever was refused before.
        let rest = [UInt8](repeating: 0x61, count: ImageWriter.longestRow - 6)
        let isThere = Self.commit(
            [Row(table: 1, id: 9, values: [.real(nil), .text(rest)])], to: &writer)
        #expect(isThere)
        let connection = try Self.connection(folder, writer.finish())
        #expect(try connection.integer("SELECT count(*) FROM image.a") == 0)
        #expect(try connection.integer("SELECT length(word) FROM image.b") == Int64(rest.count))
        #expect(try connection.string("PRAGMA image.integrity_check") == "ok")
    }

    @Test(arguments: [1, 30, 1_000])
    func `a number left open is set in the finished image`(count: Int64) throws {
        let folder = try TemporaryFolder()
        var writer = Self.writer()
        var places: [UInt32] = []
        for id in 1...count {
            let letter: [UInt8] = [0x62]
            defer { withExtendedLifetime(letter) {} }
            writer.begin(0, id: id)
            Self.put([.integer(id), .real(nil), .text(letter), .blob([]), .integer(nil)], into: &writer)
            writer.begin(2, id: id)
            writer.add(placeholder: 0)
            writer.add(placeholder: 5)
            _ = writer.commit()
            #expect(writer.placeholderOffsets[0] == 0)
            places.append(writer.placeholderOffsets[1])
        }
        let image = writer.finish()
        for (number, place) in places.enumerated() { image.set(Int64(number) << 21, at: image.place(place)) }
        let connection = try Self.connection(folder, image)
        #expect(
            try connection.integer("SELECT count(*) FROM image.c WHERE open = (id - 1) << 21 AND other = 5")
                == count)
        #expect(try connection.string("PRAGMA image.integrity_check") == "ok")
    }
}

import Database
import System
import TestSupport
import Testing

@testable import Store

@Suite
struct SharedSnapshotTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("library.sqlite")
        let writer = try StoreFile.openForWriting(path)
        try StoreFile.finishFilling(writer)
    }

    private func libraries(_ connection: Connection) throws(ETLError) -> Int64 {
        try connection.number("SELECT count(*) FROM libraries")
    }

    @Test func `all connections read one state, whatever is committed meanwhile`() throws {
        let writer = try StoreFile.openForWriting(path)
        try writer.execute("INSERT INTO libraries(name) VALUES ('one')")
        let path = path
        func read() throws(ETLError) -> [Int64] {
            try SharedSnapshot.read(try StoreFile.openForReading(path), with: 2) {
                (others) throws(ETLError) in
                try writer.execute("INSERT INTO libraries(name) VALUES ('two')")
                var counts: [Int64] = []
                for other in others { counts.append(try libraries(other)) }
                return counts
            }
        }
        #expect(try read() == [1, 1])
        #expect(try libraries(writer) == 2)
    }

    @Test func `a connection notices commits by others and not its own`() throws {
        let (one, two) = (try StoreFile.openForWriting(path), try StoreFile.openForReading(path))
        let (ofWriter, ofReader) = (try one.dataVersion(), try two.dataVersion())
        #expect(try two.dataVersion() == ofReader)
        try one.execute("INSERT INTO libraries(name) VALUES ('one')")
        #expect(try two.dataVersion() != ofReader && one.dataVersion() == ofWriter)
    }
}

package import Database
import Syntax
package import System

/// Copies of the files of jobs that will read them again: for pending records, or to apply decisions of a
/// review, which can be changed at any time. With them a job is finished even if its files were deleted or replaced.
///
/// A copy is stored in compressed chunks, and deleted when the job no longer needs it.
package struct InputCopies {
    static let tables = """
        CREATE TABLE job_inputs(
            job INTEGER NOT NULL,
            file INTEGER NOT NULL,
            number INTEGER NOT NULL,
            bytes BLOB NOT NULL,
            PRIMARY KEY(job, file, number)) WITHOUT ROWID;
        """

    /// Bytes of a chunk before compression.
    private static let chunkBytes = 1 << 20

    private let connection: Connection

    package init(_ connection: Connection) { self.connection = connection }

    /// Whether the files of a job are stored.
    package func exist(ofJob job: Int64) throws(ETLError) -> Bool {
        try connection.number("SELECT count(*) FROM (SELECT 1 FROM job_inputs WHERE job = ?1 LIMIT 1)", job)
            != 0
    }

    /// Stores the files of a job, all or none.
    ///
    /// - Throws: What reading a file throws.
    func save(_ files: [String], ofJob job: Int64) throws(ETLError) {
        try connection.transaction { () throws(ETLError) in
            let insert = try connection.query("INSERT INTO job_inputs VALUES (?1, ?2, ?3, ?4)")
            for (file, path) in files.enumerated() {
                // Of a part of a file the whole file.
                var source = try FileBytes(path: ArchivePath.file(of: path), from: 0)
                var number = 0
                while true {
                    let chunk = try Self.chunk(of: &source)
                    guard !chunk.isEmpty else { break }
                    try insert.run(job, file, number, Deflated.pack(chunk))
                    number += 1
                }
            }
        }
    }

    private static func chunk(of source: inout FileBytes) throws(ETLError) -> [UInt8] {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunkBytes, alignment: 16)
        defer { buffer.deallocate() }
        var count = 0
        while count < buffer.count {
            let read = try source.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
            if read == 0 { break }
            count += read
        }
        return Array(buffer[..<count])
    }

    /// Passes a stored file to a closure, chunk by chunk.
    ///
    /// - Parameter file: Index of the file among the job's inputs.
    /// - Throws: `.inputOutput` if a chunk is missing or damaged.
    package func read(
        file: Int, ofJob job: Int64, _ body: ([UInt8]) throws(ETLError) -> Void
    ) throws(ETLError) {
        let chunks = try connection.query(
            "SELECT number, bytes FROM job_inputs WHERE job = ?1 AND file = ?2 ORDER BY number", job, file)
        var expected: Int64 = 0
        while try chunks.next() {
            guard chunks.integer(0) == expected, let bytes = Deflated.unpack(chunks.bytes(1)) else {
                throw StoreFile.unreadable("the copy of an input file")
            }
            try body(bytes)
            expected += 1
        }
    }

    /// Deletes the copies of a job's files.
    func remove(ofJob job: Int64) throws(ETLError) {
        try connection.execute("DELETE FROM job_inputs WHERE job = ?1", job)
    }
}

import Syntax
import System

/// The bytes of a file that is examined before its run begins. Reading them fails once the run is to stop.
struct StoppableBytes: ByteSource {
    private var source: any ByteSource
    private let path: String
    private let stop: StopSignal

    init(_ source: any ByteSource, of path: String, stop: StopSignal) {
        self.source = source
        self.path = path
        self.stop = stop
    }

    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(ETLError) -> Int {
        try stop.check(reading: path)
        return try source.read(into: buffer)
    }
}

extension StopSignal {
    /// Checks whether a file may be read on.
    ///
    /// - Throws: `temporary` if the run is to stop.
    func check(reading path: String) throws(ETLError) {
        guard isRaised else { return }
        throw ETLError(
            .temporary, "Reading `\(path)` was interrupted.", advice: "Run the same command again.")
    }
}

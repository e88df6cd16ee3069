import Syntax
import System

/// The bytes of a file. Reading them fails once the run is to stop.
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

    func ahead() throws(ETLError) -> (any ByteSource)? {
        try source.ahead().map { StoppableBytes($0, of: path, stop: stop) }
    }
}

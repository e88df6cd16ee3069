import Database
import Dispatch
import System

/// The pieces of an export in order. Several composers work on the next ones at the same time.
struct ExportPieces {
    /// Rows that a composer gets at once.
    private static let rowsPerTask = 128

    private let ids: Statement
    private let workers: [ExportWorker]
    /// The workers with an order, the one whose rows come first in front.
    private var busy: [ExportWorker] = []
    private var isAtEnd = false

    /// - Parameters:
    ///   - ids: Returns the ids of the rows in order.
    ///   - composers: One that uses the connection of the ids, or several with connections of their own.
    init(_ ids: Statement, by composers: [ExportComposer]) throws(ETLError) {
        self.ids = ids
        workers = composers.map { ExportWorker($0, hasOwnThread: composers.count > 1) }
        for worker in workers { try order(from: worker) }
    }

    /// The next piece; nil after the last.
    mutating func next() throws(ETLError) -> ExportComposer.Piece? {
        guard let worker = busy.first else { return nil }
        let piece = try worker.finish()
        if piece.rest.isEmpty {
            busy.removeFirst()
            try order(from: worker)
        } else {
            worker.start(piece.rest)
        }
        return piece
    }

    private mutating func order(from worker: ExportWorker) throws(ETLError) {
        var rows: [Int64] = []
        rows.reserveCapacity(Self.rowsPerTask)
        while !isAtEnd, rows.count < Self.rowsPerTask {
            if try ids.next() { rows.append(ids.integer(0)) } else { isAtEnd = true }
        }
        guard !rows.isEmpty else { return }
        worker.start(rows[...])
        busy.append(worker)
    }
}

/// A composer that may work on its own thread.
// Proof: after `init`, only blocks on the serial queue use the composer and the piece, or only one thread does.
private final class ExportWorker: @unchecked Sendable {
    private let queue: DispatchQueue?
    private let composer: ExportComposer
    private var piece: Result<ExportComposer.Piece, ETLError>?

    init(_ composer: ExportComposer, hasOwnThread: Bool) {
        self.composer = composer
        queue = hasOwnThread ? DispatchQueue(label: "etl.export") : nil
    }

    /// Composes rows, in the background if the worker has a thread.
    func start(_ ids: ArraySlice<Int64>) {
        guard let queue else { return compose(ids) }
        queue.async { [self] in compose(ids) }
    }

    private func compose(_ ids: ArraySlice<Int64>) {
        piece = Result { () throws(ETLError) in try composer.compose(ids) }
    }

    /// Waits for the rows that were ordered.
    func finish() throws(ETLError) -> ExportComposer.Piece {
        let piece = queue.map { $0.sync { self.piece } } ?? piece
        return try piece?.get() ?? ExportComposer.Piece(bytes: [], count: 0, rest: [])
    }
}

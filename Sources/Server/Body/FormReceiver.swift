import System

/// Receives a form with files. The files are written to disk on a pool, while the event loop reads further; if the
/// disk is slower than the client, the client waits.
package final class FormReceiver: BodyReceiver {
    /// A form that has arrived as a whole.
    package struct Form: Sendable {
        /// Fields with plain values, in their order.
        package var fields: [(name: String, value: String)] = []
        /// The files, on disk.
        package var files: UploadedFiles
        /// For each file the name of its field, and its name on the client's machine.
        package var fileNames: [(field: String, name: String)] = []
    }

    /// Why a form is refused.
    package enum Refusal: Sendable, Hashable {
        case form(MultipartParser.Failure)
        case upload(UploadFolder.Refusal)
        /// A field's value is too long.
        case fieldTooLong(String)
        /// Too much work is waiting.
        case busy(Places.Refusal)
    }

    /// Bytes that wait to be written before the client has to wait.
    private static let waitingBytes = 512 << 10
    /// Maximum size of a field in bytes.
    private static let fieldBytes = 64 << 10

    private struct State: Sendable {
        var parser: MultipartParser
        var events: [MultipartParser.Event] = []
        var bytes = 0
        var isWriting = false
        var isComplete = false
        /// Nothing more is written: the form was refused, or the client has left.
        var isOver = false
        /// Only the writer uses it.
        var form: Form
        var field: (name: String, value: [UInt8])?
        var isInFile = false
    }

    private let exchange: Exchange
    private let pool: WorkPool
    private let client: String
    private let state: Guarded<State>
    private let complete: @Sendable (Form) async -> Void
    private let refuse: @Sendable (Refusal) -> Void

    /// - Parameters:
    ///   - client: The client whose turn it is in the pool.
    ///   - complete: Called with the form when it has arrived, on the pool. It answers the exchange.
    ///   - refuse: Called if the form cannot be taken. It answers the exchange.
    package init(
        _ exchange: Exchange, _ parser: MultipartParser, into files: UploadedFiles, on pool: WorkPool,
        of client: String, complete: @escaping @Sendable (Form) async -> Void,
        refuse: @escaping @Sendable (Refusal) -> Void
    ) {
        self.exchange = exchange
        self.pool = pool
        self.client = client
        self.complete = complete
        self.refuse = refuse
        state = Guarded(State(parser: parser, form: Form(files: files)))
    }

    package func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let piece = Array(bytes)
        let (failure, isRoom) = state.withLock { state -> (MultipartParser.Failure?, Bool) in
            do throws(MultipartParser.Failure) {
                state.events += try state.parser.take(piece)
            } catch {
                return (error, true)
            }
            state.bytes += piece.count
            return (nil, state.bytes < Self.waitingBytes)
        }
        if let failure {
            end(.form(failure))
            return true
        }
        write()
        return isRoom
    }

    package func finish() {
        let failure = state.withLock { state -> MultipartParser.Failure? in
            state.isComplete = true
            do throws(MultipartParser.Failure) { try state.parser.finish() } catch { return error }
            return nil
        }
        if let failure { return end(.form(failure)) }
        write()
    }

    package func abandon() {
        state.withLock { $0.isOver = true }
        write()
    }

    /// Refuses the form.
    private func end(_ refusal: Refusal) {
        let isFirst = state.withLock { state in
            defer { state.isOver = true }
            return !state.isOver
        }
        if isFirst { refuse(refusal) }
        write()
    }

    // MARK: Writing

    /// Starts the writer if it is not at work.
    private func write() {
        let starts = state.withLock { state in
            guard !state.isWriting, !state.events.isEmpty || state.isComplete || state.isOver else {
                return false
            }
            state.isWriting = true
            return true
        }
        guard starts else { return }
        guard let refusal = pool.submit(of: client, { [self] _ in await writeAll() }) else { return }
        let isFirst = state.withLock { state in
            state.isWriting = false
            defer { state.isOver = true }
            return !state.isOver
        }
        discard()
        if isFirst { refuse(.busy(refusal)) }
    }

    private func writeAll() async {
        while true {
            let (events, ending) = state.withLock { state -> ([MultipartParser.Event], Bool) in
                defer { (state.events, state.bytes) = ([], 0) }
                guard !state.isOver else { return ([], true) }
                return (state.events, false)
            }
            if ending { return discard() }
            exchange.receiveMore()
            if let refusal = take(events) {
                // First, so that a client that tries again at once finds the room.
                discard()
                end(refusal)
                continue
            }
            let next = state.withLock { state -> (isDone: Bool, form: Form)? in
                guard state.events.isEmpty, !state.isOver else { return (false, state.form) }
                if state.isComplete { return (true, state.form) }
                state.isWriting = false
                return nil
            }
            guard let next else { return }
            if next.isDone { return await complete(next.form) }
        }
    }

    private func discard() {
        state.withLock { $0.form.files.discard() }
    }

    private func take(_ events: [MultipartParser.Event]) -> Refusal? {
        // The writer is the only one that touches the form, so it may do so without the lock.
        var (form, field, isInFile) = state.withLock { ($0.form, $0.field, $0.isInFile) }
        defer {
            state.withLock { [form, field, isInFile] in
                ($0.form, $0.field, $0.isInFile) = (form, field, isInFile)
            }
        }
        do throws(UploadFolder.Refusal) {
            for event in events {
                switch event {
                case .begin(let part):
                    if let name = part.fileName {
                        form.fileNames.append((part.name, name))
                        try form.files.begin()
                        isInFile = true
                    } else {
                        field = (part.name, [])
                    }
                case .bytes(let bytes):
                    if isInFile {
                        try form.files.write(bytes)
                    } else if let open = field {
                        guard open.value.count + bytes.count <= Self.fieldBytes else {
                            return .fieldTooLong(open.name)
                        }
                        field?.value += bytes
                    }
                case .end:
                    if isInFile {
                        try form.files.end()
                        isInFile = false
                    } else if let closed = field {
                        form.fields.append((closed.name, String(decoding: closed.value, as: UTF8.self)))
                        field = nil
                    }
                }
            }
            return nil
        } catch {
            return .upload(error)
        }
    }
}

import CCurl
import FoundationEssentials
import Glibc
import Pipeline

/// The thread that runs libcurl's multi interface. It owns the handle and all transfers; other threads give
/// it commands.
///
///     send ──request──▶ [ starts, cancels ] ──wake──▶ perform · collect finished · poll ──▶ send's caller
///
/// One thread serves all connections. A request needs neither a thread nor a queue of its own.
final class CurlLoop: Sendable {
    /// The multi handle for other threads. They hold the lock that the loop's thread takes to close.
    // Proof: other threads only call curl_multi_wakeup, which libcurl allows from any thread.
    private struct Wakeup: @unchecked Sendable {
        let multi: OpaquePointer
    }

    private struct Commands: Sendable {
        var starts: [CurlTransfer] = []
        var cancels: Set<Int> = []
        var nextNumber = 0
        var isClosing = false
    }

    private let commands = Guarded(Commands())
    private let wakeup: Wakeup
    private let settings: CurlSettings

    /// - Throws: If libcurl cannot start, for lack of memory.
    init(_ settings: CurlSettings) throws(HTTPFailure) {
        guard CurlSettings.isLibraryReady, let multi = curl_multi_init() else {
            throw .unreachable("libcurl cannot start")
        }
        _ = etl_curl_multi_set_long(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, settings.connections)
        _ = etl_curl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, settings.connectionsPerHost)
        _ = etl_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, settings.connections)
        wakeup = Wakeup(multi: OpaquePointer(multi))
        self.settings = settings
        let isStarted = SystemThread.start { [self] in
            CurlThread(UnsafeMutableRawPointer(wakeup.multi), settings).run(self)
        }
        guard isStarted else { throw .unreachable("no thread can be started for libcurl") }
    }

    func newNumber() -> Int {
        commands.withLock { commands in
            commands.nextNumber += 1
            return commands.nextNumber
        }
    }

    func start(_ transfer: CurlTransfer) { submit { $0.starts.append(transfer) } }

    /// Cancels a transfer that is under way or about to start.
    func cancel(_ number: Int) { submit { $0.cancels.insert(number) } }

    /// Ends the thread and cancels transfers under way.
    func close() { submit { $0.isClosing = true } }

    private func submit(_ change: (inout sending Commands) -> Void) {
        commands.withLock { commands in
            guard !commands.isClosing else { return }
            change(&commands)
            curl_multi_wakeup(UnsafeMutableRawPointer(wakeup.multi))
        }
    }

    /// The commands since the last call; nil if the loop must end.
    fileprivate func take() -> (starts: [CurlTransfer], cancels: Set<Int>)? {
        commands.withLock { commands in
            guard !commands.isClosing else { return nil }
            defer { commands.starts.removeAll() }
            let (starts, cancels) = (commands.starts, commands.cancels)
            commands.cancels.removeAll()
            return (starts, cancels)
        }
    }

    fileprivate func takeRest() -> [CurlTransfer] {
        commands.withLock { commands in
            defer { commands.starts.removeAll() }
            return commands.starts
        }
    }
}

/// The thread's state. It is created, used and destroyed on the thread.
private struct CurlThread: ~Copyable {
    private let multi: UnsafeMutableRawPointer
    private let settings: CurlSettings
    private var running:
        [Int: (
            transfer: CurlTransfer, handle: UnsafeMutableRawPointer, fields: UnsafeMutablePointer<curl_slist>?
        )] = [:]
    /// Handles for reuse; each keeps its buffers.
    private var idle: [UnsafeMutableRawPointer] = []

    init(_ multi: UnsafeMutableRawPointer, _ settings: CurlSettings) {
        self.multi = multi
        self.settings = settings
    }

    consuming func run(_ loop: CurlLoop) {
        while let commands = loop.take() {
            for transfer in commands.starts where !commands.cancels.contains(transfer.number) {
                start(transfer)
            }
            for transfer in commands.starts where commands.cancels.contains(transfer.number) {
                transfer.finish(.failure(.canceled))
            }
            for number in commands.cancels { end(number, .failure(.canceled)) }
            var active: Int32 = 0
            curl_multi_perform(multi, &active)
            collect()
            var ready: Int32 = 0
            curl_multi_poll(multi, nil, 0, 1_000, &ready)
        }
        for number in Array(running.keys) { end(number, .failure(.canceled)) }
        for transfer in loop.takeRest() { transfer.finish(.failure(.canceled)) }
        for handle in idle { curl_easy_cleanup(handle) }
        curl_multi_cleanup(multi)
    }

    private mutating func start(_ transfer: CurlTransfer) {
        guard let handle = idle.popLast() ?? curl_easy_init() else {
            transfer.finish(.failure(.unreachable("out of memory")))
            return
        }
        let fields = settings.apply(to: handle, transfer)
        running[transfer.number] = (transfer, handle, fields)
        guard curl_multi_add_handle(multi, handle) == CURLM_OK else {
            end(transfer.number, .failure(.unreachable("libcurl refused the request")))
            return
        }
    }

    private mutating func collect() {
        var code = CURLE_OK
        while let handle = etl_curl_next_done(multi, &code) {
            guard let owner = etl_curl_owner(handle) else { continue }
            let transfer = Unmanaged<CurlTransfer>.fromOpaque(owner).takeUnretainedValue()
            transfer.response.status = Int(etl_curl_status(handle))
            transfer.response.location = etl_curl_redirect(handle).map { String(cString: $0) }
            end(transfer.number, transfer.answer(code, systemError: etl_curl_system_error(handle)))
        }
    }

    private mutating func end(_ number: Int, _ answer: CurlTransfer.Answer) {
        guard let (transfer, handle, fields) = running.removeValue(forKey: number) else { return }
        curl_multi_remove_handle(multi, handle)
        curl_slist_free_all(fields)
        curl_easy_reset(handle)
        if idle.count < Int(settings.connections) { idle.append(handle) } else { curl_easy_cleanup(handle) }
        transfer.finish(answer)
    }
}

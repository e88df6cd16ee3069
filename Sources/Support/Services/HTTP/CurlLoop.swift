import CCurl
import FoundationEssentials
import Glibc
import System

/// The thread that runs libcurl's multi interface. It owns the handle and all transfers; other threads give
/// it commands.
///
///     send ──request──▶ [ starts, cancels ] ──wake──▶ start · wait for sockets · collect finished ──▶ send's caller
///
/// One thread serves all connections. A request needs neither its own thread nor its own queue.
final class CurlLoop: Sendable {
    private struct Commands: Sendable {
        var starts: [CurlTransfer] = []
        var cancels: Set<Int> = []
        var nextNumber = 0
        var isClosing = false
        /// Whether the thread was woken since it last took commands.
        var isWoken = false
    }

    /// The multi handle on its way to the thread.
    // Proof: nothing else keeps it.
    private struct Handle: @unchecked Sendable {
        let multi: UnsafeMutableRawPointer
    }

    private let commands = Guarded(Commands())
    /// Wakes the thread. The thread closes it, after the last command.
    private let wakeup: Int32

    /// - Throws: If libcurl cannot start, for lack of memory or descriptors.
    init(_ settings: CurlSettings) throws(HTTPFailure) {
        guard CurlSettings.isLibraryReady, let multi = curl_multi_init() else {
            throw .unreachable("libcurl cannot start")
        }
        _ = etl_curl_multi_set_long(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, settings.connections)
        _ = etl_curl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, settings.connectionsPerHost)
        _ = etl_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, settings.connections)
        let handle = Handle(multi: multi)
        wakeup = etl_eventfd_create()
        let queue = etl_epoll_create()
        let isStarted =
            wakeup >= 0 && queue >= 0
            && SystemThread.start { [self] in
                CurlThread(handle.multi, settings, queue: queue, wakeup: wakeup).run(self)
            }
        guard isStarted else {
            curl_multi_cleanup(multi)
            for descriptor in [wakeup, queue] where descriptor >= 0 { Glibc.close(descriptor) }
            throw .unreachable("libcurl cannot start: no descriptor or thread is left")
        }
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
            guard !commands.isWoken else { return }
            commands.isWoken = true
            eventfd_write(wakeup, 1)
        }
    }

    /// The commands since the last call; nil if the loop must end.
    fileprivate func take() -> (starts: [CurlTransfer], cancels: Set<Int>)? {
        commands.withLock { commands in
            guard !commands.isClosing else { return nil }
            guard commands.isWoken else { return ([], []) }
            var count: eventfd_t = 0
            eventfd_read(wakeup, &count)
            defer {
                commands.starts.removeAll()
                commands.cancels.removeAll()
                commands.isWoken = false
            }
            return (commands.starts, commands.cancels)
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
    private let wakeup: Int32
    private let sockets: CurlSockets
    private var running:
        [Int: (
            transfer: CurlTransfer, handle: UnsafeMutableRawPointer, fields: UnsafeMutablePointer<curl_slist>?
        )] = [:]
    /// Handles for reuse; each keeps its buffers.
    private var idle: [UnsafeMutableRawPointer] = []

    init(_ multi: UnsafeMutableRawPointer, _ settings: CurlSettings, queue: Int32, wakeup: Int32) {
        self.multi = multi
        self.settings = settings
        self.wakeup = wakeup
        sockets = CurlSockets(queue: queue, wakeup: wakeup)
        sockets.attach(to: multi)
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
            if sockets.takeDeadline() { curl_multi_socket_action(multi, etl_curl_timer, 0, &active) }
            collect()
            sockets.wait { socket, mask in
                _ = curl_multi_socket_action(multi, socket, mask, &active)
            }
            collect()
        }
        for number in Array(running.keys) { end(number, .failure(.canceled)) }
        for transfer in loop.takeRest() { transfer.finish(.failure(.canceled)) }
        for handle in idle { curl_easy_cleanup(handle) }
        // It still reports the sockets that it closes.
        withExtendedLifetime(sockets) { _ = curl_multi_cleanup(multi) }
        close(wakeup)
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

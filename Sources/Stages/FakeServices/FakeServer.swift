import Foundation
package import Pipeline

/// A small HTTP/1.1 server on a real socket of this machine, for trials without the network: `etl fake-providers`, and
/// the tests.
///
/// A thread a connection: it serves the dozens of connections that clients of ours open, not the world. It counts what
/// a polite client is measured by.
package final class FakeServer: Sendable {
    package typealias Answer = @Sendable (FakeRequest) -> FakeReply

    private struct State: Sendable {
        var visits: [ReceivedRequest] = []
        /// The connections whose requests are being answered, by service.
        var underWay: [String: Set<Int32>] = [:]
        var most: [String: Int] = [:]
        var connections: Set<Int32> = []
        var isStopped = false
    }

    /// The port it listens on.
    package let port: UInt16
    private let listener: Int32
    private let answer: Answer
    private let state = Guarded(State())

    /// Listens on a port of this machine alone; 0 takes any that is free.
    package init(port: UInt16 = 0, answering answer: @escaping Answer) throws(StageFailure) {
        self.answer = answer
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var yes: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 512) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        self.listener = listener
        self.port = UInt16(bigEndian: address.sin_port)
        guard isListening else {
            let why = String(cString: strerror(errno))
            close(listener)
            throw StageFailure(
                .cannotCreate, "Port \(port) cannot be listened on: \(why).",
                advice: "Choose another port.")
        }
        let thread = Thread { [self] in accept() }
        thread.name = "etl.fake"
        thread.start()
    }

    /// What it is called by: `http://127.0.0.1:8080`.
    package var url: String { "http://127.0.0.1:\(port)" }
    /// Requests so far, in the order in which they came.
    package var visits: [ReceivedRequest] { state.withLock { $0.visits } }
    /// The most requests that were being answered at one time, by service.
    package var mostAtOnce: [String: Int] { state.withLock { $0.most } }

    /// Hangs up on everybody and listens no more.
    package func stop() {
        let connections = state.withLock { state in
            guard !state.isStopped else { return Set<Int32>() }
            state.isStopped = true
            return state.connections
        }
        shutdown(listener, Int32(SHUT_RDWR))
        for connection in connections { shutdown(connection, Int32(SHUT_RDWR)) }
    }

    private func accept() {
        while true {
            let connection = Glibc.accept(listener, nil, nil)
            guard connection >= 0 else {
                if errno == EINTR || errno == ECONNABORTED { continue }
                close(listener)
                return
            }
            let isStopped = state.withLock { state in
                if !state.isStopped { state.connections.insert(connection) }
                return state.isStopped
            }
            guard !isStopped else {
                close(connection)
                continue
            }
            let thread = Thread { [self] in serve(connection) }
            thread.stackSize = 256 << 10
            thread.start()
        }
    }

    private func serve(_ connection: Int32) {
        var exchange = FakeConnection(connection)
        while let request = exchange.next() {
            let (service, reply) = (request.service, answer(request))
            let visit = ReceivedRequest(request: request, at: SystemClock().nanoseconds(), fault: reply.fault)
            state.withLock { state in
                state.visits.append(visit)
                state.underWay[service, default: []].insert(connection)
                let (underWay, most) = (state.underWay[service] ?? [], state.most[service] ?? 0)
                guard underWay.count > most else { return }
                let count = underWay.count {
                    // Who has hung up is not being answered, whether or not its thread has had time to see it.
                    $0 == connection || !FakeConnection.hasHungUp($0, withinMilliseconds: 0)
                }
                state.most[service] = max(most, count)
            }
            let goesOn = exchange.send(reply) {
                state.withLock { _ = $0.underWay[service]?.remove(connection) }
            }
            guard goesOn else { break }
        }
        state.withLock { _ = $0.connections.remove(connection) }
        close(connection)
    }
}

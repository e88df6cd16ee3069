import Foundation
import System

/// A clock for simulations. While all threads of the process wait, it skips to the next instant that a task
/// sleeps for. Work takes the time that it takes on this machine.
final class SkippingClock: RunClock {
    private struct Sleeper {
        let due: UInt64
        let waiter: CheckedContinuation<Void, Never>
    }

    private struct State {
        /// Nanoseconds skipped so far.
        var skipped: UInt64 = 0
        var sleepers: [Int: Sleeper] = [:]
        /// Sleepers that were cancelled before they began to sleep.
        var cancelled: Set<Int> = []
        var lastNumber = 0
        var isEnded = false
    }

    /// Nanoseconds between two looks at the threads.
    private static let interval: UInt64 = 300_000
    /// Less processor time than this between two readings of it, in nanoseconds, is that of the readings.
    private static let ownTime: Int64 = 2_000

    private let state = Guarded(State())
    private let system = SystemClock()
    private let begin = SystemClock().epochMilliseconds()
    private let beginNanoseconds = SystemClock().nanoseconds()

    init() {
        _ = SystemThread.start { [self] in
            while !isEnded {
                system.block(nanoseconds: Self.interval)
                advance()
            }
        }
    }

    /// Ends the clock's thread. Nothing may sleep any more.
    func end() { state.withLock { $0.isEnded = true } }

    private var isEnded: Bool { state.withLock { $0.isEnded } }

    func nanoseconds() -> UInt64 { system.nanoseconds() + state.withLock { $0.skipped } }

    func epochMilliseconds() -> Int64 { begin + Int64((nanoseconds() - beginNanoseconds) / 1_000_000) }

    func sleep(nanoseconds: UInt64) async {
        let due = self.nanoseconds() + nanoseconds
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let isCancelled = state.withLock { state in
                    if state.cancelled.remove(number) != nil { return true }
                    state.sleepers[number] = Sleeper(due: due, waiter: waiter)
                    return false
                }
                if isCancelled { waiter.resume() }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                let sleeper = state.sleepers.removeValue(forKey: number)
                if sleeper == nil { state.cancelled.insert(number) }
                return sleeper
            }
            sleeper?.waiter.resume()
        }
    }

    /// Wakes the sleepers whose time has come. If there are none and nothing works, skips to the next one's.
    private func advance() {
        // The threads are looked at one after another, so work could pass from one to another meanwhile.
        let before = Self.processorTime()
        let isIdle = Self.allThreadsWait && Self.processorTime() < before + Self.ownTime
        let now = system.nanoseconds()
        let due = state.withLock { state in
            let next = state.sleepers.values.lazy.map(\.due).min() ?? .max
            if isIdle, next != .max, next > now + state.skipped { state.skipped = next - now }
            let instant = now + state.skipped
            let due = state.sleepers.filter { $0.value.due <= instant }
            for number in due.keys { state.sleepers[number] = nil }
            return due.values.sorted { $0.due < $1.due }
        }
        for sleeper in due { sleeper.waiter.resume() }
    }

    /// Processor time of all other threads so far, in nanoseconds.
    private static func processorTime() -> Int64 {
        func nanoseconds(_ clock: clockid_t) -> Int64 {
            var time = timespec()
            clock_gettime(clock, &time)
            return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        }
        return nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - nanoseconds(CLOCK_THREAD_CPUTIME_ID)
    }

    /// Whether no other thread of the process runs, is ready to run, or waits for a disk.
    private static var allThreadsWait: Bool {
        guard let folder = opendir("/proc/self/task") else { return false }
        defer { closedir(folder) }
        // This thread runs.
        var others = -1
        let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
        while let entry = readdir(folder) {
            // Not by the field: that would copy 256 bytes, past the end of the entry.
            let name = String(
                cString: UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self))
            guard name.first != ".", stateLetter(ofThread: name) != UInt8(ascii: "S") else { continue }
            others += 1
        }
        return others <= 0
    }

    /// The state in the third column of the thread's `stat`; nil if the thread has ended.
    private static func stateLetter(ofThread name: String) -> UInt8? {
        let descriptor = open("/proc/self/task/\(name)/stat", O_RDONLY)
        guard descriptor >= 0 else { return UInt8(ascii: "S") }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(descriptor, &bytes, bytes.count)
        guard count > 0, let end = bytes[..<count].lastIndex(of: UInt8(ascii: ")")), end + 2 < count else {
            return UInt8(ascii: "S")
        }
        return bytes[end + 2]
    }
}

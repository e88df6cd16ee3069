import Dispatch
import Glibc
import Testing

@testable import System

@Suite struct ThreadPoolTests {
    /// Runs on the pool, and has child tasks.
    private static func niceness() async -> [Int32] {
        async let child = look()
        return [getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0), await child]
    }

    @concurrent private static func look() async -> Int32 {
        getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0)
    }

    @Test func `a task and its children run on threads that give precedence to others`() async throws {
        let pool = try ThreadPool(threads: 2, niceness: 7)
        let here = getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0)
        #expect(await Task(executorPreference: pool) { await Self.niceness() }.value == [7, 7])
        #expect(getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) == here)
        pool.end()
    }

    @Test func `a thread that is blocked holds up no other`() async throws {
        let pool = try ThreadPool(threads: 2)
        let semaphore = DispatchSemaphore(value: 0)
        let blocked = Task(executorPreference: pool) { semaphore.block() }
        var sum = 0
        for number in 1...100 { sum += await Task(executorPreference: pool) { number }.value }
        #expect(sum == 5_050)
        semaphore.signal()
        await blocked.value
        pool.end()
    }

    @Test func `its threads end, and nothing is left of it`() async throws {
        weak var left: ThreadPool?
        do {
            let pool = try ThreadPool(threads: 3)
            left = pool
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<1_000 { group.addTask(executorPreference: pool) { await Task.yield() } }
            }
            pool.end()
        }
        // The threads let go of it when they end.
        for _ in 0..<1_000_000 where left != nil { await Task.yield() }
        #expect(left == nil)
    }
}

extension DispatchSemaphore {
    /// Blocks the calling thread, which a task may do only where it has its own threads.
    fileprivate func block() { wait() }
}

import Testing

@testable import Pipeline

@Suite struct TurnstileTests {
    @Test func `one is in at a time, and all get in`() async {
        let turnstile = Turnstile()
        let state = Guarded((inside: 0, most: 0, all: 0))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<500 {
                group.addTask {
                    await turnstile.enter()
                    state.withLock {
                        $0.inside += 1
                        $0.most = max($0.most, $0.inside)
                    }
                    await Task.yield()
                    state.withLock {
                        $0.inside -= 1
                        $0.all += 1
                    }
                    turnstile.leave()
                }
            }
        }
        #expect(state.withLock { $0.most } == 1)
        #expect(state.withLock { $0.all } == 500)
    }

    @Test func `who comes first goes first`() async {
        let turnstile = Turnstile()
        let order = Guarded<[Int]>([])
        await turnstile.enter()
        var tasks: [Task<Void, Never>] = []
        for number in 0..<5 {
            tasks.append(
                Task {
                    await turnstile.enter()
                    order.withLock { $0.append(number) }
                    turnstile.leave()
                })
            while turnstile.waiting <= number { await Task.yield() }
        }
        turnstile.leave()
        for task in tasks { await task.value }
        #expect(order.withLock { $0 } == [0, 1, 2, 3, 4])
    }
}

import Testing

@testable import Server

@Suite struct WebhookDeliveryTests {
    private static let day: Int64 = 86_400_000

    @Test func `pauses double up to an hour, and end after a day`() {
        var delivery = WebhookDelivery(id: "a", event: "job.completed", body: [], madeAt: 0, dueAt: 0)
        var (now, pauses) = (Int64(0), [Int64]())
        while delivery.fail(at: now, pause: nil) {
            pauses.append((delivery.dueAt - now) / 1_000)
            now = delivery.dueAt
        }
        #expect(Array(pauses.prefix(5)) == [10, 20, 40, 80, 160] && pauses.last == 3_600)
        #expect(now < Self.day && now > Self.day - 3_700_000 && delivery.failures == pauses.count + 1)
    }

    @Test func `a receiver can ask for a longer pause, but not for more than an hour`() {
        var delivery = WebhookDelivery(id: "a", event: "job.failed", body: [], madeAt: 0, dueAt: 0)
        let attempts: [(Int64, Int64, Int64)] = [
            (0, 120_000, 120_000), (120_000, 1, 140_000), (140_000, Self.day, 140_000 + 3_600_000),
        ]
        for (now, pause, due) in attempts {
            let isKept = delivery.fail(at: now, pause: pause)
            #expect(isKept && delivery.dueAt == due)
        }
    }
}

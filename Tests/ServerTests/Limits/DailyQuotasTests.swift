import Contract
import Testing

@testable import Server

@Suite struct DailyQuotasTests {
    private static let hour: Int64 = 3_600_000

    private func use(_ hour: Int64, bytes: Int = 0) -> DailyQuotas.Use {
        .init(acceptedAt: hour * Self.hour, bytes: bytes)
    }

    @Test func `without quotas nothing is refused`() {
        let used = (0..<100).map { use(Int64($0), bytes: 1 << 30) }
        #expect(DailyQuotas().refusal(adding: 1 << 30, to: used, now: 100 * Self.hour) == nil)
    }

    @Test func `the next import is admitted when enough others are a day old`() {
        let quotas = DailyQuotas(imports: 2)
        let used = [use(20), use(10), use(15)]
        #expect(quotas.refusal(adding: 0, to: [use(10)], now: 21 * Self.hour) == nil)
        let refusal = quotas.refusal(adding: 0, to: used, now: 21 * Self.hour)
        #expect(
            refusal?.message == "The quota of 2 imports in 24 hours is used up. Try again in 18 h 0 min.")
        #expect(refusal?.code == .rateLimitExceeded && refusal?.retryAfterMs == 18 * Self.hour)
        #expect(quotas.refusal(adding: 0, to: used, now: 39 * Self.hour - 1) != nil)
        #expect(quotas.refusal(adding: 0, to: used, now: 39 * Self.hour) == nil)
    }

    @Test func `an upload is admitted when it fits into the day's bytes`() {
        let quotas = DailyQuotas(bytes: 10 << 20)
        let used = [use(1, bytes: 4 << 20), use(2, bytes: 5 << 20)]
        #expect(quotas.refusal(adding: 1 << 20, to: used, now: 3 * Self.hour) == nil)
        let refusal = quotas.refusal(adding: 2 << 20, to: used, now: 3 * Self.hour)
        #expect(
            refusal?.message
                == "The quota of 10 MB of uploads in 24 hours is used up. Try again in 22 h 0 min.")
        #expect(quotas.refusal(adding: 2 << 20, to: used, now: 25 * Self.hour) == nil)
    }
}

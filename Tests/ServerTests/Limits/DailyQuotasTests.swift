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
                == "The quota of 10.0 MiB of uploads in 24 hours is used up. Try again in 22 h 0 min.")
        #expect(quotas.refusal(adding: 2 << 20, to: used, now: 25 * Self.hour) == nil)
    }

    @Test func `an upload that is larger than the quota never fits`() {
        let refusal = DailyQuotas(bytes: 1_000_000).refusal(adding: 1_000_001, to: [], now: 0)
        #expect(refusal?.code == .payloadTooLarge && refusal?.retryAfterMs == nil)
        #expect(refusal?.message == "The upload is larger than the quota of 977 KiB in 24 hours.")
    }

    @Test func `a small quota is not said to be nothing`() {
        let refusal = DailyQuotas(bytes: 20).refusal(adding: 11, to: [use(1, bytes: 10)], now: 2 * Self.hour)
        #expect(
            refusal?.message
                == "The quota of 20 B of uploads in 24 hours is used up. Try again in 23 h 0 min.")
    }
}

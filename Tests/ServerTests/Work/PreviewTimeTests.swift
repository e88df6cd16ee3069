import Formats
import System
import TestSupport
import Testing

@testable import Server

/// The time of previews.
@Suite struct PreviewTimeTests {
    private static let second: UInt64 = 1_000_000_000

    @Test func `a preview ends when its client has left`() async {
        let isAbandoned = Guarded(false)
        let preview = PreviewTime(60 * Self.second, clock: StillClock()) { isAbandoned.withLock { $0 } }
        #expect(!preview.halfTime.isRaised && !preview.fullTime.isRaised)
        isAbandoned.withLock { $0 = true }
        await preview.fullTime.wait()
        #expect(preview.halfTime.isRaised)
    }

    @Test func `a preview has a limit, and half of it for the survey`() async {
        let clock = SetClock()
        let preview = PreviewTime(10 * Self.second, clock: clock) { false }
        #expect(!preview.halfTime.isRaised)
        clock.advance(seconds: 5)
        await preview.halfTime.wait()
        #expect(!preview.fullTime.isRaised)
        clock.advance(seconds: 5)
        await preview.fullTime.wait()
        preview.end()
    }

    @Test func `a preview without time says so, and the file can be imported`() async throws {
        let browser = PageBrowser(try await RunningServer { $0.previewTime = 0 })
        let form = RunningServer.form("Title,Author\nReef,Ana Lee\n")
        let upload = try browser.send("/page/uploads", type: form.type, form.body)
        let preview = try browser.open(upload.next)
        #expect(preview.status == 200 && preview.text.contains("too large for a preview"), "\(preview.text)")
        #expect(preview.text.contains("value=\"import\""))
        let job = try browser.send(upload.next, "action=import")
        #expect(try browser.done(job.next).text.contains("Reef"))
        await browser.running.server.stop()
    }

    @Test func `a survey that ended early still shows the first records`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("Title,Author\nReef,Ana Lee\n", to: "a.csv")
        let stop = StopSignal()
        stop.raise()
        let inspection = try Inspection(ReadSettings(files: [path]), surveyingUntil: stop)
        #expect(inspection.isPartial && inspection.samples.map(\.title) == ["Reef"])
        #expect(try !Inspection(ReadSettings(files: [path]), surveyingUntil: StopSignal()).isPartial)
    }

    @Test func `previews have lanes of their own`() throws {
        let pools = try WorkPools(readers: 1)
        #expect(pools[.previews] !== pools[.bulk])
        #expect(pools.named.contains { $0.pool === pools[.previews] && $0.name == "previews" })
    }
}

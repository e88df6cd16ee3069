import Contract
import System

/// Current values for `/metrics`.
extension Backend {
    package var gauges: [MetricsText.Gauge] {
        let (waiting, running) = jobs.load
        let readiness = readiness
        var gauges = [
            MetricsText.Gauge("jobs_waiting", "Jobs that wait for their turn.", waiting),
            .init("jobs_running", "Jobs that run.", running == nil ? 0 : 1),
            .init("websockets", "Open WebSockets.", sockets.count),
            .init("streams", "Open event streams.", feeds.withLock { $0.count }),
            .init(
                "index_updates", "Updates of the search index that run.", search.isUpdatingIndex ? 1 : 0),
            .init(
                "oldest_job_seconds", "Time that the oldest waiting job has waited.", readiness.oldestWait),
            .init("disk_free_bytes", "Bytes that the store's disk has left.", readiness.freeBytes ?? 0),
            .init("upload_bytes", "Bytes of uploads on disk.", uploads.usedBytes),
        ]
        for (name, pool) in pools.named + [("searchers", search.pool)] {
            let load = pool.load
            gauges.append(.init("\(name)_running", "Work that runs in the pool of \(name).", load.running))
            gauges.append(.init("\(name)_waiting", "Work that waits in the pool of \(name).", load.waiting))
        }
        return gauges + nightlyGauges + webhookGauges + coverGauges
    }

    private var webhookGauges: [MetricsText.Gauge] {
        guard let counts = webhook?.counts else { return [] }
        return [
            .init("webhooks_waiting", "Messages for the webhook that have not arrived.", counts.waiting),
            .init("webhooks_lost", "Messages that were given up since the start.", counts.lost),
        ]
    }

    private var coverGauges: [MetricsText.Gauge] {
        guard let run = covers?.run else { return [] }
        return [
            .init("covers_running", "Whether covers are being fetched.", run.isRunning ? 1 : 0),
            .init("covers_saved", "Editions with a cover, after the last run.", run.counts?.saved ?? 0),
            .init(
                "covers_unanswered", "Editions whose cover no service has answered in the last run.",
                run.counts?.unanswered ?? 0),
            .init("covers_failed", "Whether the last run failed.", run.failure.isEmpty ? 0 : 1),
        ]
    }

    private var nightlyGauges: [MetricsText.Gauge] {
        guard let nightly else { return [] }
        let run = nightly.run
        return [
            .init("nightly_running", "Whether the nightly run is under way.", run.phase == .waiting ? 0 : 1),
            .init("nightly_failed", "Whether a part of the last nightly run failed.", run.hasFailed ? 1 : 0),
            .init(
                "nightly_next_seconds", "Unix time at which the next nightly run is due.",
                Int(nightly.next / 1_000)),
            .init(
                "backup_seconds", "Unix time of the last good backup, or 0.",
                Int((run.savedAt ?? 0) / 1_000)),
            .init("backup_bytes", "Bytes of the last good backup.", run.savedBytes),
        ]
    }
}

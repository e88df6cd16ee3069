import Contract
import Pipeline
import Queries
import Store

/// What an administrator sees: the queue, the nightly run, and the accounts.
struct AdminPage {
    /// A job in the lists.
    struct Item {
        var kept: QueuedJob
        var state: JobState
        /// Its place among those that wait; nil if it does not.
        var position: Int?
        /// Until when it waits for services, in milliseconds since 1970; nil if it does not.
        var wait: Int64?
        var isRunning: Bool
        /// Whether it can be run again.
        var mayRepeat: Bool

        /// Whether it waits for services.
        var isWaiting: Bool { !isRunning && position == nil && wait != nil }
        /// Its order in the queue: the running job, those that wait, those that wait for services.
        var order: Int { isRunning ? 0 : position ?? Int.max }
    }

    /// Jobs that have not ended, in their order.
    var queue: [Item]
    /// Jobs that have ended, the latest first.
    var ended: [Item]
    var accounts: [Account]
    /// The nightly run, and when the next one is due; nil without one.
    var nightly: (run: NightlyRun, next: Int64)?
    /// The covers that are fetched in the background; nil if they are not.
    var covers: CoverRun?
    /// Milliseconds since 1970.
    var now: Int64
    var viewer: PageViewer

    func document() -> [UInt8] {
        PageFrame(title: "Administration", viewer: viewer).document { html in
            section("queue", "Queue", &html) { html in
                if queue.isEmpty { html.tag("p", ["class": "hint"], "No job runs or waits.") }
                html.tag("ul", ["class": "list"]) { html in for item in queue { write(item, &html) } }
            }
            if let nightly {
                section("nightly", "Every night", &html) { html in write(nightly.run, nightly.next, &html) }
            }
            if let covers { section("covers", "Covers", &html) { html in write(covers, &html) } }
            section("accounts", "Users", &html, writeAccounts)
            section("ended", "Ended jobs", &html) { html in
                if ended.isEmpty { html.tag("p", ["class": "hint"], "There are none.") }
                html.tag("ul", ["class": "list"]) { html in for item in ended { write(item, &html) } }
            }
        }
    }

    private func section(
        _ id: String, _ title: String, _ html: inout HTML, _ content: (inout HTML) -> Void
    ) {
        html.tag("section", ["aria-labelledby": id]) { html in
            html.tag("h2", ["id": id], title)
            content(&html)
        }
    }

    // MARK: Jobs

    private func write(_ item: Item, _ html: inout HTML) {
        let options = item.kept.options
        html.tag("li") { html in
            html.tag("a", ["href": "/page/jobs/\(options.job)"], Self.words(options))
            html.tag("span", ["class": "state \(item.state.rawValue)"]) { html in
                html.text(words(item))
                guard item.isWaiting, let wait = item.wait else { return }
                html.text(" ")
                PageText.moment(wait, &html)
            }
            html.tag("span", Self.user(item.kept))
            html.tag("span", ["class": "hint"]) { html in
                html.text("since ")
                PageText.moment(item.kept.acceptedAt, &html)
            }
            if !item.kept.state.isEnd {
                Self.button("Cancel", "cancel", item, &html)
            } else if item.mayRepeat {
                Self.button("Run again", "repeat", item, &html)
            }
        }
    }

    private static func button(_ text: String, _ action: String, _ item: Item, _ html: inout HTML) {
        html.tag("form", ["method": "post", "action": "/page/admin/\(action)"]) { html in
            FormInput.hidden([("job", "\(item.kept.id)")], &html)
            html.tag(
                "button", ["class": "quiet", "aria-label": "\(text): \(words(item.kept.options))"], text)
        }
    }

    private static func words(_ options: ImportOptions) -> String {
        switch options.kind {
        case .files: options.names.isEmpty ? "An import" : options.names.joined(separator: ", ")
        case .books: "Books to look up"
        case .corrections: "Corrected rows"
        case .photos: options.names.joined(separator: ", ")
        case .resume: "Decisions, or late answers"
        case .refresh: "Refresh of the stored books"
        case .edition: "Another edition of a book"
        }
    }

    private func words(_ item: Item) -> String {
        if item.isRunning { return "running" }
        if let position = item.position { return "waiting, place \(position)" }
        if item.isWaiting { return "waiting for services until" }
        return PageText.state(item.kept.state.jobState)
    }

    /// The user of a job in words.
    private static func user(_ kept: QueuedJob) -> String {
        if kept.isBackground { return "the server" }
        return kept.tokenName ?? kept.options.sender
    }

    // MARK: Every night

    private func write(_ run: NightlyRun, _ next: Int64, _ html: inout HTML) {
        html.tag("dl", ["class": "facts"]) { html in
            func fact(_ name: String, _ value: String) {
                html.tag("dt", name)
                html.tag("dd", value)
            }
            func moment(_ name: String, _ time: Int64, _ more: String = "") {
                html.tag("dt", name)
                html.tag("dd") { html in
                    PageText.moment(time, &html)
                    html.text(more)
                }
            }
            switch run.phase {
            case .waiting: moment("Next run", next)
            case .refresh: fact("Now", "The stored books are refreshed.")
            case .backup: fact("Now", "A backup is written.")
            }
            if let started = run.startedAt { moment("Last run", started) }
            if let part = run.refresh { fact("Refresh", Self.words(part)) }
            if let part = run.backup { fact("Backup", Self.words(part)) }
            if let saved = run.savedAt {
                moment("Last good backup", saved, ", \(ByteCountText.rounded(run.savedBytes))")
            }
        }
    }

    private static func words(_ part: NightlyRun.Part) -> String {
        part.sentence.isEmpty ? part.result.rawValue : "\(part.result.rawValue): \(part.sentence)"
    }

    // MARK: Covers

    private func write(_ run: CoverRun, _ html: inout HTML) {
        html.tag("dl", ["class": "facts"]) { html in
            func fact(_ name: String, _ write: (inout HTML) -> Void) {
                html.tag("dt", name)
                html.tag("dd", [:], write)
            }
            if run.isRunning {
                let (done, total) = run.progress
                fact("Now") { $0.text("Covers are fetched: \(done) of \(PageText.count(total, "edition")).") }
            }
            if let endedAt = run.endedAt { fact("Last run") { PageText.moment(endedAt, &$0) } }
            if !run.failure.isEmpty { fact("Failed") { $0.text(run.failure) } }
            if let counts = run.counts {
                fact("Covers") { $0.text("\(counts.saved) of \(PageText.count(counts.editions, "edition"))") }
                if counts.unanswered > 0 {
                    fact("Not answered") { $0.text("\(counts.unanswered), asked again in an hour") }
                }
            }
        }
    }

    // MARK: Accounts

    private func writeAccounts(_ html: inout HTML) {
        guard !accounts.isEmpty else { return html.tag("p", ["class": "hint"], "There are none yet.") }
        PageTable.write(
            ["Name", "Library", "Books", "Imported files", "Last used", "Token", "Action"], caption: nil,
            into: &html
        ) { rows in
            for account in accounts {
                let path =
                    account.token.map { "token=\(PageLink.escaped($0))" }
                    ?? "library=\(PageLink.escaped(account.library ?? ""))"
                rows.add(
                    [
                        account.token ?? "–", account.library ?? "all",
                        account.library == nil ? "" : "\(account.books)",
                        account.library == nil ? "" : ByteCountText.rounded(Int(account.bytes)),
                        "", Self.words(account),
                        account.isDeletable ? "Delete \(account.name)" : "",
                    ], links: account.isDeletable ? [6: "/page/admin/delete?\(path)"] : [:],
                    times: account.usedAt.map { [4: $0] } ?? [:])
            }
        }
    }

    private static func words(_ account: Account) -> String {
        if account.token == nil { return "none" }
        return account.isValid ? account.end == "never" ? "valid" : "valid until \(account.end)" : account.end
    }
}

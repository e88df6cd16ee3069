import Books
import Contract
import Jobs
import Queries
import Store
import System

/// The pages on which a user decides which book a record means.
enum PageMatchRoutes {
    /// Parameters of the addresses.
    static let parameters: [Operation.Parameter] = [
        .query("list", .names(["decided"]), "Matches that have a decision, not those that wait."),
        Route.Call.pageParameter,
    ]

    /// The page.
    static func show(_ job: String, _ call: Route.Call, _ backend: Backend) -> Response {
        do throws(ETLError) {
            return PageRoutes.html(try page(job, call, backend).document())
        } catch {
            return PageRoutes.failure(error, otherwise: "This import is not known.", status: 404, call)
        }
    }

    private static func isDecided(_ call: Route.Call) -> Bool { call.parameter("list") == "decided" }

    private static func page(
        _ job: String, _ call: Route.Call, _ backend: Backend
    ) throws(ETLError) -> MatchesPage {
        let list = try ReviewList(StoreFile.openForReading(backend.settings.store), of: job, listing: .all)
        var page = MatchesPage(
            job: list.job, isDecided: isDecided(call), reviews: [], viewer: call.viewer(backend))
        if page.isDecided { page.page = call.pageNumber }
        var skipped = (page.page - 1) * MatchesPage.mostReviews
        try list.each { review in
            if (review.decision != nil) != page.isDecided {
                page.others += 1
            } else if skipped > 0 {
                skipped -= 1
            } else if page.reviews.count < MatchesPage.mostReviews {
                page.reviews.append(review)
            } else {
                page.more += 1
            }
        }
        return page
    }

    /// What the form says about records, by their places.
    private static func chosen(_ call: Route.Call) -> [String: String] {
        var chosen: [String: String] = [:]
        for (name, value) in call.fields where name.hasPrefix("row ") {
            chosen[String(name.dropFirst("row ".count))] = value
        }
        return chosen
    }

    /// Keeps the decisions of the form, and accepts a job that applies them.
    static func decide(_ job: String, _ call: Route.Call, _ backend: Backend) async -> Response {
        let chosen = chosen(call)
        do throws(ETLError) {
            if let share = call.value("best").flatMap({ Double($0) }) {
                var page = try page(job, call, backend)
                page.chosen = chosen
                page.chooseBest(share)
                return PageRoutes.html(page.document())
            }
            guard !backend.jobs.isActive(job) else {
                return try refuse(
                    "The import is not done yet. Your choices are not saved: save them again when it is done.",
                    job, chosen,
                    call, backend)
            }
            let store = backend.settings.store
            let list = try ReviewList(
                StoreFile.openForReading(store), of: job, listing: isDecided(call) ? .decided : .all)
            var decisions: [ReviewDecision] = []
            var (left, decidedElsewhere) = (chosen.filter { $0.value != MatchesPage.later }, 0)
            try list.each { review in
                let place = ReviewList.place(review.place, of: list.job)
                guard let value = left.removeValue(forKey: place),
                    let decision = decision(value, about: review)
                else { return }
                if review.decision == decision { return }
                // A decision that was made in another window stays, unless this page has shown it.
                if review.decision != nil, !isDecided(call) { decidedElsewhere += 1 }
                decisions.append(ReviewDecision(review, decision))
            }
            let stale = left.count + decidedElsewhere
            guard stale == 0 else {
                return try refuse(
                    "\(PageText.count(stale, "record")) of this page \(stale == 1 ? "was" : "were") decided in another window. Nothing was saved. Look at the list again, and save it.",
                    job, chosen, call, backend)
            }
            guard !decisions.isEmpty else {
                return PageRoutes.seeOther(MatchesPage.path(of: job, isDecided: isDecided(call)))
            }
            if let refusal = call.refusal(of: .resume, backend) { return PageRoutes.failure(refusal, call) }
            try Reviews.keep(
                decisions, ofJob: list.job.id, in: store, now: backend.clock.epochMilliseconds())
            backend.watch.noteEnd()
        } catch {
            return PageRoutes.failure(error, call)
        }
        var options = ImportOptions(.resume, job: job)
        options.upload = JobName.make()
        do throws(JobRefusal) {
            return PageRoutes.seeJob(try await call.accept(options, backend).job, call)
        } catch {
            return PageRoutes.failure(error, call)
        }
    }

    /// The page again with what was chosen, and why it was not saved.
    private static func refuse(
        _ sentence: String, _ job: String, _ chosen: [String: String], _ call: Route.Call, _ backend: Backend
    ) throws(ETLError) -> Response {
        var page = try page(job, call, backend)
        (page.chosen, page.refusal) = (chosen, sentence)
        return PageRoutes.html(page.document(), status: 409)
    }

    /// What a value of the form means; nil for none of the record's books.
    private static func decision(_ value: String, about review: Review) -> MatchDecisions.Decision? {
        if value == MatchesPage.none { return .refused }
        return review.options.first { $0.name == value }?.acceptance
    }
}

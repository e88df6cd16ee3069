import Books
import Queries
import Store

/// Records that may be one of several books, side by side with these: those that wait for a decision, or those that have one.
struct MatchesPage {
    var job: Job
    /// Whether the records have a decision, which can be changed.
    var isDecided = false
    var reviews: [Review]
    /// Number of such records behind those of this page.
    var more = 0
    /// Number of records of the other kind.
    var others = 0
    /// The page, from 1.
    var page = 1
    /// What was chosen and is not saved yet, by the places of the records.
    var chosen: [String: String] = [:]
    /// Why nothing was saved; nil if nothing was sent.
    var refusal: String?
    var viewer: PageViewer

    /// Maximum number of records on a page. They are saved together, as one job.
    static let mostReviews = 100

    /// The shares, in percent, from which on the best books can be chosen together.
    private static let shares = [95, 90, 80]

    /// The path of a page of the list.
    static func path(of job: String, isDecided: Bool = false, page: Int = 1) -> String {
        PageLink.path(
            "/page/jobs/\(job)/matches",
            [("list", isDecided ? "decided" : nil), ("page", page > 1 ? "\(page)" : nil)])
    }

    func document() -> [UInt8] {
        let title = isDecided ? "Your decisions" : "Which book is it?"
        return PageFrame(title: title, place: .matches, viewer: viewer).document { html in
            if let refusal { html.tag("p", ["class": "failure", "role": "alert"], refusal) }
            writeOthers(&html)
            guard !reviews.isEmpty else {
                return html.tag(
                    "p", ["class": "note"],
                    isDecided ? "There are no decisions." : "There is nothing to decide.")
            }
            html.tag(
                "p", ["class": "hint"],
                isDecided
                    ? "Choose another book to change a decision."
                    : "The data of your file comes first. Choose the book that it means, or none of them. Keys: a takes the best book, r none, s leaves it for later."
            )
            html.tag(
                "form",
                ["method": "post", "action": Self.path(of: job.name, isDecided: isDecided, page: page)]
            ) { html in
                for review in reviews { write(review, &html) }
                html.tag("div", ["class": "buttons sticky"]) { html in
                    html.tag("button", "Save and apply")
                    writeShares(&html)
                    if more > 0, !isDecided { html.tag("span", ["class": "hint"], "\(more) more afterwards") }
                }
            }
            writePages(&html)
        }
    }

    /// A link to the other list.
    private func writeOthers(_ html: inout HTML) {
        guard others > 0 else { return }
        html.tag("p") { html in
            html.tag(
                "a", ["href": Self.path(of: job.name, isDecided: !isDecided)],
                isDecided
                    ? "\(PageText.count(others, "record")) to decide"
                    : "See or change \(PageText.count(others, "decision"))")
        }
    }

    /// Buttons that choose the best books together. Nothing is saved by that, and what was chosen stays.
    private func writeShares(_ html: inout HTML) {
        let best = reviews.compactMap { $0.best?.score }
        let shares = Self.shares.map { share in (share, best.count { $0 >= Double(share) / 100 }) }
            .filter { $0.1 > 0 }
        guard reviews.count > 1, !isDecided, !shares.isEmpty else { return }
        html.tag("span", ["class": "hint"], "Choose the best book if it is alike by at least")
        for (share, count) in shares {
            html.tag(
                "button", ["name": "best", "value": "\(share)", "class": "quiet"], "\(share) % (\(count))")
        }
    }

    /// Chooses the best book of each record that is to be decided later, if it is alike enough.
    ///
    /// - Parameter share: The least similarity in percent.
    mutating func chooseBest(_ share: Double) {
        for review in reviews {
            let place = ReviewList.place(review.place, of: job)
            guard let best = review.best, best.score >= share / 100,
                (chosen[place] ?? Self.later) == Self.later
            else { continue }
            chosen[place] = best.name
        }
    }

    private func writePages(_ html: inout HTML) {
        guard isDecided else { return }
        func path(_ page: Int) -> String { Self.path(of: job.name, isDecided: true, page: page) }
        PageTurns.write(
            "Pages of decisions", previous: page > 1 ? path(page - 1) : nil,
            next: more > 0 ? path(page + 1) : nil,
            &html)
    }

    // MARK: A record

    /// The value of the form for a decision that is left for later.
    static let later = "later"
    /// The value of the form for none of the books.
    static let none = "none"
    /// The value of the form for what was decided.
    private static func value(_ decision: MatchDecisions.Decision?) -> String {
        switch decision {
        case .accepted(let record): "\(record.provider.contractName)/\(record.record)"
        case .refused: none
        case nil: later
        }
    }

    private func write(_ review: Review, _ html: inout HTML) {
        let place = ReviewList.place(review.place, of: job)
        let best = review.best
        let chosen = chosen[place] ?? Self.value(review.decision)
        html.tag("fieldset", ["class": "match"]) { html in
            html.tag("legend", "Row \(place)")
            html.tag("div", ["class": "wanted"]) { html in
                PageText.cover(review.title, &html)
                html.tag("p", ["class": "title"], review.title)
                html.tag("p", review.author)
            }
            html.tag("div", ["class": "options"]) { html in
                for option in review.options {
                    write(
                        option, of: place, isBest: option == best, isChosen: option.name == chosen,
                        &html)
                }
                for (value, text) in [(Self.none, "None of them"), (Self.later, "Decide later")]
                where !(isDecided && value == Self.later) {
                    choice(of: place, value: value, isChosen: value == chosen, &html) { html in
                        html.tag("span", ["class": "title"], text)
                    }
                }
            }
        }
    }

    private func write(
        _ option: ReviewCandidate, of place: String, isBest: Bool, isChosen: Bool, _ html: inout HTML
    ) {
        choice(of: place, value: option.name, isBest: isBest, isChosen: isChosen, &html) { html in
            PageText.cover(option.title, &html)
            html.tag("span", ["class": "title"], option.title)
            html.tag("span", option.authors.joined(separator: ", "))
            html.tag(
                "span", ["class": "hint"],
                [option.year.map { "\($0)" }, "\(PageText.percent(option.score)) alike", option.provider]
                    .compactMap { $0 }.joined(separator: " · "))
            html.tag("span", ["class": "evidence"]) { html in
                for (isFor, text) in EvidenceText.words(option.evidence) {
                    html.tag("span", ["class": isFor ? "for" : "against"], (isFor ? "✓ " : "✗ ") + text)
                }
            }
        }
    }

    private func choice(
        of place: String, value: String, isBest: Bool = false, isChosen: Bool = false, _ html: inout HTML,
        _ content: (inout HTML) -> Void
    ) {
        html.tag("label", ["class": "option"]) { html in
            // A place may have a sign that is special in forms.
            html.open(
                "input",
                [
                    "type": "radio", "name": "row \(place)", "value": value,
                    "data-best": isBest ? "" : nil, "checked": isChosen ? "" : nil,
                ])
            content(&html)
        }
    }
}

import Books
import Queries
import Store

/// Records that may be one of several books, side by side with these.
struct MatchesPage {
    var job: Job
    var reviews: [Review]
    /// Number of records that are not on this page.
    var more: Int
    /// The best book of a record is chosen beforehand if its score is at least this; nil for none.
    var leastScore: Double?
    var viewer: PageViewer

    /// The shares, in percent, from which on the best books can be chosen together.
    private static let shares = [95, 90, 80]

    func document() -> [UInt8] {
        PageFrame(title: "Which book is it?", place: .matches, viewer: viewer).document { html in
            guard !reviews.isEmpty else {
                return html.tag("p", ["class": "note"], "There is nothing to decide.")
            }
            html.tag(
                "p", ["class": "hint"],
                "The data of your file comes first. Choose the book that it means, or none of them. Keys: a takes the best book, r none, s leaves it for later."
            )
            writeShares(&html)
            html.tag("form", ["method": "post", "action": "/page/jobs/\(job.name)/matches"]) { html in
                for review in reviews { write(review, &html) }
                html.tag("div", ["class": "buttons sticky"]) { html in
                    html.tag("button", "Save and apply")
                    if more > 0 { html.tag("span", ["class": "hint"], "\(more) more afterwards") }
                }
            }
        }
    }

    /// Links that choose the best books together. Nothing is saved by that.
    private func writeShares(_ html: inout HTML) {
        let best = reviews.compactMap { Self.best(of: $0)?.score }
        let shares = Self.shares.map { share in (share, best.count { $0 >= Double(share) / 100 }) }
            .filter { $0.1 > 0 }
        guard reviews.count > 1, !shares.isEmpty else { return }
        html.tag("p", ["class": "inline"]) { html in
            html.text("Choose this first: select the best book if its similarity is at least")
            for (share, count) in shares {
                html.tag(
                    "a",
                    [
                        "href": "/page/jobs/\(job.name)/matches?best=\(share)",
                        "aria-current": leastScore == Double(share) / 100 ? "true" : nil,
                    ], "\(share) % (\(count))")
            }
        }
    }

    /// The book that is most alike; nil if another one is as much alike.
    private static func best(of review: Review) -> ReviewCandidate? {
        guard let best = review.options.max(by: { $0.score < $1.score }),
            review.options.count(where: { $0.score == best.score }) == 1
        else { return nil }
        return best
    }

    private func write(_ review: Review, _ html: inout HTML) {
        let place = ReviewList.place(review.place, of: job)
        let best = Self.best(of: review)
        let chosen = best.flatMap { best in leastScore.flatMap { best.score >= $0 ? best : nil } }
        html.tag("fieldset", ["class": "match"]) { html in
            html.tag("legend", "Row \(place)")
            html.tag("div", ["class": "wanted"]) { html in
                PageText.cover(review.title, &html)
                html.tag("p", ["class": "title"], review.title)
                html.tag("p", review.author)
            }
            html.tag("div", ["class": "options"]) { html in
                for option in review.options {
                    write(option, of: place, isBest: option == best, isChosen: option == chosen, &html)
                }
                choice(of: place, value: "none", &html) { html in
                    html.tag("span", ["class": "title"], "None of them")
                }
                choice(of: place, value: "later", isChosen: chosen == nil, &html) { html in
                    html.tag("span", ["class": "title"], "Decide later")
                }
            }
        }
    }

    private func write(
        _ option: ReviewCandidate, of place: String, isBest: Bool, isChosen: Bool, _ html: inout HTML
    ) {
        let value = "\(option.provider)/\(option.record)"
        choice(of: place, value: value, isBest: isBest, isChosen: isChosen, &html) { html in
            PageText.cover(option.title, &html)
            html.tag("span", ["class": "title"], option.title)
            html.tag("span", option.authors.joined(separator: ", "))
            html.tag(
                "span", ["class": "hint"],
                [option.year.map { "\($0)" }, "\(PageText.percent(option.score)) alike", option.provider]
                    .compactMap { $0 }.joined(separator: " · "))
            html.tag("span", ["class": "evidence"]) { html in
                for word in option.evidence {
                    let isFor = word.hasPrefix("for:")
                    let text = word.split(separator: ":").dropFirst().joined(separator: ":").replacing(
                        "_", with: " ")
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

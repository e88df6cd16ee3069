import Books
import Queries
import Store

/// Records that may be one of several books, side by side with these.
struct MatchesPage {
    var job: Job
    var reviews: [Review]
    /// Number of records that are not on this page.
    var more: Int
    var viewer: PageViewer

    func document() -> [UInt8] {
        PageFrame(title: "Which book is it?", place: .matches, viewer: viewer).document { html in
            guard !reviews.isEmpty else {
                return html.tag("p", ["class": "note"], "There is nothing to decide.")
            }
            html.tag(
                "p", ["class": "hint"],
                "The data of your file comes first. Choose the book that it means, or none of them.")
            html.tag("form", ["method": "post", "action": "/page/jobs/\(job.name)/matches"]) { html in
                for review in reviews { write(review, &html) }
                html.tag("div", ["class": "buttons sticky"]) { html in
                    html.tag("button", "Save and apply")
                    if more > 0 { html.tag("span", ["class": "hint"], "\(more) more afterwards") }
                }
            }
        }
    }

    private func write(_ review: Review, _ html: inout HTML) {
        let place = ReviewList.place(review.place, of: job)
        html.tag("fieldset", ["class": "match"]) { html in
            html.tag("legend", "Row \(place)")
            html.tag("div", ["class": "wanted"]) { html in
                PageText.cover(review.title, &html)
                html.tag("p", ["class": "title"], review.title)
                html.tag("p", review.author)
            }
            html.tag("div", ["class": "options"]) { html in
                for option in review.options { write(option, of: place, &html) }
                choice(of: place, value: "none", &html) { html in
                    html.tag("span", ["class": "title"], "None of them")
                }
                choice(of: place, value: "", isChosen: true, &html) { html in
                    html.tag("span", ["class": "title"], "Decide later")
                }
            }
        }
    }

    private func write(_ option: ReviewCandidate, of place: String, _ html: inout HTML) {
        choice(of: place, value: "\(option.provider)/\(option.record)", &html) { html in
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
        of place: String, value: String, isChosen: Bool = false, _ html: inout HTML,
        _ content: (inout HTML) -> Void
    ) {
        html.tag("label", ["class": "option"]) { html in
            // A place may have a sign that is special in forms.
            if isChosen {
                html.open(
                    "input", ["type": "radio", "name": "row \(place)", "value": "later", "checked": ""])
            } else {
                html.open("input", ["type": "radio", "name": "row \(place)", "value": value])
            }
            content(&html)
        }
    }
}

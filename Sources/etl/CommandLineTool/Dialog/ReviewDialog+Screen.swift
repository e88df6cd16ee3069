import Books
import Store

extension ReviewDialog {
    /// Candidates listed below the comparison.
    private static let listed = 9

    func screen(_ size: ScreenSize, _ style: Style) -> [String] {
        let decided = reviews.count - open
        let foot =
            [style(.warning, TextWidth.cut(message, to: size.columns))].filter { !$0.isEmpty }
            + Self.keys.lines(width: size.columns, style)
        guard let review else {
            return ScreenLayout(
                head: [style(.bold, "All \(HumanText.count(reviews.count, "record")) decided"), ""],
                body: ["u takes the last decision back, ← shows the records again, q quits."], foot: foot
            ).lines(rows: size.rows)
        }
        let head = style(.bold, "Record \(place + 1) of \(reviews.count)") + ", \(decided) decided"
        return ScreenLayout(head: [head, ""], body: body(review, size, style), foot: foot)
            .lines(rows: size.rows)
    }

    /// The record beside the candidate that is shown, and the list of candidates.
    private func body(_ review: Review, _ size: ScreenSize, _ style: Style) -> [String] {
        guard review.options.indices.contains(choice) else { return [review.title, review.author] }
        let option = review.options[choice]
        var sides = SideBySide([
            "your file", "candidate \(choice + 1): \(option.provider) \(option.record)",
        ])
        sides.add("title", [review.title, option.title])
        sides.add("author", [review.author, option.authors.joined(separator: "; ")])
        sides.add("year", ["", option.year.map(String.init) ?? ""])
        let (favor, against) = EvidenceText.sides(option.evidence)
        var lines = sides.lines(width: size.columns, style)
        lines += [""]
        for (label, text) in [("for", favor), ("against", against)] where !text.isEmpty {
            lines += TextWidth.wrap("\(label): \(text)", at: size.columns)
        }
        lines +=
            [""]
            + review.options.prefix(Self.listed).enumerated().map { number, option in
                candidate(option, number, of: review, size, style)
            }
        switch decision(about: review) {
        case .refused: lines += ["", style(.good, "Decided: none is right.")]
        case .accepted(let record): lines += ["", style(.good, "Decided: \(record.record).")]
        case nil: break
        }
        return lines
    }

    private func candidate(
        _ option: ReviewCandidate, _ number: Int, of review: Review, _ size: ScreenSize, _ style: Style
    ) -> String {
        let isShown = number == choice
        let year = TextWidth.pad(option.year.map(String.init) ?? "", to: 4)
        let parts = [option.title, option.authors.joined(separator: "; ")]
        let text =
            "\(isShown ? "›" : " ") \(number + 1)  \(percent(option.score))  \(year)  "
            + parts.filter { !$0.isEmpty }.joined(separator: " · ")
        let line = TextWidth.cut(TextWidth.printable(text), to: size.columns)
        return isShown ? style(.bold, line) : line
    }

    /// A score in three columns: `93%`.
    private func percent(_ score: Double) -> String {
        TextWidth.pad("\(Int((score * 100).rounded(.down)))%", to: 4, right: true)
    }
}

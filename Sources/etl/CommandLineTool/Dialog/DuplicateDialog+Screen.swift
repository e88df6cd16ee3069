import Books
import Jobs
import Store

extension DuplicateDialog {
    func screen(_ size: ScreenSize, _ style: Style) -> [String] {
        let foot =
            [style(.warning, TextWidth.cut(message, to: size.columns))].filter { !$0.isEmpty }
            + Self.keys.lines(width: size.columns, style)
        let count = "\(HumanText.count(joined.count)) to join"
        guard place < groups.count else {
            return ScreenLayout(
                head: [
                    style(.bold, "All \(HumanText.count(groups.count, "group")) decided") + ", \(count)", "",
                ],
                body: [
                    joined.isEmpty
                        ? "q ends; nothing is joined. u takes the last decision back."
                        : "q joins them. u takes the last decision back."
                ], foot: foot
            ).lines(rows: size.rows)
        }
        let decided = groups.count - open
        let head = style(.bold, "Group \(place + 1) of \(groups.count)") + ", \(decided) decided, \(count)"
        return ScreenLayout(head: [head, ""], body: body(size, style), foot: foot).lines(rows: size.rows)
    }

    /// The entry that stays beside the one that is shown, and the list of entries.
    private func body(_ size: ScreenSize, _ style: Style) -> [String] {
        let (group, state) = (groups[place], states[place])
        let kept = state.marks.firstIndex(of: .keep) ?? 0
        let left = kept != member ? kept : member == 0 ? 1 : 0
        let pair = [left, member].map { group.members[$0].entry }
        var sides = SideBySide(
            zip([left, member], pair).map { index, entry in
                "\(index + 1) \(Self.word(state.marks[index])): \(entry.name.formatName) \(entry.name.sourceID)"
            })
        sides.add("title", pair.map(\.title))
        sides.add("author", pair.map { $0.authors.joined(separator: "; ") })
        sides.add("ISBN", pair.map { $0.isbns.sorted().joined(separator: " ") })
        sides.add("series", pair.map { $0.series.map(\.description).joined(separator: "; ") })
        sides.add("year", pair.map { $0.firstYear.map(String.init) ?? "" })
        sides.add("language", pair.map { $0.language ?? "" })
        sides.add(
            "read",
            pair.map { ([$0.readings.finished] + $0.readings.earlier.map(\.finished)).joined(separator: " ") }
        )
        sides.add("rating", pair.map { $0.rating.map(LibraryEntry.spelled) ?? "" })
        sides.add("copy", pair.map { $0.details.filter { !$0.isEmpty }.joined(separator: "; ") })
        var lines = sides.lines(width: size.columns, style)
        if let match = group.members[member].match ?? group.members[left].match {
            let (favor, against) = EvidenceText.sides(match.evidence)
            let reasons = [
                favor.isEmpty ? "" : "for: \(favor)", against.isEmpty ? "" : "against: \(against)",
            ]
            let text = ["\(match.relation.rawValue), \(HumanText.percent(match.score))"] + reasons
            lines +=
                [""]
                + TextWidth.wrap(text.filter { !$0.isEmpty }.joined(separator: "; "), at: size.columns)
        }
        lines +=
            [""]
            + group.members.indices.map { index in
                let entry = group.members[index].entry
                let text =
                    "\(index == member ? "›" : " ") \(index + 1)  \(TextWidth.pad(Self.word(state.marks[index]), to: 5))  "
                    + [entry.title, entry.name.formatName, entry.readings.finished].filter { !$0.isEmpty }
                    .joined(separator: " · ")
                let line = TextWidth.cut(TextWidth.printable(text), to: size.columns)
                return index == member ? style(.bold, line) : line
            }
        if let isJoined = state.isJoined {
            lines += ["", style(.good, isJoined ? "Decided: joined as marked." : "Decided: kept apart.")]
        }
        return lines
    }

    private static func word(_ decision: Decision) -> String {
        decision == .leave ? "apart" : decision.rawValue
    }
}

package import Books
import Bytes
package import Pipeline

/// A rule that has changed a value of a row.
package struct RuleUse: Sendable, Hashable {
    /// The field whose value was changed.
    package var field: LibraryField
    /// The value before and after; empty for no value.
    package var before: String
    package var after: String
    /// Position of the rule.
    package var origin: ValueOrigin
}

/// Application of the user's rules to rows. Cells stay as the file has them: like a format, rules add readings.
extension LibraryRows {
    /// Applies rules to a row that its format has interpreted.
    ///
    /// - Parameter note: Called with each change.
    package mutating func apply(
        _ rules: MappingRules, to row: inout LibraryRow, noting note: ((RuleUse) -> Void)? = nil
    ) {
        guard row.refusal == nil else { return }
        if !rules.shelves.isEmpty { applyShelves(rules, to: &row, note) }
        if !rules.ratings.isEmpty || rules.scale != nil { applyRating(rules, to: &row, note) }
        if !rules.authors.isEmpty { applyAuthors(rules, to: &row, note) }
    }

    private func trimmedString(_ field: LibraryField, of row: LibraryRow) -> String {
        arena[arena.trimmed(cell(field, of: row))]
    }

    private mutating func replace(_ field: LibraryField, by value: String, of row: inout LibraryRow) {
        let text = arena.append(value)
        read(field, as: text, of: &row)
        addToHash(text, field, of: &row)
    }

    /// Notes a value that a rule has made.
    private func addToHash(_ text: Text, _ field: LibraryField, of row: inout LibraryRow) {
        let seed = row.ruleHash &+ UInt64(field.rawValue) &+ 1
        row.ruleHash = arena.withBytes(text) { KeyHash.hash($0, seed: seed) }
    }

    private mutating func applyShelves(
        _ rules: MappingRules, to row: inout LibraryRow, _ note: ((RuleUse) -> Void)?
    ) {
        let shelf = trimmedString(.exclusiveShelf, of: row)
        let text = trimmedString(.shelves, of: row)
        guard !shelf.isEmpty || !text.isEmpty else { return }
        let shelfKey = MappingRules.shelfKey(shelf)
        let own = rules.shelves[shelfKey]
        let separator = ShelfList.separator(of: text)
        let names = ShelfList.names(in: text)
        let matches = names.map { rules.shelves[MappingRules.shelfKey($0)] }
        guard own != nil || matches.contains(where: { $0 != nil }) else { return }

        let saying = ([own] + matches).compactMap { $0 }.filter { $0.meaning.status != nil }
            .min { $0.number < $1.number }
        var status = own == nil ? shelf : ""
        if let said = saying?.meaning.status?.rawValue { status = said }
        let changesStatus = status != shelf

        var tags: [String] = []
        func add(_ tag: String) { if !tags.contains(tag) { tags.append(tag) } }
        for (name, rule) in zip(names, matches) {
            if let rule {
                rule.meaning.tags.forEach(add)
                if let note, rule.meaning.tags != [name] {
                    let results = [rule.meaning.status?.rawValue].compactMap { $0 } + rule.meaning.tags
                    note(
                        RuleUse(
                            field: .shelves, before: name, after: results.joined(separator: ", "),
                            origin: rule.origin))
                }
            } else if !changesStatus || MappingRules.shelfKey(name) != shelfKey {
                // Goodreads lists the old status among the shelves.
                add(name)
            }
        }
        own?.meaning.tags.forEach(add)
        if changesStatus {
            replace(.exclusiveShelf, by: status, of: &row)
            if let note, let rule = saying ?? own {
                note(RuleUse(field: .exclusiveShelf, before: shelf, after: status, origin: rule.origin))
            }
        }
        if tags != names {
            replace(.shelves, by: tags.joined(separator: "\(separator) "), of: &row)
        }
    }

    private mutating func applyRating(
        _ rules: MappingRules, to row: inout LibraryRow, _ note: ((RuleUse) -> Void)?
    ) {
        guard let column = columns[.rating] else { return }
        // The cell and not what the format read: it may have refused a rating above five stars.
        let cell = arena.trimmed(cell(column: column, of: row))
        guard !cell.isEmpty else { return }
        let text = arena[cell]
        let stars: Double?
        let origin: ValueOrigin
        if let rule = rules.ratings[MappingRules.shelfKey(text)] {
            (stars, origin) = (rule.stars, rule.origin)
        } else if let scale = rules.scale, rules.scales(columns.formatName),
            let number = arena.withBytes(cell, { StarRating.number($0) }), number <= scale.best
        {
            let scaled = (number * StarRating.most / scale.best * 4).rounded() / 4
            // The lowest rating of a long scale is still one.
            stars = number > 0 ? max(0.25, scaled) : nil
            origin = scale.origin
        } else {
            return
        }
        let value = stars.map { "\($0)" } ?? ""
        replace(.rating, by: value, of: &row)
        if row.unreadable.contains(.rating) {
            var rating = LibraryFields()
            rating.insert(.rating)
            row.unreadable = row.unreadable.subtracting(rating)
            row.warnings.removeAll { $0.code == ReasonCode.ratingDamaged.code }
        }
        note?(RuleUse(field: .rating, before: text, after: value, origin: origin))
    }

    private mutating func applyAuthors(
        _ rules: MappingRules, to row: inout LibraryRow, _ note: ((RuleUse) -> Void)?
    ) {
        var hasChanged = false
        for index in row.people {
            let name = people[index].name
            let key = arena.withBytes(name) { PersonKey.fold($0) }
            guard let rule = rules.authors[key],
                !arena.withBytes(name, { $0.elementsEqual(rule.name.utf8) })
            else { continue }
            people[index].written = name
            people[index].name = arena.append(rule.name)
            hasChanged = true
            addToHash(people[index].name, .author, of: &row)
            note?(RuleUse(field: .author, before: arena[name], after: rule.name, origin: rule.origin))
        }
        guard hasChanged else { return }
        // Two spellings of a person have become one.
        var end = row.people.lowerBound
        for index in row.people {
            let person = people[index]
            let isKnown = (row.people.lowerBound..<end).contains { arena.equal(people[$0].name, person.name) }
            if isKnown { continue }
            people[end] = person
            end += 1
        }
        row.people = row.people.lowerBound..<end
    }
}

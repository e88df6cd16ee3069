import Books

/// The user's own notes about a book: the values of an entry that are kept when entries are joined.
struct JoinedEntry: Sendable, Hashable {
    /// Source of the entry, for a note about a value that differs: `storygraph`.
    var source = ""
    var rating: Double?
    /// Whether the user has set or locked the rating. It stays then.
    var isRatingSet = false
    var shelf = ""
    /// Whether the user has set or locked the shelf. It stays then.
    var isShelfSet = false
    /// Separated by commas.
    var shelves = ""
    var readings = StoredReadings(started: "", finished: "", earlier: [])
    var dateAdded = ""
    var readCount: Int?
    var ownedCopies: Int?
    var review = ""
    var notes = ""
    /// Details of the copy by their fields; without those that are not known.
    var details: [EditableField: String] = [:]

    /// Adds the values of another entry of the same book. Nothing is lost: where both have a value and only one can
    /// stay, the other one goes into the notes.
    mutating func add(_ other: JoinedEntry) {
        addRating(other)
        addShelves(other)
        let readings = Self.united(readings.all, other.readings.all)
        // Counts without dates stay: three readings are three, although only one has a date.
        readCount = [readCount, other.readCount, readings.isEmpty ? nil : readings.count].compactMap { $0 }
            .max()
        self.readings = StoredReadings(readings)
        dateAdded = [dateAdded, other.dateAdded].filter { !$0.isEmpty }.min() ?? ""
        ownedCopies = [ownedCopies, other.ownedCopies].compactMap { $0 }.max()
        review = Self.united(review, other.review)
        notes = Self.united(notes, other.notes)
        for field in EditableField.copyDetails {
            guard let theirs = other.details[field] else { continue }
            let mine = details[field, default: theirs]
            details[field] = mine
            if mine != theirs {
                let name =
                    field == .lentTo ? "Lent to" : field.name.prefix(1).uppercased() + field.name.dropFirst()
                notes = Self.united(notes, "\(name) in \(other.source): \(theirs)")
            }
        }
    }

    private mutating func addRating(_ other: JoinedEntry) {
        guard let theirs = other.rating, theirs != rating else { return }
        if !isRatingSet {
            guard let mine = rating else {
                rating = theirs
                return
            }
            // One program has quarter stars, and the user rounded them for the other.
            if abs(mine - theirs) < 1 {
                if mine == mine.rounded() { rating = theirs }
                return
            }
        }
        notes = Self.united(notes, "Rating in \(other.source): \(LibraryEntry.spelled(theirs))")
    }

    /// The most advanced status stays: a book that was read does not return to the to-read shelf.
    private static let order = ["to-read", "paused", "did-not-finish", "currently-reading", "read"]

    private mutating func addShelves(_ other: JoinedEntry) {
        var names = StoredList.shelves(shelves)
        for name in StoredList.shelves(other.shelves) where !names.contains(name) { names.append(name) }
        if shelf.isEmpty, !isShelfSet {
            shelf = other.shelf
        } else if !other.shelf.isEmpty, other.shelf != shelf {
            let (mine, theirs) = (Self.order.firstIndex(of: shelf), Self.order.firstIndex(of: other.shelf))
            let lost: String
            if !isShelfSet, let theirs, (mine ?? 0) < theirs {
                (shelf, lost) = (other.shelf, shelf)
            } else {
                lost = other.shelf
            }
            // A shelf of the user's own says more than a status.
            if !Self.order.contains(lost), !names.contains(lost) { names.append(lost) }
        }
        shelves = names.joined(separator: ", ")
    }

    /// The readings of both. Of two dates of one reading, the more precise one stays.
    private static func united(_ mine: [ReadingDates], _ theirs: [ReadingDates]) -> [ReadingDates] {
        var all = mine
        for reading in theirs {
            guard let index = all.firstIndex(where: { $0.isOne(with: reading) }) else {
                all.append(reading)
                continue
            }
            func longer(_ a: String, _ b: String) -> String { a.utf8.count >= b.utf8.count ? a : b }
            all[index].started = longer(all[index].started, reading.started)
            all[index].finished = longer(all[index].finished, reading.finished)
        }
        return all
    }

    private static func united(_ mine: String, _ theirs: String) -> String {
        if theirs.isEmpty || mine.contains(theirs) { return mine }
        return mine.isEmpty || theirs.contains(mine) ? theirs : "\(mine)\n\n\(theirs)"
    }
}

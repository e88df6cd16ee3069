import Books
import Bytes
import Database
import Pipeline
import System

/// The contributors of stored works.
extension WorkWriter {
    /// Adds the people whom a row names and the work does not have yet. They become contributors: known facts about the
    /// authors are not contradicted. The row's author is one of them only if it cannot be a known one.
    ///
    /// - Returns: The number of people known before, and of those who were added.
    func addContributors(
        _ prepared: PreparedRow, of batch: ResultBatchView, work: Int64
    ) throws(ETLError) -> (known: Int, new: Int) {
        guard prepared.authors.count > 1 else { return (0, 0) }
        if let locked = tables.locked,
            try locked.lineageFields(of: .work, work).contains(.authorName)
        {
            return (0, 0)
        }
        try tables.new.settle(work: work, batch)
        var known = try contributors(of: work)
        guard let last = known.last else { return (0, 0) }
        let count = known.count
        var position = Int(last.id - ContributorIDs.id(work: work, position: 0)) + 1
        let authors = AuthorWriter(tables: tables)
        // Read only if an author is not known by key.
        var names: [String] = []
        for index in prepared.authors where batch.authors[index].author.origin == .row {
            if let id = try tables.indexes.authors.place(of: batch.authors[index].place).row,
                known.contains(where: { $0.author == id })
            {
                continue
            }
            if names.isEmpty { names = try self.names(ofContributorsTo: work) }
            let name = batch.string(batch.authors[index].author.name)
            // The provider can spell the name otherwise.
            if names.contains(where: { NameAgreement.areCertainlyOne($0, name) }) { continue }
            // The catalog may have known it as another name of one of them.
            if !names.contains(where: { !NameAgreement.areInTwoScripts($0, name) }) { continue }
            if index == prepared.authors.lowerBound {
                // The row's author is usually a known one, and another one only if they have somebody in common.
                let others = prepared.authors.dropFirst().map { batch.string(batch.authors[$0].author.name) }
                guard !names.contains(where: { NameAgreement.canBeOne($0, name) }),
                    others.contains(where: { other in
                        names.contains { NameAgreement.areCertainlyOne($0, other) }
                    })
                else { continue }
            }
            let id = try authors.write(index, of: batch).id
            guard !known.contains(where: { $0.author == id }), position < ContributorIDs.maxPerWork else {
                continue
            }
            let role = batch.authors[index].author.role
            known.append(
                NewContributor(
                    work: work, position: position, author: id, role: role == .author ? .contributor : role))
            position += 1
        }
        guard known.count > count else { return (count, 0) }
        try tables.journal?.noteContributors(position, ofWork: work)
        for contributor in known[count...] { tables.new.append(contributor) }
        try tables.new.flush(batch)
        return (count, known.count - count)
    }

    /// - Returns: Whether more is now known about one of them.
    func replaceContributors(
        _ prepared: PreparedRow, of batch: ResultBatchView, work: Int64, row: inout StoredRow,
        offer: Lineage.Origin, from sources: RecordSources
    ) throws(ETLError) -> Bool {
        let authors = AuthorWriter(tables: tables)
        var new: [NewContributor] = []
        var areBetterKnown = false
        for (position, index) in prepared.authors.enumerated() {
            let author = try authors.write(index, of: batch)
            areBetterKnown = areBetterKnown || author.isBetterKnown
            new.append(
                NewContributor(
                    work: work, position: position, author: author.id,
                    role: batch.authors[index].author.role))
        }
        let known = try contributors(of: work)
        var origins = sources.offers(
            of: .authorName, in: batch.bytes(of: prepared.workLineage), count: new.count)
        let isSameSource = row.lineage.origin(of: .authorName)?.source == offer.source
        let others = known.filter { other in
            other.role != .author && !new.contains { $0.author == other.author }
        }
        if isSameSource, !others.isEmpty, try namesSamePeople(prepared, of: batch, offer.source, sources) {
            // People whom only another row of the book names.
            let places = row.lineage.origins(of: .authorName, count: known.count)
            for other in others {
                guard new.count < ContributorIDs.maxPerWork else { break }
                if let place = known.firstIndex(of: other), places.indices.contains(place) {
                    origins.append(places[place])
                }
                new.append(
                    NewContributor(work: work, position: new.count, author: other.author, role: other.role))
            }
        }
        if new != known {
            try tables.journal?.noteContributors(new.count, ofWork: work)
            tables.deleteContributors.bind(1, work)
            try tables.deleteContributors.run()
            for contributor in new { tables.new.append(contributor) }
            // The work is on disk, so its contributors are expected there too.
            try tables.new.flush(batch)
        } else if isSameSource {
            return areBetterKnown
        }
        row.note(contributors: origins)
        return areBetterKnown
    }

    /// Whether a source that has named a work's people before certainly names the same again.
    private func namesSamePeople(
        _ prepared: PreparedRow, of batch: ResultBatchView, _ source: Lineage.Source, _ sources: RecordSources
    ) throws(ETLError) -> Bool {
        guard case .entry(let entry) = source else { return true }
        guard let layout = sources.layout, let stored = try StoredCells.read(entry, from: tables, layout)
        else { return false }
        return stored.areSame(LibraryField.people, in: prepared.entry, of: batch, layout: layout)
    }

    /// The names of the contributors of a work that is on disk.
    func names(ofContributorsTo work: Int64) throws(ETLError) -> [String] {
        let read = tables.readContributorNames
        read.bind(1, work)
        defer { read.reset() }
        var names: [String] = []
        while try read.next() { names.append(read.string(0)) }
        return names
    }

    /// The contributors of a work that is on disk.
    private func contributors(of work: Int64) throws(ETLError) -> [NewContributor] {
        let read = tables.readContributors
        read.bind(1, work)
        var all: [NewContributor] = []
        while try read.next() {
            all.append(
                NewContributor(
                    id: read.integer(0), author: read.integer(1),
                    role: ContributorRole(rawValue: UInt8(truncatingIfNeeded: read.integer(2)))
                        ?? .contributor))
        }
        return all
    }
}

import Bytes
import Database

extension ResultBatch {
    /// Lays out the new rows that each record makes where nothing of it is known yet.
    ///
    /// A record that has no place in the image, for it is too long or has a number that only SQLite reads, goes the way
    /// of records that are known: ``ResultDraft/openEntry`` is 0.
    mutating func layOutImage() {
        guard !drafts.isEmpty else { return }
        var writer = ImageWriter(ImageLayout.imageTables)
        let lineages = ScratchBytes()
        var openEntries = [UInt32](repeating: 0, count: drafts.count)
        var openAuthors = [UInt32](repeating: 0, count: authors.count)
        lend(firstRow: firstRow) { batch in
            for number in batch.drafts.indices where batch.drafts[number].isComplete {
                Self.gather(number, of: batch, into: &writer, lineages)
                guard writer.commit() else { continue }
                // Rows as they were gathered: work, edition, people, entry.
                let authors = batch.drafts[number].authors
                for (place, author) in authors.enumerated() {
                    openAuthors[author] = writer.openPlaces[2 + place]
                }
                openEntries[number] = writer.openPlaces[2 + authors.count]
            }
        }
        let image = writer.finish()
        for (number, place) in openEntries.enumerated() where place != 0 {
            drafts[number].openEntry = image.place(place)
        }
        for (number, place) in openAuthors.enumerated() where place != 0 {
            authors[number].openAuthor = image.place(place)
        }
        self.image = image
    }

    /// Gathers the rows that a record makes.
    private static func gather(
        _ number: Int, of batch: ResultBatchView, into writer: inout ImageWriter, _ lineages: ScratchBytes
    ) {
        let row = batch.row(of: number)
        let (authors, answers) = (batch.drafts[number].authors, batch.drafts[number].candidates)
        let candidates = answers.indices.map { place in
            CandidateIDs.id(row: row, number: place - answers.lowerBound)
        }
        func lineage(_ fields: Text) -> UnsafeRawBufferPointer {
            lineages.keep { out in
                Lineage.appendSources(entry: row, candidates: candidates, to: &out)
                out.append(contentsOf: batch.bytes(of: fields))
            }
        }
        func add(_ new: some AppendedRow<ResultBatchView>, to table: ImageLayout) {
            writer.begin(table.rawValue, id: new.id)
            new.put(into: &writer, from: batch)
        }
        add(
            NewWork(id: row, number: number, lineage: lineage(batch.drafts[number].workLineage)), to: .works)
        add(
            NewEdition(
                id: row, number: number, work: row, lineage: lineage(batch.drafts[number].editionLineage)),
            to: .editions)
        for (position, author) in authors.enumerated() {
            let role = batch.authors[author].author.role
            let person = NewContributor(work: row, position: position, author: 0, role: role)
            writer.begin(ImageLayout.contributors.rawValue, id: person.id)
            person.put(into: &writer, from: ())
        }
        let sourceID = batch.bytes(of: batch.drafts[number].entry.sourceID)
        add(
            NewEntry(id: row, number: number, library: 0, sourceID: sourceID, edition: row, layout: 0),
            to: .entries)
        for (candidate, id) in zip(answers, candidates) {
            add(NewCandidate(id: id, number: candidate), to: .candidates)
        }
    }
}

extension ResultDraft {
    /// Whether it has what a row cannot be without.
    fileprivate var isComplete: Bool {
        !workKey.isEmpty && !editionKey.isEmpty && !entry.sourceID.isEmpty && !entry.cells.isEmpty
    }
}

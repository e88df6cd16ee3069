import Books
import Bytes
import Database

extension ResultBatch {
    /// Lays out the new rows of each record, for the case that nothing of it is stored yet.
    ///
    /// A record is not in the image if it is too long or has a number that only SQLite can parse. It is then
    /// written like a known record: ``PreparedRow/entryPlaceholder`` is 0.
    mutating func layOutImage() {
        guard !rows.isEmpty else { return }
        var writer = ImageWriter(ImageLayout.imageTables)
        let lineages = ScratchBytes()
        var entryPlaceholders = [UInt32](repeating: 0, count: rows.count)
        var authorPlaceholders = [UInt32](repeating: 0, count: authors.count)
        lend(firstRow: firstRow) { batch in
            for number in batch.rows.indices where batch.rows[number].isComplete {
                Self.gather(number, of: batch, into: &writer, lineages)
                guard writer.commit() else { continue }
                // In the order of `gather`: work, edition, people, entry.
                let authors = batch.rows[number].authors
                for (place, author) in authors.enumerated() {
                    authorPlaceholders[author] = writer.placeholderOffsets[2 + place]
                }
                entryPlaceholders[number] = writer.placeholderOffsets[2 + authors.count]
            }
        }
        let image = writer.finish()
        for (number, place) in entryPlaceholders.enumerated() where place != 0 {
            rows[number].entryPlaceholder = image.place(place)
        }
        for (number, place) in authorPlaceholders.enumerated() where place != 0 {
            authors[number].authorPlaceholder = image.place(place)
        }
        self.image = image
    }

    /// Adds the rows of a record to the image.
    private static func gather(
        _ number: Int, of batch: ResultBatchView, into writer: inout ImageWriter, _ lineages: ScratchBytes
    ) {
        let row = batch.row(of: number)
        let (authors, answers) = (batch.rows[number].authors, batch.rows[number].candidates)
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
            NewWork(id: row, number: number, lineage: lineage(batch.rows[number].workLineage)), to: .works)
        add(
            NewEdition(
                id: row, number: number, work: row, lineage: lineage(batch.rows[number].editionLineage)),
            to: .editions)
        for (position, author) in authors.enumerated() {
            let role = batch.authors[author].author.role
            let person = NewContributor(work: row, position: position, author: 0, role: role)
            writer.begin(ImageLayout.contributors.rawValue, id: person.id)
            person.put(into: &writer, from: ())
        }
        let sourceID = batch.bytes(of: batch.rows[number].entry.sourceID)
        add(
            NewEntry(id: row, number: number, library: 0, sourceID: sourceID, edition: row, layout: 0),
            to: .entries)
        for (candidate, id) in zip(answers, candidates) {
            add(NewCandidate(id: id, number: candidate), to: .candidates)
        }
    }
}

extension PreparedRow {
    /// Whether it has all required values of its rows.
    fileprivate var isComplete: Bool {
        !workKey.isEmpty && !editionKey.isEmpty && !entry.sourceID.isEmpty && !entry.cells.isEmpty
    }
}

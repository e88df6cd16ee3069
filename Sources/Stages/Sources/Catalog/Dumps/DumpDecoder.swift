import Books
import Bytes
import Syntax

/// Parses lines of dumps, one at a time, in reused buffers.
struct DumpDecoder {
    /// The result of parsing a line.
    enum Verdict: Hashable {
        case record
        /// Nothing to use: a blank line, a bracket, a header.
        case nothing
        case malformed(DumpLineError)
        /// The record's JSON ends in the middle.
        case cutOff
    }

    private var edition = EditionDump()
    private var work: WorkDump
    private var author: AuthorDump
    private var target: OpenLibraryKey?
    private var people: [PersonFacts] = []
    private var unquoted: [UInt8] = []

    /// - Parameter latestYear: The last year that free text can name.
    init(latestYear: Int32) {
        work = WorkDump(latestYear: latestYear)
        author = AuthorDump(latestYear: latestYear)
    }

    /// Parses a line and appends its record.
    mutating func decode(_ line: UnsafeRawBufferPointer, into records: inout DumpRecords) -> Verdict {
        let record: DumpRecord
        do throws(DumpLineError) {
            record = try DumpRecord(line)
        } catch {
            return .malformed(error)
        }
        if record.kind == .nothing { return .nothing }
        if let damage = read(record) { return damage.kind == .truncated ? .cutOff : .malformed(.badJSON) }
        switch (record.kind, record.key) {
        case (.edition, let key?): append(edition: key, record.revision, &records)
        case (.work, let key?):
            records.counts.works += 1
            records.works.append(
                .init(
                    number: key.number, revision: record.revision,
                    authors: records.arena.append { NumberList.pack(work.authors, onto: &$0) },
                    body: records.arena.append(work.body.bytes)))
        case (.author, let key?):
            records.counts.authors += 1
            records.authors.append(
                .init(
                    number: key.number, revision: record.revision,
                    body: records.arena.append(author.body.bytes)))
        case (.redirect, let key?), (.delete, let key?): append(move: key, record, &records)
        case (.entity, _), (.wikidataRow, _):
            records.holdsWikidata = true
            appendPeople(&records)
        default: records.counts.others += 1
        }
        return .record
    }

    /// Adds the counts of the record readers.
    func finish(_ records: inout DumpRecords) {
        records.counts.cutValues = edition.text.cuts + work.text.cuts + author.text.cuts
    }

    /// Reads a record's JSON; nil if it is valid.
    private mutating func read(_ record: DumpRecord) -> JSONReadError? {
        do throws(JSONReadError) {
            switch (record.kind, record.key) {
            case (.edition, let key?): try edition.read(record.json, key: key)
            case (.work, let key?): try work.read(record.json, key: key)
            case (.author, let key?): try author.read(record.json, key: key)
            case (.redirect, _): target = try Self.redirectTarget(record.json)
            case (.entity, _):
                guard record.json.last == UInt8(ascii: "}") else {
                    throw JSONReadError(.truncated, at: record.json.count)
                }
                people = AuthorMarkers.isOn(record.json) ? try Self.people(record.json) : []
            case (.wikidataRow, _):
                record.unquote(into: &unquoted)
                people = try unquoted.lend { json throws(JSONReadError) in try Self.people(json) }
            default: break
            }
            return nil
        } catch {
            return error
        }
    }

    // MARK: Appending

    private mutating func append(
        edition key: OpenLibraryKey, _ revision: Int64, _ records: inout DumpRecords
    ) {
        records.counts.editions += 1
        records.counts.wrongISBNs += edition.wrongISBNs
        records.counts.surplusISBNs += edition.surplusISBNs
        let first = records.isbns.count
        if edition.isbns.isEmpty { records.counts.editionsWithoutISBN += 1 }
        records.isbns.append(contentsOf: edition.isbns)
        let isFound = !edition.isbns.isEmpty || edition.hasIdentifiers
        records.editions.append(
            .init(
                number: key.number, revision: revision, work: edition.work, title: edition.title,
                isbns: first..<records.isbns.count,
                authors: records.arena.append { NumberList.pack(edition.authors, onto: &$0) },
                body: isFound ? records.arena.append(edition.body.bytes) : .none,
                standIn: isFound ? records.arena.append(edition.standIn.bytes) : .none))
    }

    private mutating func append(move key: OpenLibraryKey, _ record: DumpRecord, _ records: inout DumpRecords)
    {
        if record.kind == .redirect { records.counts.redirects += 1 } else { records.counts.deletes += 1 }
        let leadsOn = record.kind == .redirect && target?.kind == key.kind
        records.moves.append(
            .init(
                kind: key.kind, number: key.number, revision: record.revision,
                target: leadsOn ? target?.number ?? 0 : 0))
    }

    private func appendPeople(_ records: inout DumpRecords) {
        if people.isEmpty { records.counts.others += 1 }
        records.counts.people += people.count
        for person in people {
            records.people.append(
                .init(item: Int64(person.item), body: records.arena.append(person.packed)))
        }
    }

    // MARK: Reading

    /// People in a line: one entity, or a response with several.
    private static func people(_ json: UnsafeRawBufferPointer) throws(JSONReadError) -> [PersonFacts] {
        let people =
            if let person = try WikidataEntity.person(json) { [person] } else {
                try WikidataEntity.people(json)
            }
        return people.filter(\.isPerson)
    }

    /// The `location` of a redirect.
    private static func redirectTarget(_ json: UnsafeRawBufferPointer) throws(JSONReadError)
        -> OpenLibraryKey?
    {
        var target: OpenLibraryKey?
        var reader = JSONReader(json)
        try reader.forEachKey { name, reader throws(JSONReadError) in
            if name == "location" { target = try reader.stringIfAny()?.openLibraryKey }
        }
        try reader.finish()
        return target
    }
}

/// A list of numbers, packed as LEB128. Records store the keys of their authors like this.
enum NumberList {
    /// Appends numbers. They must not be negative.
    static func pack(_ numbers: [Int64], onto bytes: inout [UInt8]) {
        for number in numbers { Varint.append(UInt64(bitPattern: number), to: &bytes) }
    }

    /// - Returns: The numbers up to the end, or up to one that is truncated or too long.
    static func unpack(_ bytes: UnsafeRawBufferPointer) -> [Int64] {
        var numbers: [Int64] = []
        var offset = 0
        while let number = Varint.take(bytes, at: &offset) { numbers.append(Int64(number)) }
        return numbers
    }
}

import Books
import Bytes
package import Syntax

/// Parses people from Wikidata's JSON: a line of the dump, a response of `wbgetentities` or
/// `Special:EntityData`, an item of the REST API (v1).
///
/// Statements of preferred rank take priority over normal ones; deprecated ones never count. Unknown values
/// (`somevalue`, `novalue`) are ignored.
package enum WikidataEntity {
    /// The person of a document with one item.
    ///
    /// - Parameter line: The item's JSON. A line of a dump can end with a comma.
    /// - Returns: Nil for a blank line, a dump's `[` and `]`, and documents that are not items (such as
    ///   properties).
    package static func person(_ line: UnsafeRawBufferPointer) throws(JSONReadError) -> PersonFacts? {
        let line = trimmed(line)
        guard line.count > 1 else { return nil }
        var reader = JSONReader(line)
        let facts = try EntityReader.read(&reader)
        try reader.finish()
        return facts
    }

    /// The people of a response with several items under `entities`, or of a document with one item.
    package static func people(_ document: UnsafeRawBufferPointer) throws(JSONReadError) -> [PersonFacts] {
        var people: [PersonFacts] = []
        var holdsEntities = false
        var reader = JSONReader(document)
        try reader.forEachKey { key, reader throws(JSONReadError) in
            guard key == "entities", try reader.peek() == .object else { return }
            holdsEntities = true
            try reader.forEachKey { _, reader throws(JSONReadError) in
                if let person = try EntityReader.read(&reader) { people.append(person) }
            }
        }
        try reader.finish()
        if !holdsEntities, let person = try person(document) { people.append(person) }
        return people
    }

    /// The line without surrounding blanks and without the dump's final comma.
    private static func trimmed(_ line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        var end = line.count
        while end > 0, line[end - 1] <= 0x20 { end -= 1 }
        if end > 0, line[end - 1] == UInt8(ascii: ",") { end -= 1 }
        var start = 0
        while start < end, line[start] <= 0x20 { start += 1 }
        return UnsafeRawBufferPointer(rebasing: line[start..<end])
    }
}

/// Parses one item, in the form of the dumps (`claims`) or of the REST API (`statements`).
private struct EntityReader {
    private var facts = PersonFacts(item: 0, kind: .other)
    private var names = WikidataNames()

    static func read(_ reader: inout JSONReader) throws(JSONReadError) -> PersonFacts? {
        var entity = EntityReader()
        var item: UInt32?
        try reader.forEachKey { key, reader throws(JSONReadError) in
            switch key {
            case "id": item = try reader.stringIfAny().flatMap(WikidataStatement.itemNumber)
            case "labels": try entity.names.readLabels(&reader)
            case "aliases": try entity.names.readAliases(&reader)
            case "claims", "statements": try entity.readStatements(&reader)
            default: break
            }
        }
        guard let item else { return nil }
        entity.facts.item = item
        entity.facts.label = entity.names.label
        entity.facts.aliases = entity.names.aliases
        return entity.facts
    }

    private mutating func readStatements(_ reader: inout JSONReader) throws(JSONReadError) {
        // Some dumps write an empty map as `[]`.
        guard try reader.peek() == .object else { return }
        try reader.forEachKey { property, reader throws(JSONReadError) in
            switch property {
            case "P31": facts.kind = Self.kind(try WikidataStatement.read(&reader))
            case "P21": facts.gender = Self.gender(try WikidataStatement.read(&reader))
            case "P27": facts.citizenships = Self.citizenships(try WikidataStatement.read(&reader))
            case "P172":
                facts.isIndigenous = try WikidataStatement.read(&reader).best.items.contains(
                    where: PersonItems.isIndigenous)
            case "P569": facts.birthYear = Self.year(try WikidataStatement.read(&reader))
            case "P570": facts.deathYear = Self.year(try WikidataStatement.read(&reader))
            case "P648":
                facts.openLibraryKeys = try WikidataStatement.read(&reader).texts.filter { $0.hasSuffix("A") }
            case "P214": facts.viaf = try WikidataStatement.read(&reader).texts
            case "P213":
                facts.isni = try WikidataStatement.read(&reader).texts.map { $0.filter { $0 != " " } }
            case "P800": facts.works = try WikidataStatement.read(&reader).best.items
            case "P2963": facts.goodreads = try WikidataStatement.read(&reader).texts
            default: break
            }
        }
    }

    private static func kind(_ statements: [WikidataStatement]) -> PersonFacts.Kind {
        let items = statements.best.items
        if items.contains(5) { return .human }
        // Pseudonym and collective pseudonym.
        return items.contains(61002) || items.contains(16_017_119) ? .pseudonym : .other
    }

    /// If there are several values of the best rank: non-binary if it is among them, otherwise the shared
    /// one, otherwise `other`.
    private static func gender(_ statements: [WikidataStatement]) -> AuthorGender {
        let genders = Set(statements.best.items.map(PersonItems.gender))
        if genders.contains(.nonBinary) { return .nonBinary }
        return genders.count > 1 ? .other : genders.first ?? .unknown
    }

    /// Those of preferred rank, otherwise those without an end date, otherwise all.
    private static func citizenships(_ statements: [WikidataStatement]) -> [UInt32] {
        let best = statements.best
        let current = best.contains { $0.rank == .preferred } ? best : best.filter { !$0.hasEnded }
        let items = (current.items.isEmpty ? best : current).items
        var seen: Set<UInt32> = []
        return items.filter { seen.insert($0).inserted }
    }

    /// The year of the most precise value, if that is at least a year. Nil if equally precise values differ.
    private static func year(_ statements: [WikidataStatement]) -> Int32? {
        let dates = statements.best.compactMap(\.date)
        let precision = dates.map(\.precision).max() ?? 0
        let years = Set(dates.filter { $0.precision == precision }.map(\.year))
        return precision >= WikidataDate.yearPrecision && years.count == 1 ? years.first : nil
    }
}

/// A Wikidata date, reduced to year and precision.
struct WikidataDate: Hashable {
    /// 9 is a year, 10 a month, 11 a day; lower values are a decade or less precise.
    static let yearPrecision = 9

    /// Negative before the common era; there is no year 0.
    var year: Int32
    var precision: Int

    /// The year of `+1952-03-11T00:00:00Z`, `-0044-03-15T00:00:00Z`; nil if there is none.
    static func year(_ time: UnsafeRawBufferPointer) -> Int32? {
        guard let sign = time.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else {
            return nil
        }
        let digits = time.dropFirst().prefix(while: \.isDigit)
        guard let year = TableLine.number(UnsafeRawBufferPointer(rebasing: digits)), year > 0 else {
            return nil
        }
        return sign == UInt8(ascii: "-") ? -Int32(year) : Int32(year)
    }
}

/// The names of an item. Since 2024, a label can exist only for all languages (`mul`).
struct WikidataNames {
    /// Maximum number of other names per person.
    private static let maxAliases = 64

    private var english = ""
    private var multilingual = ""
    private var latin = ""
    private var others: [String] = []

    var label: String { !english.isEmpty ? english : !multilingual.isEmpty ? multilingual : latin }

    /// Other names, without the label and without duplicates.
    var aliases: [String] {
        var seen: Set<String> = [label, ""]
        return ([multilingual] + others).filter { seen.insert($0).inserted }
    }

    /// Parses `labels`: an object per language, or a string (REST).
    mutating func readLabels(_ reader: inout JSONReader) throws(JSONReadError) {
        guard try reader.peek() == .object else { return }
        try reader.forEachKey { language, reader throws(JSONReadError) in
            if language == "en" {
                english = try Self.name(&reader)
            } else if language == "mul" {
                multilingual = try Self.name(&reader)
            } else if latin.isEmpty {
                let name = try Self.name(&reader)
                if Self.isLatin(name) { latin = name }
            }
        }
    }

    /// Parses `aliases`: a list per language, of objects or of strings.
    mutating func readAliases(_ reader: inout JSONReader) throws(JSONReadError) {
        guard try reader.peek() == .object else { return }
        try reader.forEachKey { language, reader throws(JSONReadError) in
            guard language == "en" || language == "mul", try reader.peek() == .array else { return }
            try reader.forEachElement { reader throws(JSONReadError) in
                if others.count < Self.maxAliases { others.append(try Self.name(&reader)) }
            }
        }
    }

    private static func name(_ reader: inout JSONReader) throws(JSONReadError) -> String {
        guard try reader.peek() == .object else { return try reader.stringIfAny()?.string ?? "" }
        var name = ""
        try reader.forEachKey { key, reader throws(JSONReadError) in
            if key == "value" { name = try reader.stringIfAny()?.string ?? "" }
        }
        return name
    }

    private static func isLatin(_ name: String) -> Bool {
        name.unicodeScalars.allSatisfy { scalar in
            scalar.value < 0x250 || (0x1E00...0x1EFF).contains(scalar.value)
                || (0x2000...0x206F).contains(scalar.value)
        }
    }
}

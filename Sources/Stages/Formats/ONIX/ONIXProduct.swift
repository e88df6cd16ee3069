import Books
import Bytes
import Syntax

/// Decodes one product of ONIX 2.1 or 3.0 into columns (EDItEUR, ONIX for Books Product Information Message).
///
/// A composite collects its data elements until it ends, and is interpreted then, because its elements may
/// come in any order. The two versions need no distinction: their names do not conflict.
struct ONIXProduct {
    private var row = CellRow<ONIXColumn>()
    /// Names of the open elements, the product's first.
    private var path: [String] = []
    private var text: [UInt8] = []
    /// The open composites, the innermost last.
    private var open: [Composite] = []
    private var people: [(sequence: Int, name: [UInt8], role: String)] = []
    private var subjects = UniqueTexts(atMost: UniqueTexts.maxHeadings)
    private var keywords: [UInt8] = []
    private var identifiers: [UInt8] = []
    private var titles = ONIXTitles()

    /// A composite and its data elements, the first of each name.
    private struct Composite {
        let name: String
        var values: [String: [UInt8]] = [:]
        /// Codes of a contributor's roles.
        var roles: [String] = []
    }

    /// Decodes a document that contains one product, and appends its cells.
    ///
    /// - Throws: `XMLFault` if the document is not well-formed.
    mutating func decode(
        _ document: UnsafeRawBufferPointer, in arena: inout Arena, to cells: inout [Text]
    ) throws(XMLFault) -> Range<Int> {
        clear()
        let reader = try XMLReader(document)
        while let node = try reader.next() {
            switch node {
            case .start:
                begin(ONIXTag.reference(reader.localName))
                if reader.isEmptyElement { end(&arena) }
            case .end: end(&arena)
            case .text: reader.withText { text.append(contentsOf: $0) }
            case .entity: throw XMLFault("The XML uses an unsupported entity.", line: reader.line)
            case .other: break
            }
        }
        finish(&arena)
        return row.append(to: &cells)
    }

    private mutating func clear() {
        row.clear()
        path.removeAll(keepingCapacity: true)
        open.removeAll(keepingCapacity: true)
        people.removeAll(keepingCapacity: true)
        subjects.removeAll()
        keywords.removeAll(keepingCapacity: true)
        titles = ONIXTitles()
        identifiers.removeAll(keepingCapacity: true)
    }

    private mutating func begin(_ name: String) {
        path.append(name)
        if Self.composites.contains(name) { open.append(Composite(name: name)) }
        // Markup within a description is not ONIX; the text of the description continues.
        if !path.dropLast().contains("text") { text.removeAll(keepingCapacity: true) }
    }

    private mutating func end(_ arena: inout Arena) {
        guard let name = path.popLast() else { return }
        if Self.composites.contains(name) {
            if let composite = open.popLast() { endComposite(composite, &arena) }
            return
        }
        guard !path.contains("text"), !text.isEmpty else { return }
        // Contained and related products are other books.
        guard !path.contains(where: { Self.others.contains($0) }) else { return }
        if let last = open.indices.last, open[last].name == path.last {
            if name == "contributorrole" { open[last].roles.append(String(decoding: text, as: UTF8.self)) }
            if open[last].values[name] == nil { open[last].values[name] = text }
        }
        endElement(name, &arena)
        text.removeAll(keepingCapacity: true)
    }

    /// Reads a data element outside of composites.
    private mutating func endElement(_ name: String, _ arena: inout Arena) {
        switch name {
        case "recordreference": set(.recordReference, text, &arena)
        case "notificationtype": set(.notification, text, &arena)
        case "isbn": set(.isbn10, text, &arena)
        case "ean13": set(.isbn13, text, &arena)
        case "productform":
            set(.binding, Array(ONIXForm.words(String(decoding: text, as: UTF8.self)).utf8), &arena)
        case "productformdetail":
            // List 175: B101 is the rack-sized paperback.
            if text.elementsEqual("B101".utf8) { row[.binding] = arena.append("Mass Market Paperback") }
        case "distinctivetitle": titles.offer(text, type: "01")
        case "titleofset": titles.offerSet(text)
        case "basicmainsubject": addSubject(code: text, scheme: "10", &arena)
        case "bicmainsubject": addSubject(code: text, scheme: "12", &arena)
        case "languageoftext": set(.language, text, &arena)
        case "numberofpages": set(.pages, text, &arena)
        case "publicationdate": set(.date, Self.date(text), &arena)
        case "yearfirstpublished": set(.firstDate, text, &arena)
        case "editionstatement": set(.edition, text, &arena)
        case "imprintname": set(.imprint, text, &arena)
        default: break
        }
    }

    private mutating func endComposite(_ composite: Composite, _ arena: inout Arena) {
        let name = composite.name
        let value = { (element: String) in composite.values[element] ?? [] }
        let code = { (element: String) in String(decoding: value(element), as: UTF8.self) }
        switch name {
        case "productidentifier":
            switch code("productidtype") {
            case "15", "03": set(.isbn13, value("idvalue"), &arena)
            case "02": set(.isbn10, value("idvalue"), &arena)
            case let type where !type.isEmpty:
                if !identifiers.isEmpty { identifiers += Array("; ".utf8) }
                identifiers += Array("\(type)=".utf8) + value("idvalue")
            default: break
            }
        case "titleelement", "title":
            let title = ONIXTitles.text(value("titletext"), value("titleprefix"), value("titlewithoutprefix"))
            let isCollection = path.contains("collection") || path.contains("series")
            // Level 01 is the product's own title, 02 that of its collection (List 149).
            if isCollection || code("titleelementlevel") == "02" {
                set(.series, title, &arena)
                set(.seriesNumber, value("partnumber"), &arena)
            }
            if !isCollection {
                titles.offer(
                    title, subtitle: value("subtitle"), part: value("partnumber"),
                    level: code("titleelementlevel"), type: name == "title" ? code("titletype") : titleType)
            }
        case "titledetail" where !path.contains("collection"):
            titles.offer(statement: value("titlestatement"), type: code("titletype"))
        case "collectionsequence": set(.seriesNumber, value("collectionsequencenumber"), &arena)
        case "series":
            set(.series, value("titleofseries"), &arena)
            set(.seriesNumber, value("numberwithinseries"), &arena)
        case "contributor":
            addPeople(value, role: ONIXForm.role(composite.roles), sequence: Int(code("sequencenumber")))
        case "language":
            switch code("languagerole") {
            case "", "01": set(.language, value("languagecode"), &arena)
            case "02": set(.originalLanguage, value("languagecode"), &arena)
            default: break
            }
        case "extent":
            // List 23: main content, its pages, all pages, content as printed.
            if ["00", "05", "06", "07", "08", "11"].contains(code("extenttype")) {
                set(.pages, value("extentvalue"), &arena)
            }
        case "subject", "mainsubject":
            let scheme = code(name == "subject" ? "subjectschemeidentifier" : "mainsubjectschemeidentifier")
            let heading = value("subjectheadingtext")
            if scheme == "20" {
                // Keywords: the publisher's search terms.
                if !keywords.isEmpty, !heading.isEmpty { keywords += Array("; ".utf8) }
                keywords += heading
            } else if heading.isEmpty {
                addSubject(code: value("subjectcode"), scheme: scheme, &arena)
            } else if !subjects.isFull {
                _ = subjects.add(arena.append(heading), in: arena)
            }
        case "publisher":
            if ["", "01"].contains(code("publishingrole")) {
                set(.publisher, value("publishername"), &arena)
            }
        case "publishingdate":
            switch code("publishingdaterole") {
            case "01": set(.date, Self.date(value("date")), &arena)
            // List 163: the first publication in this language, and in the original one.
            case "11": set(.firstDate, Self.date(value("date")), &arena)
            case "20" where !value("date").isEmpty:
                row[.firstDate] = .none
                set(.firstDate, Self.date(value("date")), &arena)
            default: break
            }
        case "textcontent", "othertext":
            if ["01", "02", "03"].contains(code("texttype") + code("texttypecode")) {
                set(.description, value("text"), &arena)
            }
        default: break
        }
    }

    /// The title type of the current title element. It precedes the element in `TitleDetail`.
    private var titleType: String {
        let detail = open.last { $0.name == "titledetail" }
        return String(decoding: detail?.values["titletype"] ?? [], as: UTF8.self)
    }

    private mutating func addPeople(_ value: (String) -> [UInt8], role: String, sequence: Int?) {
        let sequence = sequence ?? people.count + 1
        // One more than is kept, so that too many are noticed.
        for person in ONIXName.people(value) where people.count <= LibraryRows.maxPeople {
            // A bar separates names in their cell.
            let name = person.name.utf8.map { $0 == UInt8(ascii: "|") ? 0x20 : $0 }
            people.append((sequence, name, person.role.map { String(describing: $0) } ?? role))
        }
    }

    /// Adds the words for a code of a subject scheme, if they are known.
    private mutating func addSubject(code: [UInt8], scheme: String, _ arena: inout Arena) {
        guard !subjects.isFull,
            let words = SubjectCodes.words(for: String(decoding: code, as: UTF8.self), scheme: scheme)
        else { return }
        _ = subjects.add(arena.append(words), in: arena)
    }

    /// Fills the columns that combine several elements.
    private mutating func finish(_ arena: inout Arena) {
        // By sequence number, then by the order in the file.
        let ordered = people.enumerated()
            .sorted { ($0.element.sequence, $0.offset) < ($1.element.sequence, $1.offset) }.map(\.element)
        let bar = [UInt8(ascii: "|")]
        set(.people, Array(ordered.map(\.name).joined(separator: bar)), &arena)
        set(.roles, Array(ordered.map(\.role).joined(separator: "|").utf8), &arena)
        row[.subjects] = arena.collapsingBlanks(arena.joined(subjects.texts, separator: "; "))
        set(.otherIdentifiers, identifiers, &arena)
        set(.title, titles.best, &arena)
        set(.originalTitle, titles.original, &arena)
        set(.keywords, keywords, &arena)
    }

    /// Fills a column that is still empty.
    private mutating func set(_ column: ONIXColumn, _ value: [UInt8], _ arena: inout Arena) {
        guard row[column].isEmpty, !value.isEmpty else { return }
        row[column] = arena.collapsingBlanks(arena.append(value))
    }

    /// `20200131` becomes `2020-01-31`, and `202001` becomes `2020-01`.
    private static func date(_ digits: [UInt8]) -> [UInt8] {
        guard digits.count >= 6, digits.prefix(8).allSatisfy(\.isDigit) else { return digits }
        let hyphen = [UInt8(ascii: "-")]
        let month = digits[..<4] + hyphen + digits[4..<6]
        return Array(digits.count >= 8 ? month + hyphen + digits[6..<8] : month)
    }

    private static let composites: Set = [
        "productidentifier", "titledetail", "titleelement", "title", "collection", "collectionsequence",
        "series",
        "contributor",
        "language", "extent", "subject", "mainsubject", "publisher", "publishingdate", "textcontent",
        "othertext",
        "productpart", "relatedproduct", "containeditem", "contentitem", "relatedwork",
    ]

    /// Composites that describe other products.
    private static let others: Set = [
        "productpart", "relatedproduct", "containeditem", "contentitem", "relatedwork",
    ]
}

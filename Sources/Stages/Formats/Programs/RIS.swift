import Books
import Syntax

/// RIS, which Zotero, EndNote, Mendeley and library catalogs write: a tag and a value on each line.
package struct RIS: ReferenceFormat {
    package let name = "ris"

    package init() {}

    package func evidence(in head: [UInt8]) -> String? {
        let start = head.prefix(512).drop { $0 <= 0x20 || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }
        guard start.starts(with: "TY  - ".utf8) || start.starts(with: "TY - ".utf8) else { return nil }
        return "It begins with the tag TY of RIS."
    }

    let framing = RISFraming()

    /// Types of records that are no books.
    let otherKinds: Set<String> = [
        "ABST", "ADVS", "ART", "BILL", "BLOG", "CASE", "CHAP", "CHART", "COMP", "CPAPER", "DATA", "DBASE",
        "ECHAP", "EJOUR", "ELEC", "EQUA", "FIGURE", "GRANT", "HEAR", "ICOMM", "INPR", "JFULL", "JOUR",
        "LEGAL", "MAP", "MGZN", "MPCT", "MULTI", "MUSIC", "NEWS", "PAT", "PCOMM", "PODCAST", "SLIDE",
        "SOUND", "STAND", "STAT", "UNBILL", "VIDEO", "WEB",
    ]

    func record(_ text: String, _ abbreviations: [String: String]) -> ReferenceRecord? {
        var record = ReferenceRecord()
        for (tag, value) in RISLine.fields(of: text) {
            switch tag {
            case "TY": record.add(.kind, value)
            case "ID": record.add(.key, value)
            case "TI", "T1", "BT", "CT": record.add(.title, value)
            case "AU", "A1": record.addPerson(value, .author)
            // A3 is the editor of a series.
            case "A2", "A3", "ED": record.addPerson(value, .editor)
            case "A4": record.addPerson(value, .translator)
            // The day is more than the year, which comes first or last.
            case "DA": record.day = value
            case "PY", "Y1": record.add(.date, value)
            case "OP": record.add(.originalYear, value)
            case "PB": record.add(.publisher, value)
            case "SN": record.add(.isbn, value, separator: "; ")
            case "SP": record.add(.pages, value)
            case "LA": record.add(.language, value)
            case "T3", "T2", "JF": record.add(.series, value)
            case "M1", "VL": record.add(.seriesNumber, value)
            case "KW": record.add(.keywords, value, separator: ", ")
            case "N1": record.add(.notes, value, separator: "\n")
            case "RN": record.add(.review, value, separator: "\n")
            case "AB", "N2": record.add(.summary, value)
            case "CY": record.add(.place, value)
            case "UR": record.add(.address, value)
            case "DO": record.add(.identifier, value)
            default: break
            }
        }
        record.takeDay()
        return record
    }
}

/// A tag and a value on each line.
extension RIS {
    static let layout = ReferenceLayout(
        "ris", "RIS", fields: ReferenceLayout.commonFields, frame: ("", "", "")
    ) { entry, key, losses in
        ReferenceLayout.noteRoles(of: entry, except: [.translator, .editor], &losses)
        ReferenceLayout.noteSeries(of: entry, &losses)
        var text = ""
        func add(_ tag: String, _ value: String) {
            let line = value.split(whereSeparator: \.isNewline).joined(separator: " ")
            if !line.isEmpty { text += "\(tag)  - \(line)\r\n" }
        }
        add("TY", "BOOK")
        add("ID", key)
        add("TI", entry[.title])
        for name in entry.authors { add("AU", LayoutText.inverted(name)) }
        for person in entry.helpers where person.role == .editor {
            add("A2", LayoutText.inverted(person.name))
        }
        for person in entry.helpers where person.role == .translator {
            add("A4", LayoutText.inverted(person.name))
        }
        add("PY", LayoutText.year(entry[.publishedDate]))
        if entry[.publishedDate].dropFirst().contains("-") {
            add("DA", entry[.publishedDate].replacing("-", with: "/"))
        }
        add("OP", entry[.firstPublicationYear])
        add("PB", entry[.publisher])
        add("SN", entry[.isbn])
        add("SP", entry[.pageCount])
        add("LA", entry[.language])
        add("T3", entry.series.first?.name ?? "")
        add("M1", entry.series.first?.number ?? "")
        for keyword in ReferenceLayout.keywords(of: entry, &losses) { add("KW", keyword) }
        add("N1", ReferenceLayout.line(.notes, of: entry, &losses))
        add("RN", ReferenceLayout.line(.review, of: entry, &losses))
        return text + "ER  - \r\n"
    }
}

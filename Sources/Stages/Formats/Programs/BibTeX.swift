import Books
import Syntax

/// BibTeX and biblatex, as reference managers and LaTeX users have it.
package struct BibTeX: ReferenceFormat {
    package let name = "bibtex"

    package init() {}

    package func evidence(in head: [UInt8]) -> String? {
        let start = head.prefix(4_096).drop { $0 <= 0x20 || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }
        guard start.first == UInt8(ascii: "@") || start.first == UInt8(ascii: "%") else { return nil }
        let text = String(decoding: start, as: UTF8.self)
        let hasEntry = text.split(whereSeparator: \.isNewline).contains { line in
            let type = line.dropFirst().prefix { $0.isLetter }
            return line.first == "@" && !type.isEmpty && line.dropFirst(type.count + 1).first == "{"
        }
        return hasEntry ? "It has an entry of BibTeX." : nil
    }

    let framing = BibTeXFraming()

    /// Types of entries that are no books.
    let otherKinds: Set<String> = [
        "article", "artwork", "audio", "conference", "dataset", "image", "inbook", "incollection",
        "inproceedings",
        "movie", "music", "online", "patent", "periodical", "software", "suppperiodical", "unpublished",
        "video", "www",
    ]

    /// Abbreviations are defined before they are used, usually at the beginning of a file.
    func abbreviations(in head: [UInt8]) -> [String: String] {
        BibTeXEntry.abbreviations(in: String(decoding: head, as: UTF8.self))
    }

    func record(_ text: String, _ abbreviations: [String: String]) -> ReferenceRecord? {
        guard let entry = BibTeXEntry(text, abbreviations: abbreviations) else { return nil }
        func value(_ names: String...) -> String {
            names.lazy.compactMap { entry.fields[$0] }.first.map(TeXText.plain) ?? ""
        }
        var record = ReferenceRecord()
        record.add(.kind, entry.type)
        record.add(.key, entry.key)
        let (title, subtitle) = (value("title"), value("subtitle"))
        record.add(.title, subtitle.isEmpty ? title : "\(title): \(subtitle)")
        for (field, role) in [
            ("author", ContributorRole.author), ("editor", .editor), ("translator", .translator),
        ] {
            for name in Self.names(in: entry.fields[field] ?? "") {
                // Braces keep the name of an organization together.
                let isWhole = name.first == "{" && name.last == "}"
                record.addPerson(TeXText.plain(name), role, isWhole: isWhole)
            }
        }
        record.add(.isbn, value("isbn"))
        record.add(.publisher, value("publisher"))
        var day = ["year", "month", "day"].map { value($0) }
        if let month = Array(day[1].utf8).withUnsafeBytes({ MonthNames.month($0) }) { day[1] = String(month) }
        let isDay = day.dropFirst().allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isNumber) }
        record.add(.date, isDay ? day.map { $0.count == 1 ? "0\($0)" : $0 }.joined(separator: "-") : "")
        record.add(.date, value("date", "year"))
        record.add(.originalYear, value("origdate"))
        record.add(.pages, value("pagetotal", "numpages"))
        record.add(.language, value("language", "langid"))
        record.add(.originalLanguage, value("origlanguage"))
        record.add(.series, value("series"))
        record.add(.seriesNumber, value("number", "volume"))
        record.add(.keywords, value("keywords"))
        record.add(.notes, value("note"))
        record.add(.review, value("annote", "annotation"))
        record.add(.summary, value("abstract"))
        record.add(.place, value("address", "location"))
        record.add(.address, value("url"))
        record.add(.identifier, value("doi"))
        return record
    }

    /// The names of a list, which `and` separates outside of braces.
    private static func names(in list: String) -> [String] {
        var names: [String] = []
        var (name, depth) = ("", 0)
        let words = list.split(whereSeparator: \.isWhitespace)
        for word in words {
            if depth == 0, word == "and" {
                names.append(name)
                name = ""
                continue
            }
            depth += word.count { $0 == "{" } - word.count { $0 == "}" }
            name += name.isEmpty ? String(word) : " \(word)"
        }
        return (names + [name]).filter { !$0.isEmpty && $0 != "others" }
    }
}

/// BibTeX, with the fields that biblatex adds. Names have the family name first.
extension BibTeX {
    static let layout = ReferenceLayout(
        "bibtex", "BibTeX", fields: ReferenceLayout.commonFields.union([.originalLanguage]),
        frame: ("", "\n", "")
    ) { entry, key, losses in
        ReferenceLayout.noteRoles(of: entry, except: [.translator, .editor], &losses)
        ReferenceLayout.noteSeries(of: entry, &losses)
        var lines: [String] = []
        func add(_ field: String, _ text: String) {
            if !text.isEmpty { lines.append("  \(field) = {\(text)}") }
        }
        // A second pair of braces keeps capitals.
        add("title", entry[.title].isEmpty ? "" : "{\(escaped(entry[.title]))}")
        add("author", names(entry.authors))
        add("editor", names(entry.helpers.filter { $0.role == .editor }.map(\.name)))
        add("translator", names(entry.helpers.filter { $0.role == .translator }.map(\.name)))
        add("publisher", escaped(entry[.publisher]))
        let date = entry[.publishedDate].split(separator: "-", omittingEmptySubsequences: false)
        add("year", LayoutText.year(entry[.publishedDate]))
        if date.count > 1, !entry[.publishedDate].hasPrefix("-") { add("month", number(date[1])) }
        if date.count > 2, !entry[.publishedDate].hasPrefix("-") { add("day", number(date[2])) }
        add("origdate", entry[.firstPublicationYear])
        add("series", escaped(entry.series.first?.name ?? ""))
        add("number", escaped(entry.series.first?.number ?? ""))
        add("isbn", entry[.isbn])
        add("pagetotal", entry[.pageCount])
        add("language", entry[.language])
        add("origlanguage", entry[.originalLanguage])
        add("keywords", ReferenceLayout.keywords(of: entry, &losses).map(escaped).joined(separator: ", "))
        add("annote", escaped(ReferenceLayout.line(.review, of: entry, &losses)))
        add("note", escaped(ReferenceLayout.line(.notes, of: entry, &losses)))
        return "@book{\(key),\n\(lines.joined(separator: ",\n"))\n}\n"
    }

    private static func number(_ digits: Substring) -> String { Int(digits).map(String.init) ?? "" }

    /// A name that would be taken apart is in braces.
    private static func names(_ names: [String]) -> String {
        names.map { name in
            let (family, given) = LayoutText.familyFirst(name)
            if given.isEmpty || " \(name) ".contains(" and ") { return "{\(escaped(name))}" }
            return "\(escaped(family)), \(escaped(given))"
        }.joined(separator: " and ")
    }

    /// Text in which TeX finds no commands, and all braces are pairs.
    private static func escaped(_ text: String) -> String {
        var out = ""
        for character in text {
            switch character {
            case "\\": out += "\\textbackslash{}"
            case "{": out += "\\{"
            case "}": out += "\\}"
            case "~": out += "\\textasciitilde{}"
            case "^": out += "\\textasciicircum{}"
            case "&", "%", "$", "#", "_": out += "\\\(character)"
            case "\n", "\r\n", "\r": out += " "
            // Two of them are a dash or a quotation mark.
            case "-" where out.hasSuffix("-"), "`" where out.hasSuffix("`"), "'" where out.hasSuffix("'"):
                out += "{}\(character)"
            default: out.append(character)
            }
        }
        return out
    }
}

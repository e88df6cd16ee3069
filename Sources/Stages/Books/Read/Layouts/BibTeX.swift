/// BibTeX, with the fields that biblatex adds. Names have the family name first.
enum BibTeX {
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
        add("keywords", ReferenceLayout.keywords(of: entry).map(escaped).joined(separator: ", "))
        add("annote", escaped(entry[.review]))
        add("note", escaped(entry[.notes]))
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
            default: out.append(character)
            }
        }
        return out
    }
}

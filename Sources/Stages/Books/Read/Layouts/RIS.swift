/// RIS, which reference managers read: a tag and a value on each line.
enum RIS {
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
        for keyword in ReferenceLayout.keywords(of: entry) { add("KW", keyword) }
        add("N1", entry[.notes])
        add("RN", entry[.review])
        return text + "ER  - \r\n"
    }
}

/// The day of a dump in its file's name: `ol_dump_editions_2026-05-31.txt.gz`, `wikidata-20260105-all.json.gz`.
enum DumpDate {
    /// The first date in a name, as `2026-05-31`; nil where there is none.
    static func inName(_ name: String) -> String? {
        let file = name.split(separator: "/").last.map(String.init) ?? name
        for match in file.matches(of: #/(\d+)(?:-(\d+)-(\d+))?/#) {
            let (year, month, day): (Substring, Substring, Substring)
            if let found = match.2, let last = match.3 {
                (year, month, day) = (match.1.suffix(4), found, last.prefix(2))
            } else if match.1.count == 8 {
                (year, month, day) = (match.1.prefix(4), match.1.dropFirst(4).prefix(2), match.1.suffix(2))
            } else {
                continue
            }
            guard let years = Int(year), let months = Int(month), let days = Int(day),
                (1990...2199).contains(years), (1...12).contains(months), (1...31).contains(days)
            else { continue }
            return "\(year)-\(month)-\(day)"
        }
        return nil
    }
}

import Books

/// The names of an ONIX contributor.
enum ONIXName {
    /// The people in reading order, from the elements of a contributor. Some publishers put several people into one
    /// element.
    static func people(_ value: (String) -> [UInt8]) -> [PeopleCell.Named] {
        for (element, order) in [("personname", NameOrder.unknown), ("personnameinverted", .familyFirst)] {
            let name = value(element)
            guard !name.isEmpty else { continue }
            let found = PeopleCell(String(decoding: name, as: UTF8.self), order)
            // The row notes what names nobody.
            return found.people + found.leftOut.map { PeopleCell.Named(name: $0) }
        }
        let parts = ["namesbeforekey", "prefixtokey", "keynames", "namesafterkey", "suffixtokey"]
        let composed = parts.map(value).filter { !$0.isEmpty }.joined(separator: [0x20])
        let names = [
            value("keynames").isEmpty ? [] : Array(composed), value("corporatename"),
            value("corporatenameinverted"),
        ]
        return names.first { !$0.isEmpty }.map {
            [PeopleCell.Named(name: String(decoding: $0, as: UTF8.self))]
        } ?? []
    }
}

/// MARC records in ISO 2709, made for tests.
package enum MARCFixture {
    /// A field: its tag and its content, with `$` as the subfield delimiter.
    package typealias Field = (tag: String, value: String)

    package static let hyperion: [Field] = [
        ("001", "made-up-1"), ("008", "990101s1989    nyu           000 1 eng d"),
        ("020", "  $a0385249497 (pbk.) :$c$8.95"), ("020", "  $a9780385249492$q(paperback : alk. paper)"),
        ("100", "1 $aSimmons, Dan,$d1948-"), ("245", "10$aHyperion :$ba novel /$cDan Simmons."),
        ("260", "  $aNew York :$bDoubleday,$cc1989."), ("300", "  $axii, 481 p. ;$c24 cm."),
        ("490", "1 $aHyperion cantos ;$vv. 1"), ("650", " 0$aScience fiction."),
        ("650", " 0$aPilgrims$vFiction."),
        ("700", "1 $aDoe, Jane,$etranslator."), ("700", "1 $aKeats, John,$tHyperion."),
    ]

    /// The bytes of a record.
    ///
    /// - Parameters:
    ///   - leader: The leader without lengths: status, type, level, control, encoding.
    ///   - encode: Converts a field's text to bytes.
    package static func record(
        _ fields: [Field], leader: String = "nam a", encode: (String) -> [UInt8] = { Array($0.utf8) }
    ) -> [UInt8] {
        var directory: [UInt8] = []
        var data: [UInt8] = []
        for field in fields {
            let bytes = encode(field.value).map { $0 == UInt8(ascii: "$") ? 0x1F : $0 } + [0x1E]
            directory += Array(field.tag.utf8) + digits(bytes.count, 4) + digits(data.count, 5)
            data += bytes
        }
        let base = 24 + directory.count + 1
        let head = digits(base + data.count + 1, 5) + Array(leader.utf8) + Array("22".utf8) + digits(base, 5)
        return head + Array(" a 4500".utf8) + directory + [0x1E] + data + [0x1D]
    }

    private static func digits(_ number: Int, _ width: Int) -> [UInt8] {
        let digits = Array(String(number).utf8)
        return Array(repeating: UInt8(ascii: "0"), count: max(0, width - digits.count)) + digits
    }

    /// The same record as MARCXML.
    package static func xml(_ fields: [Field], prefix: String = "") -> String {
        var text = "<\(prefix)record><\(prefix)leader>00000nam a2200000 a 4500</\(prefix)leader>\n"
        for field in fields {
            guard field.tag >= "010" else {
                text += "<\(prefix)controlfield tag=\"\(field.tag)\">\(field.value)</\(prefix)controlfield>\n"
                continue
            }
            let parts = field.value.split(separator: "$", omittingEmptySubsequences: false)
            let indicators = Array(parts[0])
            text += "<\(prefix)datafield tag='\(field.tag)' ind1='\(indicators[0])' ind2='\(indicators[1])'>"
            for part in parts.dropFirst() where !part.isEmpty {
                let value = part.dropFirst().replacing("&", with: "&amp;")
                text += "<\(prefix)subfield code=\"\(part.prefix(1))\">\(value)</\(prefix)subfield>"
            }
            text += "</\(prefix)datafield>\n"
        }
        return text + "</\(prefix)record>"
    }

    /// The same record as MARC in JSON.
    package static func json(_ fields: [Field]) -> String {
        let members = fields.map { field in
            guard field.tag >= "010" else { return "{\"\(field.tag)\": \"\(field.value)\"}" }
            let parts = field.value.split(separator: "$", omittingEmptySubsequences: false)
            let indicators = Array(parts[0])
            let subfields = parts.dropFirst().filter { !$0.isEmpty }.map { part in
                let value = part.dropFirst().replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
                return "{\"\(part.prefix(1))\": \"\(value)\"}"
            }
            return """
                {"\(field.tag)": {"ind1": "\(indicators[0])", "ind2": "\(indicators[1])",
                "subfields": [\(subfields.joined(separator: ", "))]}}
                """
        }
        return """
            {"leader": "00000nam a2200000 a 4500", "fields": [\(members.joined(separator: ",\n"))]}
            """
    }
}

import Syntax

/// The names an item bears: since 2024 a label may exist for all languages (`mul`) alone.
struct WikidataNames {
    /// Other names kept of one person.
    private static let mostAliases = 64

    private var english = ""
    private var multilingual = ""
    private var latin = ""
    private var others: [String] = []

    var label: String { !english.isEmpty ? english : !multilingual.isEmpty ? multilingual : latin }

    /// Other names, without the label and without repeats.
    var aliases: [String] {
        var seen: Set<String> = [label, ""]
        return ([multilingual] + others).filter { seen.insert($0).inserted }
    }

    /// Reads `labels`: an object for each language, or a string (REST).
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

    /// Reads `aliases`: a list for each language, of objects or of strings.
    mutating func readAliases(_ reader: inout JSONReader) throws(JSONReadError) {
        guard try reader.peek() == .object else { return }
        try reader.forEachKey { language, reader throws(JSONReadError) in
            guard language == "en" || language == "mul", try reader.peek() == .array else { return }
            try reader.forEachElement { reader throws(JSONReadError) in
                if others.count < Self.mostAliases { others.append(try Self.name(&reader)) }
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

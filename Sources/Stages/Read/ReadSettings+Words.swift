package import Pipeline

/// What a reading was told, in words that are kept with its job: whoever resumes it need not say them again.
extension ReadSettings {
    /// A JSON object of strings; nil where nothing was told.
    package var told: String? {
        var words = text.words
        if let format { words.append(("format", format)) }
        if let map = columns.text { words.append(("map", map)) }
        if let path = mapping?.path { words.append(("mapping", path)) }
        if let limit { words.append(("limit", String(limit))) }
        guard !words.isEmpty else { return nil }
        var json = JSONWriter()
        json.object { json in
            for (key, word) in words {
                json.key(key)
                json.string(word)
            }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// Takes what an earlier run of the job was told. Words nobody understands any more are passed over.
    ///
    /// - Throws: `missing` or `configuration` for a mapping file that is gone or broken.
    package mutating func take(told: String?) throws(StageFailure) {
        for (key, word) in Self.words(told) {
            switch key {
            case "format": format = word
            case "map": columns = try ColumnChoice(parsing: word)
            case "mapping": mapping = try ColumnMapping(file: word)
            case "limit": limit = Int(word)
            default: _ = text.take(key, word)
            }
        }
    }

    private static func words(_ told: String?) -> [(key: String, word: String)] {
        var words: [(key: String, word: String)] = []
        let bytes = Array((told ?? "{}").utf8)
        bytes.withUnsafeBytes { bytes in
            var reader = JSONReader(bytes)
            do throws(JSONReadError) {
                try reader.forEachKey { key, reader throws(JSONReadError) in
                    words.append((key.string, try reader.string().string))
                }
            } catch {
                // Written by us; where it is damaged, what was understood stands.
                return
            }
        }
        return words
    }
}

package import Pipeline

/// What a reading was told, in words that are kept with its job: whoever goes on with it need not say them again.
extension ReadSettings {
    /// All that was told, each as the option of its name takes it.
    package var words: [(key: String, word: String)] {
        var words = text.words
        if let format { words.append(("format", format)) }
        if let map = columns.text { words.append(("map", map)) }
        if let path = mapping?.path { words.append(("mapping", path)) }
        if let toldDateOrder { words.append(("dates", toldDateOrder.rawValue)) }
        if let limit { words.append(("limit", String(limit))) }
        return words
    }

    /// Takes what an earlier run of the job was told, in place of all that is told now. Words nobody understands are
    /// passed over.
    ///
    /// - Throws: `missing` or `configuration` for a mapping file that is gone or broken.
    package mutating func take(words: [(key: String, word: String)]) throws(StageFailure) {
        (format, columns, mapping, toldDateOrder, limit) = (nil, ColumnOptions(), nil, nil, nil)
        text = TextOptions()
        for (key, word) in words {
            switch key {
            case "format": format = word
            case "map": columns = try ColumnOptions(parsing: word)
            case "mapping": mapping = try ColumnMapping(file: word)
            case "dates": toldDateOrder = DateOrder(rawValue: word)
            case "limit": limit = Int(word)
            default: _ = text.take(key, word)
            }
        }
    }
}

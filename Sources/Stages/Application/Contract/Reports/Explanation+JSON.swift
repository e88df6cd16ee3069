import Books
package import Syntax

/// The explanation for scripts. A value that a list field may have many of is an array, any other a string.
extension Explanation: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            if !remarks.isEmpty { out.field("remarks", remarks) }
            out.field("reject", reject)
            out.field("work", work)
            out.field("editions", editions)
            out.field("authors", authors)
            out.field("entries", entries)
            out.field("answers", answers)
            out.field("noAnswer", sentenceWithoutAnswers)
            out.field("records", records)
        }
    }
}

extension Explanation.Part: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("key", key)
            if !aliases.isEmpty { out.field("aliases", aliases) }
            out.field("providers", providers)
            out.field("quality", quality)
            out.field("reviewStatus", reviewStatus)
            out.field("fields", fields)
        }
    }
}

extension Explanation.FieldTrace: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("field", field.name)
            if field.isList || field == .authorName {
                out.field("values", values)
            } else {
                out.field("value", values.first)
            }
            out.field("from", source)
            out.field("rule", rule.map { String(describing: $0) })
            out.field("because", reason)
            if !lost.isEmpty { out.field("lost", lost) }
        }
    }
}

extension Explanation.Lost: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("from", source)
            out.field("values", values)
        }
    }
}

extension Explanation.Source: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in writeFields(into: &out) }
    }

    /// Writes the fields into an object that says more.
    func writeFields(into out: inout JSONWriter) {
        switch self {
        case .provider(let provider, let record, let match):
            out.field("provider", provider)
            out.field("record", record)
            out.field("match", match.name)
        case .row(let library, let profile, let sourceID):
            out.field("library", library)
            out.field("profile", profile)
            out.field("sourceId", sourceID)
        }
    }
}

extension Explanation.Person: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("author", author)
            out.field("role", String(describing: role))
            out.field("wikidata", wikidata)
            out.field("identification", String(describing: identification))
            out.field("because", identification.sentence)
            kept?.writeFields(into: &out)
        }
    }
}

extension Explanation.Entry: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("library", library)
            out.field("profile", profile)
            out.field("sourceId", sourceID)
            out.field("edition", edition)
            out.field("rating", rating)
            out.field("shelf", shelf)
            out.field("dateRead", dateRead)
        }
    }
}

extension Explanation.Answer: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("provider", provider)
            out.field("record", record)
            out.field("match", match.name)
            out.field("because", match.sentence)
            switch response {
            case .kept(let kept):
                out.field("kept", true)
                kept.writeFields(into: &out)
            case .replaced(let kept):
                out.field("kept", false)
                out.field("askedAgainAt", kept.moment)
            case .notKept: out.field("kept", false)
            case nil: break
            }
            if !catalogs.isEmpty { out.field("catalogs", catalogs) }
            out.field("origin", origin)
        }
    }
}

extension CachedSources.Found {
    /// Writes the fields into an object that says more.
    fileprivate func writeFields(into out: inout JSONWriter) {
        out.field("fetchedAt", moment)
        out.field("service", service)
        out.field("key", key)
    }
}

extension CatalogReference: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("path", path)
            out.field("builtAt", builtAt)
            if let dumps { out.field("dumps", dumps) }
        }
    }
}

extension Explanation.Visit: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("job", job)
            out.field("row", row)
            out.field("line", line)
            out.field("file", file)
            out.field("fate", fate.name)
            out.field("because", fate.sentence)
            out.field("matched", isEnriched)
            out.field("startedAt", Timestamp.withoutFraction(startedAt))
            out.field("endedAt", endedAt.map(Timestamp.withoutFraction))
            if !notices.isEmpty { out.field("notices", notices) }
        }
    }
}

extension Notice: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("code", code)
            out.field("field", field)
            out.field("value", value)
            out.field("message", message)
        }
    }
}

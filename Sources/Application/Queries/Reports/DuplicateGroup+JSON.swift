import Books
import Store
package import Syntax

/// The output of `etl duplicates --json` for one group.
extension DuplicateGroup {
    /// - Parameters:
    ///   - names: The name of the group of each member in the list that can be applied.
    ///   - decisions: Proposal for each member: `keep`, `join`, or empty for nothing.
    package func write(into out: inout JSONWriter, names: [String], decisions: [String]) {
        out.object { out in
            out.field("score", score)
            out.field("certain", isCertain)
            out.key("books")
            out.array { out in
                for (index, member) in members.enumerated() {
                    out.object { out in
                        Self.write(member, &out)
                        out.field("decision", decisions[index])
                        out.field("group", names[index])
                    }
                }
            }
        }
    }

    private static func write(_ member: Member, _ out: inout JSONWriter) {
        let (entry, match) = (member.entry, member.match)
        out.field("library", entry.name.library)
        out.field("sourceFormat", entry.name.formatName)
        out.field("sourceId", entry.name.sourceID)
        out.field("title", entry.title)
        out.field("authors", entry.authors)
        out.field("isbn13", entry.isbns.min())
        out.field("dateRead", entry.readings.finished.isEmpty ? nil : entry.readings.finished)
        out.field("rating", entry.rating)
        out.field("match", match?.relation.rawValue)
        out.field("score", match?.score)
        out.field("reading", match?.reading.rawValue)
        out.field("evidence", match?.evidence ?? [])
    }
}

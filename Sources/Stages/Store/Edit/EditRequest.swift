/// What the user wants to change in stored books.
package struct EditRequest: Sendable, Hashable {
    /// Action for a field.
    package enum Action: Sendable, Hashable {
        /// It gets a value, or the elements of a list, or becomes empty. Imports do not change it from then on.
        case set([String])
        /// Imports do not change it from then on.
        case lock
        /// Imports may change it again.
        case unlock
    }

    /// A field of a stored row, and what happens to it.
    package struct Change: Sendable, Hashable {
        package var field: EditableField
        /// The row id in the table of the field's part.
        package var row: Int64
        package var action: Action

        package init(_ field: EditableField, ofRow row: Int64, _ action: Action) {
            self.field = field
            self.row = row
            self.action = action
        }
    }

    package var changes: [Change]
    /// The name of its own job.
    package var name: String
    /// The job's pipeline: the command's name.
    package var pipeline: String
    /// The library of the job.
    package var library: String
    /// Note in the list of jobs, apart from the number of fields.
    package var note: EditNote
    /// Whether to find out what would happen and change nothing.
    package var isDryRun: Bool

    package init(
        _ changes: [Change], name: String, pipeline: String, library: String, note: EditNote,
        isDryRun: Bool = false
    ) {
        self.changes = changes
        self.name = name
        self.pipeline = pipeline
        self.library = library
        self.note = note
        self.isDryRun = isDryRun
    }
}

/// Actual or expected changes of an edit.
package struct EditOutcome: Sendable, Hashable {
    /// Its own job. Nil if nothing was changed.
    package var job: Job?
    /// The fields that differ from before.
    package var fields: [EditedField] = []
}

/// The name of an entry: library, format and source id.
package struct EntryName: Sendable, Hashable {
    package var library: String
    package var formatName: String
    package var sourceID: String

    package init(library: String, formatName: String, sourceID: String) {
        self.library = library
        self.formatName = formatName
        self.sourceID = sourceID
    }
}

/// A field before and after an edit.
package struct EditedField: Sendable, Hashable {
    package var field: EditableField
    package var row: Int64
    /// The value, or the elements of a list; empty if there is none.
    package var before: [String]
    package var after: [String]
    package var wasLocked: Bool
    package var isLocked: Bool
}

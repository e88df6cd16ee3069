import Syntax

/// The arrays of an object, written one after the other in pieces, so that an answer of a million books is
/// never in memory as a whole. Each array is there in the end, empty if nothing went into it.
struct StreamedLists {
    private let names: [StaticString]
    /// Arrays begun so far; all but the last of them are closed.
    private var begun = 0

    /// Takes the arrays' names in the order in which they are written.
    init(_ names: StaticString...) { self.names = names }

    /// Adds an element to an array. Those before it are closed: whoever goes back to one has made a mistake
    /// no input can make.
    mutating func add(_ element: some JSONWritable, to list: Int, into out: inout JSONWriter) {
        precondition(list >= begun - 1, "an array that is closed gets no more elements")
        begin(through: list, into: &out)
        element.write(into: &out)
    }

    /// Closes all arrays.
    mutating func end(into out: inout JSONWriter) {
        begin(through: names.count - 1, into: &out)
        out.endArray()
    }

    private mutating func begin(through list: Int, into out: inout JSONWriter) {
        while begun <= list {
            if begun > 0 { out.endArray() }
            out.key(names[begun])
            out.beginArray()
            begun += 1
        }
    }
}

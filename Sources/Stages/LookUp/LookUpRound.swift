/// The questions of one round of a look-up, each once, and which row asks which.
struct LookUpRound {
    private(set) var questions: [BookQuestions.Question] = []
    /// For each row its question's number; -1 for none.
    private var questionOfRow: [Int32]

    init(rows: Int) { questionOfRow = Array(repeating: -1, count: rows) }

    /// The number of a row's question.
    func question(ofRow row: Int) -> Int? {
        let number = questionOfRow[row]
        return number < 0 ? nil : Int(number)
    }

    /// Begins the round by ISBN. Questions come in ascending order, which is kind to a sorted index.
    mutating func askByISBN(_ matched: MatchedRows) {
        begin()
        // The prefix 978 taken off, an ISBN has 35 bits: it and its row sort as one word.
        var sorted: [UInt64] = []
        sorted.reserveCapacity(matched.count)
        for (row, verdict) in matched.isbns.enumerated() {
            guard let isbn = verdict.isbn else { continue }
            sorted.append(UInt64(isbn.value - Self.lowest) << 28 | UInt64(row))
        }
        sorted.sort()
        questions.reserveCapacity(sorted.count)
        var last: UInt64?
        for word in sorted {
            if last != word >> 28 {
                questions.append(.isbn(ISBN(unchecked: Int64(word >> 28) + Self.lowest)))
                last = word >> 28
            }
            questionOfRow[Int(word & 0xFFF_FFFF)] = Int32(questions.count - 1)
        }
    }

    /// Begins the round by title and author, for the rows that the one before left without a candidate.
    ///
    /// Rows whose title and author are the same when folded ask one question: the first row's spelling.
    ///
    /// - Parameter unsettled: Rows whose first question is still open: whether they need a second one is not known.
    mutating func askByTitle(_ matched: MatchedRows, butFor unsettled: Set<Int> = []) {
        begin()
        var numberOfKey: [UInt64: Int32] = [:]
        var folded: [UInt8] = []
        for row in 0..<matched.count
        where matched.candidatesOfRow[row].isEmpty && !unsettled.contains(row) {
            let title = matched.library.rows[row].title
            guard !title.isEmpty, let author = matched.library.rows[row].people.first else { continue }
            let name = matched.library.people[author].name
            guard !name.isEmpty else { continue }
            folded.removeAll(keepingCapacity: true)
            matched.library.arena.withBytes(title) { Folding.fold($0, into: &folded) }
            folded.append(0)
            matched.library.arena.withBytes(name) { Folding.fold($0, into: &folded) }
            let key = KeyHash.hash(folded)
            if let number = numberOfKey[key] {
                questionOfRow[row] = number
            } else {
                let number = Int32(questions.count)
                questions.append(.titleAuthor(title: title, author: name))
                numberOfKey[key] = number
                questionOfRow[row] = number
            }
        }
    }

    private static let lowest: Int64 = 9_780_000_000_000

    private mutating func begin() {
        questions.removeAll(keepingCapacity: true)
        for row in questionOfRow.indices { questionOfRow[row] = -1 }
    }
}

extension Explanation {
    /// The part of an explanation for the user of one library. Works are shared by all libraries; what other users have, think
    /// of them and call them in their files is not.
    ///
    /// Values that come from another user's row stay, without its ID.
    package func shown(to library: String) -> Explanation {
        var shown = self
        shown.entries.removeAll { $0.library != library }
        // They name jobs and files of other users.
        shown.records = []
        if let work { shown.work = work.shown(to: library) }
        shown.editions = editions.map { $0.shown(to: library) }
        return shown
    }
}

extension Explanation.Part {
    fileprivate func shown(to library: String) -> Self {
        var shown = self
        shown.fields = fields.map { trace in
            var trace = trace
            trace.source = trace.source.map { $0.shown(to: library) }
            trace.elements = trace.elements.map { element in
                var element = element
                element.source = element.source.map { $0.shown(to: library) }
                return element
            }
            trace.lost.removeAll { $0.source.shown(to: library) == .otherLibrary }
            return trace
        }
        return shown
    }
}

extension Explanation.Source {
    fileprivate func shown(to library: String) -> Self {
        guard case .row(let owner, _, _) = self, owner != library else { return self }
        return .otherLibrary
    }
}

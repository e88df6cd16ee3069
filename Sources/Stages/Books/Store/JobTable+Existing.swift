package import Pipeline

extension JobTable {
    /// A job that must be there: the one named, in full or by the beginning of its id, or the newest.
    ///
    /// - Throws: `.missing` where there is none, `.usage` where several begin so.
    package func existing(_ name: String?) throws(StageFailure) -> Job {
        if let name {
            if let job = try job(called: name) { return job }
            throw StageFailure(
                .missing, "There is no job \(name).",
                advice: "\(UserCommand.jobs) lists the jobs of the store.")
        }
        if let job = try last() { return job }
        throw StageFailure(.missing, "There is no job yet.", advice: "Import something first.")
    }
}

extension Job {
    /// The name of an input, where the job had several.
    package func fileName(_ index: Int) -> String? {
        inputs.count > 1 && inputs.indices.contains(index) ? inputs[index].name : nil
    }
}

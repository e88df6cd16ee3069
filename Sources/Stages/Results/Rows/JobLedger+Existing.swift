package import Pipeline

extension JobLedger {
    /// A job that must be there: the one named, or the newest.
    ///
    /// - Throws: `.missing` where there is none.
    package func existing(_ name: String?) throws(StageFailure) -> Job {
        if let name {
            if let job = try job(named: name) { return job }
            throw StageFailure(
                .missing, "There is no job \(name).", advice: "`etl jobs` lists those there are.")
        }
        if let job = try last() { return job }
        throw StageFailure(.missing, "There is no job yet.", advice: "Import something first.")
    }
}

extension Job {
    /// The name of an input, where the job had several.
    func fileName(_ index: Int) -> String? {
        inputs.count > 1 && inputs.indices.contains(index) ? inputs[index].name : nil
    }
}

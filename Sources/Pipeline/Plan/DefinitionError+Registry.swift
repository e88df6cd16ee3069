extension DefinitionError {
    /// The same with what is wrong with the steps' names, settings and joints: what a ``Plan`` would find next.
    package func judged(by registry: StageRegistry) -> DefinitionError {
        var check = PlanCheck(registry)
        let providers = check.providers(nil)
        let checked = steps.map { check.step($0, providers: providers) }
        check.joints(steps, checked)
        return DefinitionError(problems + check.problems)
    }
}

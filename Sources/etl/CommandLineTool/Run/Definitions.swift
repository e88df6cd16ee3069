import Books
import Glibc
import Jobs
package import Pipeline
import System

/// Pipeline definitions, combined with the configuration files.
package enum Definitions {
    /// The built-in copy of `Pipelines/csv_import.yaml`.
    package static func csvImport(overrides: [String] = []) throws(CommandFailure) -> PipelineDefinition {
        try read(PackageResources.csv_import_yaml, named: "csv_import.yaml", overrides)
    }

    /// The built-in copy of `Pipelines/catalog_build.yaml`.
    static func catalogBuild() throws(CommandFailure) -> PipelineDefinition {
        try read(PackageResources.catalog_build_yaml, named: "catalog_build.yaml", [])
    }

    /// The built-in copy of `Pipelines/batch_enrichment.yaml`.
    static func batchEnrichment() throws(CommandFailure) -> PipelineDefinition {
        try read(PackageResources.batch_enrichment_yaml, named: "batch_enrichment.yaml", [])
    }

    /// The definition in a file.
    package static func file(_ path: String, overrides: [String]) throws(CommandFailure) -> PipelineDefinition
    {
        do { return try load(path, overrides: overrides) } catch { throw CommandFailure(error.failure) }
    }

    /// The definition in a file, or all its errors.
    static func load(
        _ path: String, overrides: [String]
    ) throws(DefinitionError) -> PipelineDefinition {
        try assemble(try DefinitionFile.load(path), named: path, overrides)
    }

    /// The settings of providers in a definition and the configuration files.
    static func definedSettings(_ definition: PipelineDefinition) throws(CommandFailure) -> [String:
        Settings]
    {
        do {
            return try Plan(definition, registry: BookStages.registry).providers
        } catch {
            throw CommandFailure(error.failure)
        }
    }

    /// The genre rules that imports use: those that the configuration files name.
    static func genreRules() throws(CommandFailure) -> GenreRules {
        let definition = try csvImport()
        do throws(ETLError) {
            let plan: Plan
            do { plan = try Plan(definition, registry: BookStages.registry) } catch {
                throw error.failure
            }
            return try GenreRuleFiles.read(plan).values.first ?? GenreRules()
        } catch {
            throw CommandFailure(error)
        }
    }

    private static func read(
        _ bytes: [UInt8], named name: String, _ overrides: [String]
    ) throws(CommandFailure) -> PipelineDefinition {
        do { return try assemble(bytes, named: name, overrides) } catch {
            throw CommandFailure(error.failure)
        }
    }

    private static func assemble(
        _ bytes: [UInt8], named name: String, _ overrides: [String]
    ) throws(DefinitionError) -> PipelineDefinition {
        var configurations: [ConfigurationFile] = []
        for path in configurationPaths where FileSystem.access(path, F_OK) == 0 {
            configurations.append(try ConfigurationFile(try DefinitionFile.load(path), named: path))
        }
        var set: [DefinitionOverride] = []
        for text in overrides { set.append(try DefinitionOverride(option: text, after: "--set ")) }
        return try DefinitionFile.read(
            bytes, named: name, over: configurations, overrides: set, variables: { ProcessTexts.variable($0) }
        )
    }

    /// The configuration files of the machine and of the user. Later files override earlier ones.
    static var configurationPaths: [String] {
        let user = DefaultPaths.configurationFolder(ProcessTexts.environment)
        return ["/etc/etl/config.yaml"] + (user.map { ["\($0)/config.yaml"] } ?? [])
    }
}

import { compileJavaRegex } from '../../filter/regex/java-regex.ts'
import { SearchBudget } from '../../filter/regex/search-budget.ts'
import { DEFAULT_NAMESPACE, namespaceOf, type TableName } from '../../model/table-name.ts'

/**
 * The tables whose whole name the client's Java regular expression matches; without an expression, all. A table of the namespace default
 * may match as `default:name`, too. HBase: HMaster.filterTablesByRegex. Throws ILLEGAL_ARGUMENT for an illegal expression and
 * DO_NOT_RETRY for one that takes too long.
 */
export function tablesMatching<Table extends { readonly name: TableName }>(
  tables: readonly Table[],
  pattern: string | undefined,
): Table[] {
  if (pattern === undefined) return [...tables]
  const regex = compileJavaRegex(pattern, 0)
  const budget = new SearchBudget()
  return tables.filter(
    ({ name }) =>
      regex.matches(name, budget) ||
      (namespaceOf(name) === DEFAULT_NAMESPACE && regex.matches(`${DEFAULT_NAMESPACE}:${name}`, budget)),
  )
}

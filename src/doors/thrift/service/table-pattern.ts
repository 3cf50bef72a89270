import { compileJavaRegex } from '../../../filter/regex/java-regex.ts'
import { DEFAULT_NAMESPACE, namespaceOf, type TableName } from '../../../model/table-name.ts'

/**
 * The tables that a client's regular expression, one of Java, matches as a whole; one of the namespace default also by
 * `default:name`. HBase: HMaster.filterTablesByRegex. Throws ILLEGAL_ARGUMENT for what is not a regular expression and
 * DO_NOT_RETRY for one that takes too long.
 */
export function tablesMatching<Table extends { readonly name: TableName }>(
  tables: readonly Table[],
  pattern: string | undefined,
): Table[] {
  if (pattern === undefined) return [...tables]
  const regex = compileJavaRegex(pattern, 0)
  return tables.filter(
    ({ name }) =>
      regex.matches(name) ||
      (namespaceOf(name) === DEFAULT_NAMESPACE && regex.matches(`${DEFAULT_NAMESPACE}:${name}`)),
  )
}

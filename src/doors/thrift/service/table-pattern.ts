import { createContext, runInContext } from 'node:vm'
import { HBaseError } from '../../../model/errors.ts'
import { DEFAULT_NAMESPACE, namespaceOf, type TableName } from '../../../model/table-name.ts'

/** Milliseconds that matching all names may take: a pattern that backtracks without end must not stop the server. */
const MATCH_MS_MAX = 500

/**
 * The tables that a client's regular expression matches as a whole; one of the namespace default also by
 * `default:name`. HBase: HMaster.filterTablesByRegex. Throws ILLEGAL_ARGUMENT for what is not a regular expression and
 * TIMEOUT for one that takes too long.
 */
export function tablesMatching<Table extends { readonly name: TableName }>(
  tables: readonly Table[],
  pattern: string | undefined,
): Table[] {
  if (pattern === undefined) return [...tables]
  const expression = wholeMatch(pattern)
  const texts = tables.map(({ name }) =>
    namespaceOf(name) === DEFAULT_NAMESPACE ? [name, `${DEFAULT_NAMESPACE}:${name}`] : [name],
  )
  const context = createContext({ expression, texts })
  let matches: readonly boolean[]
  try {
    // The only way to interrupt a regular expression in JavaScript; the script's text is ours, the pattern is data.
    matches = runInContext('texts.map((names) => names.some((name) => expression.test(name)))', context, {
      timeout: MATCH_MS_MAX,
    }) as readonly boolean[]
  } catch (cause) {
    throw new HBaseError('TIMEOUT', `matching table names took longer than ${MATCH_MS_MAX} ms`, { cause })
  }
  return tables.filter((_, index) => matches[index])
}

/** Java's \Q...\E is the one thing of its syntax that clients use and JavaScript does not have. */
function wholeMatch(pattern: string): RegExp {
  const plain = pattern.replace(/\\Q([\s\S]*?)(?:\\E|$)/g, (_, quoted: string) =>
    quoted.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'),
  )
  try {
    return new RegExp(`^(?:${plain})$`)
  } catch (cause) {
    throw new HBaseError('ILLEGAL_ARGUMENT', `not a regular expression: ${pattern}`, { cause })
  }
}

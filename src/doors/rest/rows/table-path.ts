/**
 * Which paths are about rows: `/table/rest`, where `rest` is none of the table's own resources. The order in which
 * HBase tries its paths decides for names that fit several.
 */

import { percentDecode } from '../http/percent.ts'

export interface RowPath {
  readonly kind: 'row' | 'scan' | 'multiget'
  readonly table: string
  /** Still encoded. */
  readonly rest: string
}

const SERVER_RESOURCES: ReadonlySet<string> = new Set(['', 'version', 'namespaces'])
const TABLE_RESOURCES: ReadonlySet<string> = new Set(['exists', 'regions', 'scanner', 'schema'])
const STATUS = '/status/cluster'

/** Undefined for every other path. */
export function parseRowPath(path: string): RowPath | undefined {
  const slash = path.indexOf('/', 1)
  if (slash < 0) return undefined
  const name = path.slice(1, slash)
  const rest = path.slice(slash + 1)
  if (rest === '' || SERVER_RESOURCES.has(name)) return undefined
  if (path === STATUS || path.startsWith(`${STATUS}/`)) return undefined
  const end = rest.indexOf('/')
  if (TABLE_RESOURCES.has(end < 0 ? rest : rest.slice(0, end))) return undefined
  const kind = kindOf(rest)
  return kind === undefined ? undefined : { kind, table: tableNameOf(name), rest }
}

export function tableNameOf(segment: string): string {
  return segment.includes('%') ? percentDecode(segment, false).toString() : segment
}

/** A star ends a scan's prefix, or the row of a glob whose columns follow; anywhere else it fits nothing. */
function kindOf(rest: string): RowPath['kind'] | undefined {
  if (rest.startsWith('multiget')) return 'multiget'
  if (!rest.includes('*')) return 'row'
  if (!rest.split('/', 1)[0]!.includes('*')) return undefined
  if (/\*\/./.test(rest)) return 'row'
  return rest.endsWith('*') ? 'scan' : undefined
}

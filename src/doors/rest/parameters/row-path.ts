/**
 * Recognises the paths of rows: `/table/rest`, where `rest` is none of the table's other resources. Where a path matches several
 * resources, the order in which JAX-RS tries HBase's resources decides.
 */

import { decodeSegment } from '../http/percent.ts'

export interface RowPath {
  readonly kind: 'row' | 'scan' | 'multiget'
  readonly table: string
  /** Still percent-encoded. */
  readonly rest: string
}

const SERVER_RESOURCES: ReadonlySet<string> = new Set(['', 'version', 'namespaces'])
const TABLE_RESOURCES: ReadonlySet<string> = new Set(['exists', 'regions', 'scanner', 'schema'])
/** `/status/cluster` and the paths below it. */
const STATUS = 'status'
const CLUSTER = 'cluster'
const BELOW_CLUSTER = `${CLUSTER}/`

/** Undefined for a path that does not name rows. */
export function parseRowPath(path: string): RowPath | undefined {
  const slash = path.indexOf('/', 1)
  if (slash < 0) return undefined
  const name = path.slice(1, slash)
  const rest = path.slice(slash + 1)
  if (rest === '' || SERVER_RESOURCES.has(name)) return undefined
  if (name === STATUS && (rest === CLUSTER || rest.startsWith(BELOW_CLUSTER))) return undefined
  const end = rest.indexOf('/')
  if (TABLE_RESOURCES.has(end < 0 ? rest : rest.slice(0, end))) return undefined
  const kind = rowPathKind(rest)
  return kind === undefined ? undefined : { kind, table: decodeTableName(name), rest }
}

function decodeTableName(segment: string): string {
  return segment.includes('%') ? decodeSegment(segment) : segment
}

/**
 * The kind of row path. A star may end the prefix of a scan, or the row part of a path that continues with columns. A leading slash is
 * ignored before a row part, and is part of a prefix.
 * QUIRK rest-row-json-a-star-b: a path with a star anywhere else matches no resource.
 */
function rowPathKind(rest: string): RowPath['kind'] | undefined {
  if (rest.startsWith('multiget')) return 'multiget'
  const star = rest.indexOf('*')
  if (star < 0) return 'row'
  if (rest.lastIndexOf('/', star) > 0) return undefined
  if (/\*\/./.test(rest)) return 'row'
  return rest.endsWith('*') ? 'scan' : undefined
}

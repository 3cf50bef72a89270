/** Queries of OpenTSDB's kind, answered over REST: the server chooses rows by a regular expression of their tags, the rest is done here. */

import type { Cell } from '../shared/rest-table.ts'
import type { Dictionary } from './dictionary.ts'
import { decodePoint, decodeRowKey, type Point, uint32 } from './row-format.ts'
import { DAY_SECONDS, DAY_START } from './series.ts'
import type { TsdbTables } from './tsdb-tables.ts'

/** The day's sum over all series of each one's most in an hour: `sum:1h-max:METRIC` of OpenTSDB. */
export interface Query {
  readonly name: string
  /** A tag that series must have: one value of it, or those that an expression matches. */
  readonly tag?: readonly [name: string, values: string | RegExp]
  /** A tag that they must not have: `not_key`. */
  readonly withoutTag?: string
}

export const QUERIES: readonly Query[] = [
  { name: 'all' },
  { name: 'host=web01', tag: ['host', 'web01'] },
  { name: 'host=regexp(db0[1-5])', tag: ['host', /^db0[1-5]$/] },
  { name: 'not_key(dc)', withoutTag: 'dc' },
]

/** Sums by the seconds since 1970 at which their hours begin. */
export type Answer = ReadonlyMap<number, number>

export async function answerOver(
  tables: TsdbTables,
  names: Dictionary,
  metric: string,
  query: Query,
): Promise<{ answer: Answer; rows: number }> {
  const uid = names.metrics.get(metric)!
  const cells = await tables.points.scan({
    startRow: uid + uint32(DAY_START),
    endRow: uid + uint32(DAY_START + DAY_SECONDS),
    ...filterOf(names, query),
    batch: 5000,
  })
  const rows = new Map<string, Point[]>()
  for (const cell of cells) {
    const points = rows.get(cell.key) ?? []
    rows.set(cell.key, points)
    points.push(pointOf(cell))
  }
  // A row is an hour of a series, so that its most is the series' most.
  const sums = [...rows].map(([key, points]): [number, number] => [
    decodeRowKey(key).hour,
    Math.max(...points.map(({ value }) => value)),
  ])
  return { answer: summed(sums), rows: rows.size }
}

export function pointOf({ key, column, $ }: Cell): Point {
  return decodePoint(decodeRowKey(key).hour, column.slice('t:'.length), $)
}

/** In the order of the hours. */
export function summed(values: Iterable<readonly [hour: number, value: number]>): Answer {
  const sums = new Map<number, number>()
  for (const [hour, value] of values) sums.set(hour, (sums.get(hour) ?? 0) + value)
  return new Map([...sums].sort(([a], [b]) => a - b))
}

/**
 * Expressions of REST see a key as UTF-8, in which the hour's bytes may be any number of characters: so this one counts from the end,
 * in UIDs that are below 128. OpenTSDB's own count from the beginning, as native RPC lets it say that keys are ISO-8859-1.
 */
function filterOf(names: Dictionary, { tag, withoutTag }: Query): object {
  if (tag !== undefined) return rowFilter('EQUAL', tagPattern(names, ...tag))
  if (withoutTag !== undefined) return rowFilter('NOT_EQUAL', tagPattern(names, withoutTag))
  return {}
}

function rowFilter(op: 'EQUAL' | 'NOT_EQUAL', value: string): object {
  return { filter: { type: 'RowFilter', op, comparator: { type: 'RegexStringComparator', value } } }
}

/** Without values: any. */
function tagPattern(names: Dictionary, name: string, values?: string | RegExp): string {
  const tagName = names.tagNames.get(name)!
  const wanted = [...names.tagValues].filter(([value]) =>
    values instanceof RegExp ? values.test(value) : value === values,
  )
  const pairs =
    values === undefined ? [`\\Q${tagName}\\E.{3}`] : wanted.map(([, uid]) => `\\Q${tagName}${uid}\\E`)
  return `(?s)(?:${pairs.join('|')})(?:.{6})*\\z`
}

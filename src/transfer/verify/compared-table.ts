/** Two tables that are compared: opens the scans of both, and compares ranges of them. */

import type { TableName } from '../../model/table-name.ts'
import type { Call } from '../../store/call.ts'
import type { Store } from '../../store/store.ts'
import { type Part, piecesOf } from '../raw-cells.ts'
import { CellStream } from './cell-stream.ts'
import { compareRange, type RangeCompared, type RangeComparison } from './compare-range.ts'
import type { ComparedTags } from './compared-tags.ts'
import { type FamilyRules, ReaderRules } from './reader-rules.ts'

export interface ComparedTable {
  readonly source: Store
  readonly target: Store
  readonly from: TableName
  readonly to: TableName
  readonly part: Part
  /** True: all cells that are stored; false: those that readers see. */
  readonly raw: boolean
  readonly tags: ComparedTags
  /** Undefined: all cells count. */
  readonly rules: FamilyRules | undefined
  readonly call: Call
  /** Milliseconds since 1970. */
  readonly wallClock: () => number
}

/** The rows from `startRow` to before `stopRow`, each side as it is at one moment. */
export async function compareRows(
  table: ComparedTable,
  range: Pick<Part, 'startRow' | 'stopRow'>,
  how: Pick<RangeComparison, 'bytesMax' | 'found' | 'took'>,
): Promise<RangeCompared> {
  const { part, raw, tags, rules, call, wallClock } = table
  const asked = { ...part, ...range, raw, withTags: true }
  const now = wallClock()
  const streamOf = (store: Store, name: TableName): CellStream =>
    new CellStream(
      piecesOf(store, name, asked, call),
      rules === undefined ? undefined : new ReaderRules(rules, now),
    )
  const source = streamOf(table.source, table.from)
  const target = streamOf(table.target, table.to)
  try {
    return await compareRange({ ...how, source, target, tags })
  } finally {
    await Promise.all([source.close(), target.close()])
  }
}

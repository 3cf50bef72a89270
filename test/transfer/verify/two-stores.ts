/** Two stores with the same table, and the comparison of them, for tests. */

import { openMemoryStore } from '../../../adapters/memory/memory-store.ts'
import { EMPTY } from '../../../src/model/bytes.ts'
import type { CellParts } from '../../../src/model/cell.ts'
import { cellsOf } from '../../../src/model/cell-block.ts'
import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import { MutationBatch } from '../../../src/model/mutation.ts'
import { ALL_VERSIONS, scan } from '../../../src/model/query.ts'
import { gathered } from '../../../src/model/results.ts'
import { parseTableName, type TableName } from '../../../src/model/table-name.ts'
import { TimeRange } from '../../../src/model/time-range.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { Store } from '../../../src/store/store.ts'
import type { Part } from '../../../src/transfer/raw-cells.ts'
import { type VerifyJob, type VerifySum, verifyTables } from '../../../src/transfer/verify/verify-tables.ts'
import { Interruption, interruptedStore } from '../interrupted-store.ts'

export const T: TableName = parseTableName('t')
export const ALL: Part = { startRow: EMPTY, stopRow: EMPTY, timeRange: TimeRange.ALL, columns: [] }
export const NOW = 1_700_000_000_000

type FamilyAttributes = readonly (readonly [string, string])[]

export async function storeOf(
  cells: readonly CellParts[],
  attributes: FamilyAttributes = [['VERSIONS', '2']],
  splits: readonly string[] = [],
): Promise<Store> {
  const store = openMemoryStore({ clock: { now: () => NOW } })
  const families = [familyDescriptor('f', attributes), familyDescriptor('g', [['VERSIONS', '1000']])]
  await store.catalog.createTable(
    tableDescriptor(T, families),
    splits.map((split) => Buffer.from(split)),
    OWN_CALL,
  )
  await write(store, cells)
  return store
}

export async function write(
  { rows }: Store,
  cells: readonly CellParts[],
  table: TableName = T,
): Promise<void> {
  const batch = new MutationBatch()
  for (const cell of cells) {
    batch.cells.appendParts(cell)
    batch.endMutation()
  }
  const [failure] = await rows.mutate(table, batch, OWN_CALL)
  if (failure !== undefined) throw new HBaseError(failure.error.code, failure.error.message)
}

export interface Verified {
  readonly sums: readonly VerifySum[]
  /** `row column timestamp type kind`, sorted; rows and columns in latin1. */
  readonly differences: readonly string[]
  readonly leftOut: readonly string[]
  readonly warnings: readonly string[]
}

/** `source` and `target` answer in pieces of a few cells. */
export async function verified(
  source: Store,
  target: Store,
  more: Partial<VerifyJob> = {},
): Promise<Verified> {
  const [differences, leftOut, warnings]: [string[], string[], string[]] = [[], [], []]
  const sums = await verifyTables({
    source: inPieces(source),
    target: inPieces(target),
    tables: [{ from: T, to: T }],
    part: ALL,
    raw: false,
    settleMs: 1000,
    bytesPerSecond: Number.POSITIVE_INFINITY,
    call: OWN_CALL,
    now: () => 0,
    wallClock: () => NOW,
    pause: () => Promise.resolve(),
    report: () => undefined,
    settles: () => undefined,
    differs: (_, { row, cells }) => {
      for (const { column, timestamp, type, kind } of cells)
        differences.push(
          `${row.toString('latin1')} ${column.toString('latin1')} ${timestamp} ${type} ${kind}`,
        )
    },
    compared: () => undefined,
    warn: (text) => void warnings.push(text),
    leftOut: (table, reason) => void leftOut.push(`${table}: ${(reason as Error).message}`),
    ...more,
  })
  return { sums, differences: differences.sort(), leftOut, warnings }
}

/** The cells by their keys, read at once, with value and tags. */
async function cellsByKey(
  { rows, handouts }: Store,
  table: TableName,
  raw: boolean,
): Promise<Map<string, readonly string[]>> {
  const { id } = await rows.openScanner(
    table,
    scan({ raw, maxVersions: ALL_VERSIONS, withTags: true }),
    OWN_CALL,
  )
  const cells = new Map<string, readonly string[]>()
  for (let ended = false; !ended; ) {
    const batch = await handouts.next(id, { rows: 1e6, bytes: 1e9, allowPartial: false }, OWN_CALL)
    ended = batch.ended === 'scan'
    for (const { row, family, qualifier, timestamp, type, value, tags = EMPTY } of cellsOf(
      gathered(batch.results).cells,
    )) {
      const names = [row, Buffer.concat([family, Buffer.from(':'), qualifier])]
      const key = `${names.map((name) => name.toString('latin1')).join(' ')} ${timestamp} ${type}`
      cells.set(key, [value.toString('hex'), tags.toString('hex')])
    }
  }
  await handouts.closeScanner(id)
  return cells
}

/** As `Verified.differences`, by reading both at once. */
export async function trueDifferences(
  source: Store,
  target: Store,
  raw: boolean,
  table: TableName = T,
): Promise<string[]> {
  const [ours, theirs] = [await cellsByKey(source, table, raw), await cellsByKey(target, table, raw)]
  const differences: string[] = []
  for (const [key, [value, tags]] of ours) {
    const other = theirs.get(key)
    if (other === undefined) differences.push(`${key} missing`)
    else if (other[0] !== value) differences.push(`${key} value`)
    else if (other[1] !== tags) differences.push(`${key} tags`)
  }
  for (const key of theirs.keys()) if (!ours.has(key)) differences.push(`${key} extra`)
  return differences.sort()
}

function inPieces(store: Store): Store {
  const never = new Interruption(Number.POSITIVE_INFINITY, false)
  return { ...interruptedStore(store, never), ...(store.carriesTags === true && { carriesTags: true }) }
}

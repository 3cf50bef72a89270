/** Random changes of a small table, made the same way to the store under test and to the model. */

import { CellType } from '../../../src/model/cell.ts'
import { blockOf } from '../../../src/model/cell-block.ts'
import { type FamilyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { type Durability, MutationBatch } from '../../../src/model/mutation.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import { LATEST_TIMESTAMP } from '../../../src/model/timestamp.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { Store } from '../../../src/store/store.ts'
import type { SimRandom } from './sim-random.ts'

const ROWS = ['a', 'b', 'l', 'm', 'n', 'z'] as const
export const FAMILIES = ['f', 'g'] as const

type Kind = 'put' | 'delete-version' | 'delete-column' | 'delete-row' | 'increment' | 'append' | 'batch'
const KINDS: readonly Kind[] = [
  'put',
  'put',
  'put',
  'delete-version',
  'delete-column',
  'delete-row',
  'increment',
  'append',
  'batch',
]

export interface SimChange {
  readonly kind: Kind
  /** Several for a batch. */
  readonly rows: readonly string[]
  readonly family: string
  readonly qualifier: string
  readonly time: bigint
  readonly durability: Durability
  /** Names the change in its value. */
  readonly number: number
  /** Of the clock when it was made. */
  readonly now: number
}

/** An alter of the table's families, which the model makes at its place among the changes. */
export interface SimAlter {
  readonly kind: 'alter'
  readonly families: readonly FamilyDescriptor[]
  readonly now: number
}

export type SimAct = SimChange | SimAlter

export function anyChange(
  random: SimRandom,
  families: readonly string[],
  durabilities: readonly Durability[],
  number: number,
  now: number,
): SimChange {
  const kind = random.of(KINDS)
  const rows = kind === 'batch' ? ROWS.filter(() => random.chance(0.5)) : [random.of(ROWS)]
  return {
    kind,
    rows: rows.length === 0 ? ['a'] : random.chance(0.5) ? rows : rows.toReversed(),
    family: random.of(families),
    qualifier: random.of(['p', 'q']),
    time: random.of([1n, 2n, 3n, LATEST_TIMESTAMP]),
    durability: random.of(durabilities),
    number,
    now,
  }
}

/** Throws where the store refuses the change, or a part of it. */
export async function makeChange(store: Store, table: TableName, change: SimAct): Promise<void> {
  if (change.kind === 'alter') {
    await store.catalog.modifyTable(tableDescriptor(table, change.families), OWN_CALL)
    return
  }
  const { kind, durability, time, number } = change
  if (kind === 'increment' || kind === 'append') {
    await makeDelta(store, table, change)
    return
  }
  const batch = new MutationBatch()
  const value = Buffer.from(`v${number}`)
  const [family, qualifier] = [Buffer.from(change.family), Buffer.from(change.qualifier)]
  for (const row of change.rows.map((name) => Buffer.from(name))) {
    if (kind === 'put') batch.put(row, family, qualifier, value, time)
    else if (kind === 'delete-version') batch.deleteVersion(row, family, qualifier, time)
    else if (kind === 'delete-column') batch.deleteColumn(row, family, qualifier, time)
    else if (kind === 'delete-row') batch.deleteRow(row, time)
    else for (const name of FAMILIES) batch.put(row, Buffer.from(name), Buffer.from('b'), value, time)
    batch.endMutation({ durability })
  }
  const failures = await store.rows.mutate(table, batch, OWN_CALL)
  if (failures.length > 0) throw failures[0]!.error
}

async function makeDelta(store: Store, table: TableName, change: SimChange): Promise<void> {
  const { kind, durability, number } = change
  const one = Buffer.alloc(8)
  one.writeBigInt64BE(1n)
  const row = Buffer.from(change.rows[0]!)
  // Counters have a column of their own: they hold 8 bytes.
  const isCounter = kind === 'increment'
  const cells = blockOf([
    {
      row,
      family: Buffer.from(change.family),
      qualifier: Buffer.from(isCounter ? 'n' : 'a'),
      timestamp: LATEST_TIMESTAMP,
      type: CellType.Put,
      value: isCounter ? one : Buffer.from(`${number},`),
    },
  ])
  const operation = { kind: isCounter ? ('increment' as const) : ('append' as const), cells }
  await store.rows.mutateRow(table, { row, operations: [operation], options: { durability } }, OWN_CALL)
}

/** The parts of a change that a crash leaves whole or not at all: a batch has one for each region, in the batch's order. */
export function partsOf(change: SimChange, startKeys: readonly string[]): SimChange[] {
  const regionOf = (row: string): number => startKeys.findLastIndex((key) => key <= row)
  const regions = [...new Set(change.rows.map(regionOf))]
  return regions.map((region) => ({ ...change, rows: change.rows.filter((row) => regionOf(row) === region) }))
}

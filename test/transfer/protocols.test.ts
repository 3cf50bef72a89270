/** Copies between stores and servers of every kind: cells, their bytes, timestamps and versions, and markers where both ends have words for them. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openMemoryStore } from '../../adapters/memory/memory-store.ts'
import { EMPTY } from '../../src/model/bytes.ts'
import { type CellParts, CellType } from '../../src/model/cell.ts'
import { cellsOf } from '../../src/model/cell-block.ts'
import { familyDescriptor, tableDescriptor } from '../../src/model/descriptor.ts'
import { MutationBatch } from '../../src/model/mutation.ts'
import { ALL_VERSIONS, scan } from '../../src/model/query.ts'
import { gathered } from '../../src/model/results.ts'
import { parseTableName, type TableName } from '../../src/model/table-name.ts'
import { TimeRange } from '../../src/model/time-range.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import type { Store } from '../../src/store/store.ts'
import { copyTables } from '../../src/transfer/copy-tables.ts'
import type { CopyProgress } from '../../src/transfer/progress.ts'
import {
  type DoorsOverStore,
  openDoorsOver,
  restStoreOn,
  thriftStoreOn,
} from '../harness/doors-over-store.ts'
import { openRpcStore } from '../harness/rpc-store.ts'

const FROM = parseTableName('ns:from')
const KEPT = [
  ['VERSIONS', '100'],
  ['KEEP_DELETED_CELLS', 'TRUE'],
] as const

let source: Store
let target: Store
let sourceDoors: DoorsOverStore
let targetDoors: DoorsOverStore

beforeAll(async () => {
  const clock = { now: () => 1_700_000_000_000 }
  source = openMemoryStore({ clock })
  target = openMemoryStore({ clock })
  await source.catalog.createNamespace({ name: 'ns', properties: new Map() }, OWN_CALL)
  const families = ['f', 'g'].map((name) => familyDescriptor(name, KEPT))
  await source.catalog.createTable(tableDescriptor(FROM, families), [Buffer.from('m')], OWN_CALL)
  await write(source, FROM, [...puts(), ...markers()])
  sourceDoors = await openDoorsOver(source)
  targetDoors = await openDoorsOver(target)
})

afterAll(async () => {
  for (const each of [sourceDoors, targetDoors, source, target]) await each.close()
})

function cell(
  row: Buffer | string,
  column: string,
  timestamp: bigint,
  value: Buffer,
  type: number,
): CellParts {
  const [family = '', qualifier = ''] = column.split(':')
  return {
    row: Buffer.from(row),
    family: Buffer.from(family),
    qualifier: Buffer.from(qualifier, 'latin1'),
    timestamp,
    type,
    value,
  }
}

/** Keys of any bytes, values of any length, times of 64 bits, and a row of many cells. */
function puts(): CellParts[] {
  const cells = [1n, 5n, 1_579_141_440_000_000n, 2n ** 63n - 2n].map((time) =>
    cell(Buffer.of(0, 0xff, 0x2c, 0x2a, 0x2f), 'f:\xff,/*', time, Buffer.from(`at ${time}`), CellType.Put),
  )
  cells.push(cell('empty', 'g:', 3n, EMPTY, CellType.Put))
  for (const row of ['schema', 'multiget', 'a*', 'a,b', '.', '%41'])
    cells.push(cell(row, 'f:q', 9n, Buffer.from(row), CellType.Put))
  for (let i = 0; i < 2500; i++)
    cells.push(cell('wide', `f:q${i}`, 4n, Buffer.alloc(i % 50, i), CellType.Put))
  for (let i = 0; i < 300; i++) cells.push(cell(`row${i}`, 'g:n', 4n, Buffer.alloc(3000, i), CellType.Put))
  return cells
}

function markers(): CellParts[] {
  return [
    cell('empty', 'g:', 2n, EMPTY, CellType.Delete),
    cell('wide', 'f:q0', 3n, EMPTY, CellType.DeleteColumn),
    cell('wide', 'g:', 3n, EMPTY, CellType.DeleteFamily),
    cell('wide', 'g:', 4n, EMPTY, CellType.DeleteFamily),
    cell(Buffer.of(0xff, 0xfe), 'f:\xfe', 8n, EMPTY, CellType.DeleteColumn),
  ]
}

async function write({ rows }: Store, table: TableName, cells: readonly CellParts[]): Promise<void> {
  const batch = new MutationBatch()
  for (const each of cells) {
    batch.cells.appendParts(each)
    batch.endMutation()
  }
  expect(await rows.mutate(table, batch, OWN_CALL)).toEqual([])
}

async function kept({ rows, handouts }: Store, table: TableName, raw: boolean): Promise<string[]> {
  const { id } = await rows.openScanner(
    table,
    scan({ raw, maxVersions: ALL_VERSIONS, withTags: true }),
    OWN_CALL,
  )
  const limits = { rows: 1_000_000, bytes: Number.MAX_SAFE_INTEGER, allowPartial: false }
  const cells: CellParts[] = []
  for (let ended = false; !ended; ) {
    const batch = await handouts.next(id, limits, OWN_CALL)
    cells.push(...cellsOf(gathered(batch.results).cells))
    ended = batch.ended === 'scan'
  }
  await handouts.closeScanner(id)
  return cells.map(({ row, family, qualifier, timestamp, type, value, tags = EMPTY }) =>
    [row, family, qualifier, value, tags]
      .map((bytes) => bytes.toString('hex'))
      .join(' ')
      .concat(` ${timestamp} ${type}`),
  )
}

const SOURCES = {
  memory: async () => ({ ...source, close: async () => undefined }),
  rpc: () => openRpcStore(sourceDoors.ports.rpc),
  REST: async () => restStoreOn(sourceDoors.ports.rest),
  Thrift: async () => thriftStoreOn(sourceDoors.ports.thrift),
} as const
const TARGETS = {
  memory: async () => ({ ...target, close: async () => undefined }),
  rpc: () => openRpcStore(targetDoors.ports.rpc),
  REST: async () => restStoreOn(targetDoors.ports.rest),
  Thrift: async () => thriftStoreOn(targetDoors.ports.thrift, 'framed'),
} as const

type Kind = keyof typeof SOURCES
const KINDS = Object.keys(SOURCES) as Kind[]
const PAIRS = KINDS.flatMap((from) => KINDS.map((to) => [from, to] as const))

interface Copied {
  readonly reports: readonly CopyProgress[]
  readonly warnings: readonly string[]
}

async function copied(from: Store, to: Store, table: TableName): Promise<Copied> {
  const warnings: string[] = []
  const reports = await copyTables({
    source: from,
    destination: to,
    tables: [{ from: FROM, to: table }],
    part: { startRow: EMPTY, stopRow: EMPTY, timeRange: TimeRange.ALL, columns: [] },
    create: true,
    name: 'job',
    keeper: undefined,
    bytesPerSecond: Number.POSITIVE_INFINITY,
    call: OWN_CALL,
    now: () => 0,
    pause: () => Promise.resolve(),
    report: () => undefined,
    warn: (text) => void warnings.push(text),
  })
  return { reports, warnings }
}

describe.each(PAIRS)('a copy from %s to %s', (from, to) => {
  test('keeps every cell, its time and its versions', { timeout: 60_000 }, async () => {
    const table = parseTableName(`${from}_to_${to}`.toLowerCase())
    const [opened, destination] = [await SOURCES[from](), await TARGETS[to]()]
    const { reports, warnings } = await copied(opened, destination, table)
    await opened.close()
    await destination.close()
    const isRaw = from !== 'REST'
    expect(await kept(target, table, true)).toEqual(await kept(source, FROM, isRaw))
    const regions = await target.catalog.regions(table, OWN_CALL)
    expect(regions.length).toBe(to === 'REST' ? 1 : 2)
    const losses = [
      ...(to === 'REST' ? ['REST makes new tables of one region: the source has 2'] : []),
      ...(isRaw
        ? []
        : ['REST shows no markers of deletes, nor the cells that these hide: only visible cells are copied']),
    ]
    expect(warnings).toEqual(losses.map((loss) => `${FROM} to ${table}: ${loss}`))
    expect(reports[0]!.losses ?? []).toEqual(losses)
  })
})

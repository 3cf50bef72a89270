import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openMemoryStore } from '../../adapters/memory/memory-store.ts'
import { EMPTY } from '../../src/model/bytes.ts'
import { type CellParts, CellType } from '../../src/model/cell.ts'
import { cellsOf } from '../../src/model/cell-block.ts'
import { familyDescriptor, tableDescriptor } from '../../src/model/descriptor.ts'
import { MutationBatch } from '../../src/model/mutation.ts'
import { parseTableName, type TableName } from '../../src/model/table-name.ts'
import { TimeRange } from '../../src/model/time-range.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import type { Store } from '../../src/store/store.ts'
import { type CopyJob, copyTables } from '../../src/transfer/copy-tables.ts'
import { type CopyProgress, progressText } from '../../src/transfer/progress.ts'
import { type Part, rawPieces } from '../../src/transfer/raw-cells.ts'
import type { CopyState, StateKeeper } from '../../src/transfer/resume-file.ts'
import { SEED, testRuns } from '../harness/test-runs.ts'
import { Interruption, interruptedStore } from './interrupted-store.ts'

const T = parseTableName('ns:t')
const ALL: Part = { startRow: EMPTY, stopRow: EMPTY, timeRange: TimeRange.ALL, columns: [] }
const KEPT = [
  ['VERSIONS', '1000'],
  ['KEEP_DELETED_CELLS', 'TRUE'],
] as const

async function storeOf(cells: readonly CellParts[]): Promise<Store> {
  const store = openMemoryStore({ clock: { now: () => 1_700_000_000_000 } })
  await store.catalog.createNamespace({ name: 'ns', properties: new Map() }, OWN_CALL)
  const families = ['f', 'g'].map((name) => familyDescriptor(name, KEPT))
  await store.catalog.createTable(
    tableDescriptor(T, families),
    [Buffer.from('3'), Buffer.from('6')],
    OWN_CALL,
  )
  const batch = new MutationBatch()
  for (const { row, family, qualifier, type, timestamp, value } of cells)
    batch.cell(row, family, qualifier, type, timestamp, value).endMutation()
  expect(await store.rows.mutate(T, batch, OWN_CALL)).toEqual([])
  return store
}

async function rawCells(store: Store, table: TableName = T, part = ALL): Promise<CellParts[]> {
  const cells: CellParts[] = []
  for await (const piece of rawPieces(store, table, part, OWN_CALL))
    cells.push(...cellsOf(piece.results.cells).map((cell) => ({ ...cell, value: Buffer.from(cell.value) })))
  return cells
}

function jobOf(source: Store, destination: Store, more: Partial<CopyJob> = {}): CopyJob {
  return {
    source,
    destination,
    tables: [{ from: T, to: T }],
    part: ALL,
    create: true,
    name: 'job',
    keeper: undefined,
    bytesPerSecond: Number.POSITIVE_INFINITY,
    call: OWN_CALL,
    now: () => 0,
    pause: () => Promise.resolve(),
    report: () => undefined,
    ...more,
  }
}

const anyCell: fc.Arbitrary<CellParts> = fc
  .record({
    row: fc.constantFrom('1', '2', '3', '3\0', '5', '9').map((text) => Buffer.from(text)),
    family: fc.constantFrom('f', 'g').map((text) => Buffer.from(text)),
    qualifier: fc.constantFrom('', 'a', 'b', '\xff').map((text) => Buffer.from(text, 'latin1')),
    timestamp: fc.constantFrom(0n, 1n, 2n, 1_579_141_440_000_000n, 2n ** 63n - 2n),
    type: fc.constantFrom(
      CellType.Put,
      CellType.Put,
      CellType.Delete,
      CellType.DeleteColumn,
      CellType.DeleteFamily,
      CellType.DeleteFamilyVersion,
    ),
    value: fc.uint8Array({ maxLength: 5 }).map((bytes) => Buffer.from(bytes)),
  })
  .map((cell) => {
    const isOfFamily = cell.type === CellType.DeleteFamily || cell.type === CellType.DeleteFamilyVersion
    return {
      ...cell,
      qualifier: isOfFamily ? EMPTY : cell.qualifier,
      value: cell.type === CellType.Put ? cell.value : EMPTY,
    }
  })

/** A state that survives the end of a run, which may come before it is saved or right behind it. */
class Keeper implements StateKeeper {
  #state: CopyState | undefined
  interruption = new Interruption(Number.POSITIVE_INFINITY, false)

  load(): CopyState | undefined {
    return this.#state
  }

  save(state: CopyState): void {
    if (this.interruption.left-- > 0) {
      this.#state = state
      return
    }
    if (this.interruption.isLate) this.#state = state
    throw new Error('interrupted')
  }
}

test('a copy that is interrupted anywhere, again and again, loses nothing', async () => {
  const moments = fc.array(fc.record({ left: fc.nat(40), isLate: fc.boolean() }), { maxLength: 6 })
  const property = fc.asyncProperty(fc.array(anyCell, { maxLength: 40 }), moments, async (cells, ends) => {
    const [source, destination] = [await storeOf(cells), openMemoryStore({ clock: { now: () => 0 } })]
    const keeper = new Keeper()
    const runs = [...ends.map(({ left, isLate }) => new Interruption(left, isLate)), undefined]
    for (const given of runs) {
      const interruption = given ?? new Interruption(Number.POSITIVE_INFINITY, false)
      keeper.interruption = interruption
      const [from, to] = [source, destination].map((store) => interruptedStore(store, interruption))
      const copied = copyTables(jobOf(from!, to!, { keeper })).then(
        () => true,
        () => false,
      )
      if (given === undefined) expect(await copied).toBe(true)
      else await copied
    }
    expect(await rawCells(destination)).toEqual(await rawCells(source))
    const regions = await destination.catalog.regions(T, OWN_CALL)
    expect(regions.map(({ startKey }) => startKey.toString())).toEqual(['', '3', '6'])
  })
  await fc.assert(property, { numRuns: testRuns(150), ...(SEED !== undefined && { seed: SEED }) })
})

function put(row: string, timestamp: bigint, family = 'f'): CellParts {
  const [qualifier, value] = [Buffer.from('q'), Buffer.from(`${row} at ${timestamp}`)]
  return {
    row: Buffer.from(row),
    family: Buffer.from(family),
    qualifier,
    timestamp,
    type: CellType.Put,
    value,
  }
}

test('a part is copied: rows, times, families, under another name', async () => {
  const source = await storeOf([put('1', 5n), put('4', 5n), put('4', 9n), put('4', 5n, 'g'), put('7', 5n)])
  const destination = openMemoryStore({ clock: { now: () => 0 } })
  const other = parseTableName('other')
  const part: Part = {
    startRow: Buffer.from('2'),
    stopRow: Buffer.from('7'),
    timeRange: TimeRange.between(0n, 9n),
    columns: [{ family: Buffer.from('f'), qualifiers: undefined }],
  }
  const reports = await copyTables(jobOf(source, destination, { tables: [{ from: T, to: other }], part }))
  expect(reports.map(({ rows, cells, isDone, regions }) => [rows, cells, isDone, regions])).toEqual([
    [1, 1, true, 3],
  ])
  expect((await rawCells(destination, other)).map(({ value }) => value.toString())).toEqual(['4 at 5'])
})

test('a state of another copy, and a destination without the family, are refused before anything is written', async () => {
  const source = await storeOf([put('1', 5n, 'g')])
  const destination = openMemoryStore({ clock: { now: () => 0 } })
  const keeper = new Keeper()
  await copyTables(jobOf(source, destination, { keeper }))
  await expect(copyTables(jobOf(source, destination, { keeper, name: 'another' }))).rejects.toThrow(
    'the resume file is of another copy, job: name another file, or remove it',
  )
  const narrow = parseTableName('narrow')
  await destination.catalog.createTable(tableDescriptor(narrow, [familyDescriptor('f')]), [], OWN_CALL)
  await expect(copyTables(jobOf(source, destination, { tables: [{ from: T, to: narrow }] }))).rejects.toThrow(
    'table narrow of the destination has no family g',
  )
  await expect(
    copyTables(jobOf(source, destination, { tables: [{ from: T, to: parseTableName('x') }], create: false })),
  ).rejects.toThrow()
})

test('the rate is kept, and progress is reported once a second', async () => {
  // The last region has most of them.
  const rows = ['0', '1', '3', '4', ...Array.from({ length: 20 }, (_, i) => `7${i}`)]
  const source = await storeOf(rows.map((row) => put(row, 1n)))
  const destination = openMemoryStore({ clock: { now: () => 0 } })
  let time = 0
  const reports: CopyProgress[] = []
  const slow = {
    bytesPerSecond: 50,
    now: () => time,
    pause: async (milliseconds: number) => {
      time += milliseconds
    },
    report: (each: CopyProgress) => void reports.push(each),
  }
  const from = interruptedStore(source, new Interruption(Number.POSITIVE_INFINITY, false))
  await copyTables(jobOf(from, destination, slow))
  const { bytes, seconds } = reports.at(-1)!
  expect(bytes / seconds).toBeCloseTo(50, 0)
  expect(reports.length).toBeGreaterThan(2)
  expect(
    reports.some(({ secondsLeft, isDone }) => !isDone && secondsLeft !== undefined && secondsLeft > 0),
  ).toBe(true)
  expect(progressText(reports.at(-1)!)).toMatch(/^ns:t: 24 rows, \d+ bytes, 50 bytes\/s, done in [\d.]+ s$/)
})

test('a row that comes in pieces is counted once', async () => {
  const cells = ['1', '2', '4'].flatMap((row) => Array.from({ length: 9 }, (_, i) => put(row, BigInt(i))))
  const from = interruptedStore(await storeOf(cells), new Interruption(Number.POSITIVE_INFINITY, false))
  const reports = await copyTables(jobOf(from, openMemoryStore({ clock: { now: () => 0 } })))
  expect(reports.map(({ rows, cells: copied }) => [rows, copied])).toEqual([[3, 27]])
})

test('a table that is copied according to the state is reported, not skipped silently', async () => {
  const source = await storeOf([put('1', 5n)])
  const destination = openMemoryStore({ clock: { now: () => 0 } })
  const keeper = new Keeper()
  await copyTables(jobOf(source, destination, { keeper }))
  const warned: string[] = []
  await copyTables(jobOf(source, destination, { keeper, warn: (text) => void warned.push(text) }))
  expect(warned).toEqual(['ns:t: the resume file says that all of it is copied: nothing was done'])
})

test('a disabled table, and one that cannot be copied, are named, and the others are copied', async () => {
  const source = await storeOf([put('1', 5n), put('2', 5n, 'g')])
  const [off, good] = ['off', 'good'].map((name) => parseTableName(name))
  for (const name of [off!, good!])
    await source.catalog.createTable(tableDescriptor(name, [familyDescriptor('f')]), [], OWN_CALL)
  await source.catalog.disableTable(off!, OWN_CALL)
  const destination = openMemoryStore({ clock: { now: () => 0 } })
  await destination.catalog.createNamespace({ name: 'ns', properties: new Map() }, OWN_CALL)
  await destination.catalog.createTable(tableDescriptor(T, [familyDescriptor('f')]), [], OWN_CALL)
  const left: string[] = []
  const tables = [off!, T, good!].map((name) => ({ from: name, to: name }))
  const leftOut = (table: string, reason: unknown): void => void left.push(`${table}: ${String(reason)}`)
  const reports = await copyTables(jobOf(source, destination, { tables, leftOut }))
  expect(left).toEqual([
    expect.stringMatching(/^off: .*off/),
    'ns:t: Error: table ns:t of the destination has no family g',
  ])
  expect(reports.map(({ table }) => table)).toEqual(['good'])
  expect(await destination.catalog.tableExists(off!, OWN_CALL)).toBe(false)
  await expect(copyTables(jobOf(source, destination, { tables }))).rejects.toMatchObject({
    code: 'TABLE_NOT_ENABLED',
  })
})

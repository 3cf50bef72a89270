/** Reads of rows of very many cells: others have their turns meanwhile, and the answer is as of one moment. */

import { setImmediate as nextRound } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openNativeStore } from '../../../adapters/native/open-native-store.ts'
import { openScanner } from '../../../src/gateway/reads/scanner.ts'
import { cellsOf } from '../../../src/model/cell-block.ts'
import type { Filter } from '../../../src/model/filter.ts'
import { MutationBatch } from '../../../src/model/mutation.ts'
import { ALL_VERSIONS, ColumnsBuilder, get, type Query, scan } from '../../../src/model/query.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { Store } from '../../../src/store/store.ts'
import { CrashableFileSystem } from '../../harness/simulation/crashable-file-system.ts'
import { rest, TABLE, tableOf } from './store-under-test.ts'

const COLUMNS = 20_000
const FAMILY = Buffer.from('f')
const PUTS = Buffer.from('puts')
const DELETED = Buffer.from('deleted')
/** Rounds of the event loop: a turn ends with the first look at the clock, which is due after some thousand cells. */
const ROUNDS_MIN = 2

let store: Store
/** Milliseconds since any moment: a look at the clock takes longer than a turn may, or `lookMs`. */
let monotonicMs = 0
let lookMs = 25

function qualifier(index: number): Buffer {
  return Buffer.from(`q${String(index).padStart(6, '0')}`)
}

async function put(row: Buffer, fill: (batch: MutationBatch, column: Buffer) => void): Promise<void> {
  const batch = new MutationBatch()
  for (let i = 0; i < COLUMNS; i++) fill(batch, qualifier(i))
  batch.endMutation()
  expect(await store.rows.mutate(TABLE, batch, OWN_CALL)).toEqual([])
}

beforeAll(async () => {
  store = await openNativeStore({
    directory: '/s',
    fileSystem: new CrashableFileSystem(),
    clock: { now: () => 1_700_000_000_000, monotonicMs: () => (monotonicMs += lookMs) },
    random: Math.random,
  })
  await store.catalog.createTable(tableOf('f'), [], OWN_CALL)
  await put(PUTS, (batch, column) => batch.put(PUTS, FAMILY, column, column))
  await put(DELETED, (batch, column) => batch.put(DELETED, FAMILY, column, column))
  await put(DELETED, (batch, column) => batch.deleteColumn(DELETED, FAMILY, column))
})

afterAll(() => store.close())

async function roundsDuring<Result>(work: Promise<Result>): Promise<{ result: Result; rounds: number }> {
  const state = { isOver: false }
  const result = work.finally(() => {
    state.isOver = true
  })
  let rounds = 0
  while (!state.isOver) {
    await nextRound()
    rounds++
  }
  return { result: await result, rounds }
}

async function read(row: Buffer, options: Partial<Query>): Promise<{ found: Buffer[]; rounds: number }> {
  const reading = store.rows.get(TABLE, [get(row, options)], { bytes: 1 << 28 }, OWN_CALL)
  const { result, rounds } = await roundsDuring(reading)
  return { found: cellsOf(result.cells).map((cell) => cell.qualifier), rounds }
}

const everyColumn = new ColumnsBuilder()
for (let i = 0; i < COLUMNS; i++) everyColumn.addColumn(FAMILY, qualifier(i))

describe('a get of a row of very many cells', () => {
  it.each([
    ['puts', PUTS, {}, COLUMNS],
    ['puts, of all versions', PUTS, { maxVersions: ALL_VERSIONS }, COLUMNS],
    ['columns by name', PUTS, { columns: everyColumn.build() }, COLUMNS],
    ['a page', PUTS, { familyOffset: COLUMNS - 10, familyLimit: 4 }, 4],
    ['deleted columns', DELETED, {}, 0],
  ])('lets others have their turns: %s', async (_, row, options, count) => {
    const { found, rounds } = await read(row, options)
    expect(found.length).toBe(count)
    expect(found.toSorted((a, b) => a.compare(b))).toEqual(found)
    expect(rounds).toBeGreaterThan(ROUNDS_MIN)
  })

  it('does so among other gets, each of which has its own cells', async () => {
    const small = Buffer.from('small')
    const batch = new MutationBatch()
    batch.put(small, FAMILY, qualifier(0), small).endMutation()
    await store.rows.mutate(TABLE, batch, OWN_CALL)
    const gets = [get(small), get(PUTS), get(DELETED), get(small)]
    const reading = store.rows.get(TABLE, gets, { bytes: 1 << 28 }, OWN_CALL)
    const { result, rounds } = await roundsDuring(reading)
    expect(result.counts).toEqual([1, COLUMNS, 0, 1])
    expect(rounds).toBeGreaterThan(ROUNDS_MIN)
  })

  it('sees the row as it was when the get began', async () => {
    const reading = read(PUTS, { maxVersions: ALL_VERSIONS })
    const batch = new MutationBatch()
    batch.put(PUTS, FAMILY, Buffer.from('z'), PUTS).endMutation()
    const writing = store.rows.mutate(TABLE, batch, OWN_CALL)
    expect((await reading).found.length).toBe(COLUMNS)
    await writing
    await store.upkeep.flushes!.flushTable(TABLE, OWN_CALL)
    expect((await read(PUTS, {})).found.length).toBe(COLUMNS + 1)
  })
})

describe('a scan of rows of very many cells', () => {
  it.each([
    ['forwards', false],
    ['backwards', true],
  ])('lets others have their turns: %s', async (_, reversed) => {
    const scanner = await openScanner(store, TABLE, scan({ reversed }), OWN_CALL)
    const { result, rounds } = await roundsDuring(rest(scanner))
    expect(result.length).toBeGreaterThanOrEqual(COLUMNS)
    expect(rounds).toBeGreaterThan(ROUNDS_MIN)
    await scanner.close()
  })
})

/** Milliseconds of the longest round of the event loop, by the clock that looks move. */
async function longestRound(works: readonly Promise<unknown>[]): Promise<number> {
  const state = { isOver: false }
  const all = Promise.all(works).finally(() => {
    state.isOver = true
  })
  let longest = 0
  while (!state.isOver) {
    const before = monotonicMs
    await nextRound()
    longest = Math.max(longest, monotonicMs - before)
  }
  await all
  return longest
}

describe('many reads at once', () => {
  const filters = Array.from(
    { length: 10 },
    (_, i): Filter => ({
      kind: 'ValueFilter',
      operator: 'EQUAL',
      comparator: { kind: 'BinaryComparator', value: Buffer.from(`missing${i}`) },
    }),
  )
  const filter: Filter = { kind: 'FilterList', operator: 'MUST_PASS_ONE', filters }

  it.each<[string, () => Promise<unknown>]>([
    ['gets', () => store.rows.get(TABLE, [get(PUTS, { filter })], { bytes: 1 << 28 }, OWN_CALL)],
    [
      'scans',
      async () => {
        const scanner = await openScanner(store, TABLE, scan({ startRow: PUTS, filter }), OWN_CALL)
        await rest(scanner)
        await scanner.close()
      },
    ],
  ])('share a turn: %s', async (_, begin) => {
    lookMs = 1
    const longest = await longestRound(Array.from({ length: 8 }, begin))
    lookMs = 25
    expect(longest).toBeGreaterThan(10)
    expect(longest).toBeLessThan(100)
  })
})

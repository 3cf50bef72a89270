/** Filters of so many parts that making them takes long: no turn of the event loop takes longer than a tenth of a second. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openNativeStore } from '../../../adapters/native/open-native-store.ts'
import { openScanner } from '../../../src/gateway/reads/scanner.ts'
import type { Filter, FuzzyKey, RowRange } from '../../../src/model/filter.ts'
import { DEFAULT_MUTATION_OPTIONS, MutationBatch } from '../../../src/model/mutation.ts'
import { get, scan } from '../../../src/model/query.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { Store } from '../../../src/store/store.ts'
import { longestTurnOfBestTry } from '../../harness/longest-turn.ts'
import { CrashableFileSystem } from '../../harness/simulation/crashable-file-system.ts'
import { rest, TABLE, tableOf } from './store-under-test.ts'

const TURN_MS_MAX = 100
const PARTS = 40_000
const FAMILY = Buffer.from('f')
const ROWS = ['a0000007', 'm0000007', 'z0000007']

let store: Store

beforeAll(async () => {
  store = await openNativeStore({
    directory: '/s',
    fileSystem: new CrashableFileSystem(),
    clock: { now: () => 1_700_000_000_000, monotonicMs: () => performance.now() },
    random: Math.random,
  })
  await store.catalog.createTable(tableOf('f'), [Buffer.from('h'), Buffer.from('p')], OWN_CALL)
  const batch = new MutationBatch()
  for (const row of ROWS)
    batch.put(Buffer.from(row), FAMILY, Buffer.from('q0000007'), Buffer.from('7'), 7n).endMutation()
  await store.rows.mutate(TABLE, batch, OWN_CALL)
})

afterAll(() => store.close())

/** In no order. */
function shuffled<Part>(make: (index: number) => Part): Part[] {
  return Array.from({ length: PARTS }, (_, i) => make((i * 7919) % PARTS))
}

function numbered(prefix: string, number: number): Buffer {
  return Buffer.from(prefix + String(number).padStart(7, '0'))
}

/** Each has a part for the row that is read, and passes no other row. */
const FILTERS: readonly (readonly [string, (row: string) => Filter])[] = [
  [
    'a list of filters',
    (row) => ({
      kind: 'FilterList',
      operator: 'MUST_PASS_ONE',
      filters: shuffled((i) => ({ kind: 'PrefixFilter', prefix: numbered(row[0]!, i) })),
    }),
  ],
  [
    'row ranges',
    (row) => ({
      kind: 'MultiRowRangeFilter',
      ranges: shuffled((i): RowRange => {
        const startRow = numbered(row[0]!, i)
        return { startRow, includeStartRow: true, stopRow: startRow, includeStopRow: true }
      }),
    }),
  ],
  [
    'fuzzy keys',
    (row) => ({
      kind: 'FuzzyRowFilter',
      isMaskV2: false,
      keys: shuffled((i): FuzzyKey => ({ row: numbered(row[0]!, i), mask: Buffer.alloc(8, 0xff) })),
    }),
  ],
  [
    'column prefixes',
    (row) => ({
      kind: 'FilterList',
      operator: 'MUST_PASS_ALL',
      filters: [
        { kind: 'PrefixFilter', prefix: Buffer.from(row) },
        { kind: 'MultipleColumnPrefixFilter', prefixes: shuffled((i) => numbered('q', i)) },
      ],
    }),
  ],
  [
    'time stamps',
    (row) => ({
      kind: 'FilterList',
      operator: 'MUST_PASS_ALL',
      filters: [
        { kind: 'PrefixFilter', prefix: Buffer.from(row) },
        { kind: 'TimestampsFilter', timestamps: shuffled(BigInt), canHint: false },
      ],
    }),
  ],
]

describe.each(FILTERS)('a turn of the event loop is short while %s', (_, filterFor) => {
  it('are made for a get, and for each region of a scan', async () => {
    const row = 'm0000007'
    const filter = filterFor(row)
    const longest = await longestTurnOfBestTry(TURN_MS_MAX, async () => {
      const { counts } = await store.rows.get(
        TABLE,
        [get(Buffer.from(row), { filter })],
        { bytes: 1 << 20 },
        OWN_CALL,
      )
      expect(counts).toEqual([1])
      const scanner = await openScanner(store, TABLE, scan({ filter }), OWN_CALL)
      expect(await rest(scanner)).toEqual([`${row}=7`])
      await scanner.close()
    })
    expect(longest).toBeLessThan(TURN_MS_MAX)
  })

  it('are a condition', async () => {
    const row = Buffer.from('z0000007')
    const condition = { kind: 'filter', filter: filterFor(row.toString()) } as const
    const longest = await longestTurnOfBestTry(TURN_MS_MAX, async () => {
      const mutation = { row, operations: [], condition, options: DEFAULT_MUTATION_OPTIONS }
      expect((await store.rows.mutateRow(TABLE, mutation, OWN_CALL)).applied).toBe(true)
    })
    expect(longest).toBeLessThan(TURN_MS_MAX)
  })
})

it('is made for the next region of a scan only once the rows before it are answered', async () => {
  const [, rangesFor] = FILTERS[1]!
  const scanner = await openScanner(store, TABLE, scan({ filter: rangesFor('a') }), OWN_CALL)
  const waiting = { turns: 0, isOver: false }
  const count = (): void => {
    waiting.turns++
    if (!waiting.isOver) setImmediate(count)
  }
  setImmediate(count)
  const { results, ended } = await scanner.next({ rows: 10, bytes: 1 << 20, allowPartial: false }, OWN_CALL)
  waiting.isOver = true
  expect({ counts: results.counts, ended }).toEqual({ counts: [1], ended: 'region' })
  expect(waiting.turns).toBeLessThan(3)
  expect(await rest(scanner)).toEqual([])
  await scanner.close()
})

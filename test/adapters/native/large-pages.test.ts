/** Pages of a scan that have many megabytes: others have their turns while rows are read, and while their results are joined. */

import { setImmediate as nextRound } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openNativeStore } from '../../../adapters/native/open-native-store.ts'
import { giveBack } from '../../../src/gateway/reads/loans.ts'
import { openScanner } from '../../../src/gateway/reads/scanner.ts'
import { cellsOf } from '../../../src/model/cell-block.ts'
import { MutationBatch } from '../../../src/model/mutation.ts'
import { scan } from '../../../src/model/query.ts'
import { gathered } from '../../../src/model/results.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { Store } from '../../../src/store/store.ts'
import { CrashableFileSystem } from '../../harness/simulation/crashable-file-system.ts'
import { TABLE, tableOf } from './store-under-test.ts'

const FAMILY = Buffer.from('f')
const VALUE = Buffer.alloc(1_000_000, 'v')
const VALUES = 20
/** Of two megabytes there is one at least, while they are read or copied. */
const ROUNDS_MIN = VALUES / 2
const PAGE_BYTES = 100 * 1024 * 1024

let store: Store
let monotonicMs = 0

beforeAll(async () => {
  store = await openNativeStore({
    directory: '/s',
    fileSystem: new CrashableFileSystem(),
    // A look at the clock takes longer than a turn may.
    clock: { now: () => 1_700_000_000_000, monotonicMs: () => (monotonicMs += 25) },
    random: Math.random,
  })
  await store.catalog.createTable(tableOf('f'), [], OWN_CALL)
  for (let i = 0; i < VALUES; i++) {
    const batch = new MutationBatch()
    const name = Buffer.from(String(i).padStart(2, '0'))
    batch.put(Buffer.concat([Buffer.from('rows'), name]), FAMILY, name, VALUE).endMutation()
    batch.put(Buffer.from('wide'), FAMILY, name, VALUE).endMutation()
    expect(await store.rows.mutate(TABLE, batch, OWN_CALL)).toEqual([])
  }
})

afterAll(() => store.close())

it.each([
  ['rows', false, false, VALUES],
  ['rows', true, false, VALUES],
  ['rows', false, true, VALUES],
  ['wide', false, false, 1],
  ['wide', true, false, 1],
  ['wide', false, true, 1],
])('%s of megabytes, in parts: %s, scattered: %s', async (prefix, allowPartial, allowScattered, results) => {
  const range = { startRow: Buffer.from(prefix), stopRow: Buffer.from(`${prefix}~`) }
  const scanner = await openScanner(store, TABLE, scan(range), OWN_CALL)
  const limits = { rows: 1000, bytes: PAGE_BYTES, allowPartial, allowScattered }
  const state = { isOver: false }
  const reading = scanner.next(limits, OWN_CALL).finally(() => {
    state.isOver = true
  })
  let rounds = 0
  for (; !state.isOver; rounds++) await nextRound()
  const { results: found } = await reading
  expect(found.counts).toHaveLength(results)
  const cells = cellsOf(gathered(found).cells)
  expect(cells.map(({ qualifier }) => Number(qualifier))).toEqual(cells.map((_, index) => index))
  expect(cells.every(({ value }) => value.equals(VALUE))).toBe(true)
  expect(cells).toHaveLength(VALUES)
  expect(rounds).toBeGreaterThan(ROUNDS_MIN)
  giveBack(store.handouts, found)
  await scanner.close()
})

/** Filters that take long, by a clock that moves ten milliseconds at each look at it: other requests have their turn in between. */

import { describe, expect, it } from 'vitest'
import { openNativeStore } from '../../../../adapters/native/open-native-store.ts'
import { openScanner } from '../../../../src/gateway/reads/scanner.ts'
import { cellsOf } from '../../../../src/model/cell-block.ts'
import type { Filter } from '../../../../src/model/filter.ts'
import { MutationBatch } from '../../../../src/model/mutation.ts'
import { get, scan } from '../../../../src/model/query.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import type { Store } from '../../../../src/store/store.ts'
import { CrashableFileSystem } from '../../../harness/simulation/crashable-file-system.ts'
import { numbered, rest, TABLE, tableOf } from '../store-under-test.ts'

const ROWS = numbered(100)
const ANY_ROW: Filter = { kind: 'PrefixFilter', prefix: Buffer.from('r') }
const NO_ROW: Filter = { kind: 'SkipFilter', filter: { kind: 'FilterAllFilter' } }

async function slowStore(): Promise<Store> {
  let ms = 0
  const store = await openNativeStore({
    directory: '/s',
    fileSystem: new CrashableFileSystem(),
    clock: { now: () => 1_700_000_000_000, monotonicMs: () => (ms += 10) },
    random: Math.random,
  })
  await store.catalog.createTable(tableOf('f'), [], OWN_CALL)
  const batch = new MutationBatch()
  for (const row of ROWS)
    batch.put(Buffer.from(row), Buffer.from('f'), Buffer.from('q'), Buffer.from('v')).endMutation()
  await store.rows.mutate(TABLE, batch, OWN_CALL)
  return store
}

async function turnsDuring<T>(work: () => Promise<T>): Promise<{ turns: number; result: T }> {
  let turns = 0
  let counting = setImmediate(function count() {
    turns++
    counting = setImmediate(count)
  })
  const result = await work()
  clearImmediate(counting)
  return { turns, result }
}

describe('turns of the event loop', () => {
  it.each([ANY_ROW, NO_ROW, undefined])('while a scan runs with the filter %j', async (filter) => {
    const store = await slowStore()
    const { turns, result } = await turnsDuring(async () =>
      rest(await openScanner(store, TABLE, scan(filter === undefined ? {} : { filter }), OWN_CALL)),
    )
    expect(result).toEqual(filter === NO_ROW ? [] : ROWS.map((row) => `${row}=v`))
    if (filter === undefined) expect(turns).toBeLessThan(5)
    else expect(turns).toBeGreaterThan(ROWS.length / 4)
    await store.close()
  })

  it('while many gets are answered', async () => {
    const store = await slowStore()
    const gets = ROWS.map((row) => get(Buffer.from(row), { filter: ANY_ROW }))
    const { turns, result } = await turnsDuring(() =>
      store.rows.get(TABLE, gets, { bytes: 1 << 20 }, OWN_CALL),
    )
    expect(cellsOf(result.cells).map(({ row }) => row.toString())).toEqual(ROWS)
    expect(turns).toBeGreaterThan(ROWS.length / 4)
    await store.close()
  })
})

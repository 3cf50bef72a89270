import { pino } from 'pino'
import { beforeEach, describe, expect, test } from 'vitest'
import { openMemoryStore } from '../../../../adapters/memory/memory-store.ts'
import { parseFilterString } from '../../../../src/filter/language/parse-filter-string.ts'
import { SlowLines } from '../../../../src/gateway/observing/slow/slow-lines.ts'
import { withSlowLog } from '../../../../src/gateway/observing/slow/slow-log.ts'
import { openScanner } from '../../../../src/gateway/reads/scanner.ts'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { MutationBatch } from '../../../../src/model/mutation.ts'
import { get, scan } from '../../../../src/model/query.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { type Call, OWN_CALL } from '../../../../src/store/call.ts'
import type { Store } from '../../../../src/store/store.ts'
import { StoreUnderTest } from '../../../adapters/native/store-under-test.ts'

const T = parseTableName('t')
const CALL: Call = { ...OWN_CALL, client: '10.0.0.1:7' }
const LIMITS = { rows: 100, bytes: 1 << 20, allowPartial: false }

const STORES: Readonly<Record<string, () => Promise<Store>>> = {
  memory: async () => openMemoryStore({ clock: { now: Date.now } }),
  native: async () => (await StoreUnderTest.open()).store,
}

describe.each(Object.keys(STORES))('the slow log of a %s store', (kind) => {
  let lines: Record<string, unknown>[]
  let now: number
  /** Milliseconds from each look at the clock to the next. */
  let slowness: number
  let store: Store

  beforeEach(async () => {
    lines = []
    now = 0
    slowness = 0
    const plain = await STORES[kind]!()
    const write = (line: string): void => void lines.push(JSON.parse(line) as Record<string, unknown>)
    store = withSlowLog(plain, 100, pino({ base: null }, { write }), () => {
      now += slowness
      return now
    })
    await store.catalog.createTable(tableDescriptor(T, [familyDescriptor('f')]), [], OWN_CALL)
    const batch = new MutationBatch()
    for (let i = 0; i < 50; i++) {
      const value = Buffer.from(i === 7 ? 'x' : 'v')
      batch.put(Buffer.from(`r${i + 10}`), Buffer.from('f'), Buffer.from('q'), value)
      batch.endMutation()
    }
    await store.rows.mutate(T, batch, CALL)
  })

  test('has no line for what is fast enough', async () => {
    slowness = 99
    await store.rows.get(T, [get(Buffer.from('r10'))], { bytes: 1000 }, CALL)
    expect(lines).toEqual([])
  })

  test('tells what a slow get has read and found, and who asked', async () => {
    slowness = 150
    await store.rows.get(T, [get(Buffer.from('r10')), get(Buffer.from('none'))], { bytes: 1000 }, CALL)
    expect(lines).toMatchObject([
      {
        msg: 'slow: get of t took the store 150 ms',
        operation: 'get',
        table: 't',
        client: '10.0.0.1:7',
        storeMs: 150,
        rowsExamined: 2,
        rowsReturned: 1,
        bytes: expect.any(Number) as number,
      },
    ])
  })

  test('tells the rows that a slow scan has examined for those that it returns', async () => {
    const filter = parseFilterString(Buffer.from("ValueFilter(=, 'binary:x')"))
    const scanner = await openScanner(store, T, scan({ filter }), CALL)
    slowness = 150
    const batch = await scanner.next(LIMITS, CALL)
    expect(batch.results.counts).toEqual([1])
    await scanner.close()
    expect(lines).toMatchObject([
      { operation: 'next', table: 't', rowsExamined: 50, rowsReturned: 1, cellsExamined: 50 },
    ])
  })

  test('tells slow writes, and what failed slowly', async () => {
    slowness = 150
    const batch = new MutationBatch()
    batch.put(Buffer.from('s'), Buffer.from('f'), Buffer.from('q'), Buffer.from('v'))
    batch.endMutation()
    await store.rows.mutate(T, batch, CALL)
    const missing = store.rows.mutate(parseTableName('none'), batch, CALL)
    await expect(missing).rejects.toMatchObject({ code: 'TABLE_NOT_FOUND' })
    expect(lines).toMatchObject([
      { operation: 'mutate', mutations: 1, refused: 0 },
      { operation: 'mutate', exception: 'TABLE_NOT_FOUND' },
    ])
  })
})

test('the slow log has 20 lines a second, and counts the others', async () => {
  const lines: Record<string, unknown>[] = []
  const write = (line: string): void => void lines.push(JSON.parse(line) as Record<string, unknown>)
  let now = 5_000
  const slow = new SlowLines(0, pino({ base: null }, { write }), () => now)
  const named = { operation: 'get', table: 't', client: undefined, user: undefined }
  const operate = (): Promise<void> =>
    slow.timed(
      named,
      () => Promise.resolve(),
      () => ({}),
    )
  for (let i = 0; i < 50; i++) await operate()
  expect(lines).toHaveLength(20)
  now += 1_000
  await operate()
  expect(lines.slice(20)).toMatchObject([{ unreported: 30 }])
})

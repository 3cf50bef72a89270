import { describe, expect, test } from 'vitest'
import { HBaseHandouts } from '../../../../adapters/hbase/scan/hbase-handouts.ts'
import { scan } from '../../../../src/model/query.ts'
import { gathered } from '../../../../src/model/results.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { bytes, failure, NO_LIMITS, resultTexts } from '../../../store/suite/store-under-test.ts'
import { TABLE } from '../fake-cluster.ts'
import { puts, start, textOf } from '../store-on-fake-cluster.ts'

describe('loans', () => {
  test('give their memory back once', () => {
    const handouts = new HBaseHandouts()
    const released: string[] = []
    const [first, second] = ['first', 'second'].map((name) => handouts.lend(() => released.push(name)))
    handouts.release(second!)
    handouts.release(second!)
    handouts.release(first!)
    handouts.release(first! + 1000)
    expect(released).toEqual(['second', 'first'])
  })

  test('are forgotten where no caller releases them', () => {
    const handouts = new HBaseHandouts()
    const released: number[] = []
    const loans = Array.from({ length: 100 }, (_, i) => handouts.lend(() => released.push(i)))
    for (const loan of loans) handouts.release(loan)
    expect(released).toEqual(Array.from({ length: 32 }, (_, i) => 68 + i))
  })
})

describe('a scanner', () => {
  test('lends the memory of an answer that it hands on whole, and copies what it keeps', async () => {
    const { fake, store } = start()
    await fake.passing(store.rows.mutate(TABLE, puts('a', 'b', 'h'), OWN_CALL))
    const { id } = await fake.passing(store.rows.openScanner(TABLE, scan(), OWN_CALL))
    const first = await fake.passing(store.handouts.next(id, NO_LIMITS, OWN_CALL))
    expect(resultTexts(first.results)).toEqual([textOf('a'), textOf('b')])
    expect(first.results.loan).toBeGreaterThan(id)
    expect(Object.keys(first.results)).toEqual(['cells', 'counts', 'stale', 'loan'])
    store.handouts.release(first.results.loan!)
    // The memory serves another answer now.
    expect(gathered(first.results).cells.buffer[0]).toBe(0xee)
    const cut = await fake.passing(store.handouts.next(id, { ...NO_LIMITS, bytes: 1 }, OWN_CALL))
    expect(resultTexts(cut.results)).toEqual([textOf('h')])
    await store.handouts.closeScanner(id)
  })

  test('is known by its id, until it is closed', async () => {
    const { fake, store } = start()
    const ids: number[] = []
    for (let i = 0; i < 3; i++) {
      const { id } = await fake.passing(store.rows.openScanner(TABLE, scan(), OWN_CALL))
      ids.push(id)
      await store.handouts.closeScanner(id)
      await store.handouts.closeScanner(id)
      expect(await failure(store.handouts.next(id, NO_LIMITS, OWN_CALL))).toBe(
        `UNKNOWN_SCANNER: Unknown scanner '${id}'`,
      )
    }
    expect(new Set(ids).size).toBe(3)
  })

  test('keeps nothing of the request that opened it', async () => {
    const { fake, store } = start()
    await fake.passing(store.rows.mutate(TABLE, puts('a', 'h', 'z'), OWN_CALL))
    const stopRow = bytes('zz')
    const prefix = bytes('z')
    const filter = {
      kind: 'FilterList',
      operator: 'MUST_PASS_ALL',
      filters: [{ kind: 'PrefixFilter', prefix }],
    } as const
    const opening = store.rows.openScanner(TABLE, scan({ stopRow, filter }), OWN_CALL)
    const { id } = await fake.passing(opening)
    stopRow.fill(0)
    prefix.fill(0)
    const first = await fake.passing(store.handouts.next(id, NO_LIMITS, OWN_CALL))
    await fake.passing(store.handouts.next(id, NO_LIMITS, OWN_CALL))
    expect(first.ended).toBe('region')
    const opened = fake.requests.filter((request) => (request as { kind?: string }).kind === 'open')
    for (const request of opened) {
      expect(request).toMatchObject({
        scan: { stopRow: bytes('zz'), filter: { filters: [{ kind: 'PrefixFilter', prefix: bytes('z') }] } },
      })
    }
    expect(opened.length).toBeGreaterThan(1)
    await store.handouts.closeScanner(id)
  })

  test('of a store that is closed is gone', async () => {
    const { fake, store } = start()
    const { id } = await fake.passing(store.rows.openScanner(TABLE, scan(), OWN_CALL))
    await store.close()
    expect(await failure(store.handouts.next(id, NO_LIMITS, OWN_CALL))).toBe(
      'UNAVAILABLE: the store is closed',
    )
    await store.handouts.closeScanner(id)
    store.handouts.release(1)
  })
})

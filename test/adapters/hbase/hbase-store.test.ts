import { describe, expect, test } from 'vitest'
import type { MultiRequest } from '../../../adapters/hbase/messages/multi-method.ts'
import { get } from '../../../src/model/query.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { bytes, failure, NO_GET_LIMITS, resultTexts } from '../../store/suite/store-under-test.ts'
import { TABLE } from './fake-cluster.ts'
import { remote } from './remote.ts'
import { puts, start, textOf } from './store-on-fake-cluster.ts'

describe('gets', () => {
  test('one is a call of its own', async () => {
    const { fake, store } = start()
    await fake.passing(store.rows.mutate(TABLE, puts('a'), OWN_CALL))
    fake.calls.length = 0
    expect(
      resultTexts(await fake.passing(store.rows.get(TABLE, [get(bytes('a'))], NO_GET_LIMITS, OWN_CALL))),
    ).toEqual([textOf('a')])
    expect(
      resultTexts(await fake.passing(store.rows.get(TABLE, [get(bytes('h'))], NO_GET_LIMITS, OWN_CALL))),
    ).toEqual([''])
    expect(fake.calls).toEqual(['Get a', 'Get b'])
  })

  test('many are a call for each server, and come in their order', async () => {
    const { fake, store } = start()
    await fake.passing(store.rows.mutate(TABLE, puts('a', 'b', 'h', 'z'), OWN_CALL))
    fake.calls.length = 0
    const rows = ['z', 'nothing', 'b', 'h', 'a', 'z']
    const results = await fake.passing(
      store.rows.get(
        TABLE,
        rows.map((row) => get(bytes(row))),
        NO_GET_LIMITS,
        OWN_CALL,
      ),
    )
    expect(resultTexts(results)).toEqual(rows.map((row) => (row === 'nothing' ? '' : textOf(row))))
    expect(fake.calls.toSorted()).toEqual(['Multi a', 'Multi b'])
    expect(resultTexts(await fake.passing(store.rows.get(TABLE, [], NO_GET_LIMITS, OWN_CALL)))).toEqual([])
  })

  test('only those are asked again whose region was not there', async () => {
    const { fake, store } = start()
    await fake.passing(store.rows.mutate(TABLE, puts('a', 'h', 'z'), OWN_CALL))
    fake.move(1)
    fake.requests.length = 0
    const results = await fake.passing(
      store.rows.get(
        TABLE,
        ['a', 'h', 'z'].map((row) => get(bytes(row))),
        NO_GET_LIMITS,
        OWN_CALL,
      ),
    )
    expect(resultTexts(results)).toEqual(['a', 'h', 'z'].map(textOf))
    const asked = fake.requests.map((request) =>
      (request as MultiRequest).regionActions.map(({ gets }) => gets!.map(({ row }) => row.toString())),
    )
    expect(asked).toEqual([[['a'], ['z']], [['h']], [['h']]])
  })

  test('an impossible get throws', async () => {
    const { fake, store } = start()
    fake.before = () => {
      throw remote('regionserver.NoSuchColumnFamilyException', 'Column family x does not exist')
    }
    const expected = 'NO_SUCH_COLUMN_FAMILY: Column family x does not exist'
    expect(
      await failure(fake.passing(store.rows.get(TABLE, [get(bytes('a'))], NO_GET_LIMITS, OWN_CALL))),
    ).toBe(expected)
    expect(
      await failure(
        fake.passing(store.rows.get(TABLE, [get(bytes('a')), get(bytes('h'))], NO_GET_LIMITS, OWN_CALL)),
      ),
    ).toBe(expected)
    fake.meta.regions = []
    fake.cluster.locator.forgetTable(TABLE)
    expect(
      await failure(
        fake.passing(store.rows.get(TABLE, [get(bytes('a')), get(bytes('h'))], NO_GET_LIMITS, OWN_CALL)),
      ),
    ).toBe('TABLE_NOT_FOUND: t')
  })

  test('a disabled table is reported at once', async () => {
    const { fake, store } = start()
    fake.meta.states.set('t', 'DISABLED')
    fake.before = () => {
      throw remote('NotServingRegionException', 't,,1 is not online')
    }
    const now = fake.time.now()
    for (const rows of [['a'], ['a', 'h', 'z']]) {
      const gets = rows.map((row) => get(bytes(row)))
      expect(await failure(fake.passing(store.rows.get(TABLE, gets, NO_GET_LIMITS, OWN_CALL)))).toBe(
        'TABLE_NOT_ENABLED: t is disabled.',
      )
      expect(await failure(fake.passing(store.rows.mutate(TABLE, puts(...rows), OWN_CALL)))).toBe(
        'TABLE_NOT_ENABLED: t is disabled.',
      )
    }
    expect(fake.time.now()).toBe(now)
  })
})

test('a closed store takes no more calls, and calls in flight fail', async () => {
  const { fake, store } = start()
  fake.before = () => {
    throw remote('RegionTooBusyException')
  }
  const pending = failure(store.rows.get(TABLE, [get(bytes('a'))], NO_GET_LIMITS, OWN_CALL))
  await fake.passing(Promise.resolve())
  await store.close()
  await store.close()
  expect(await fake.passing(pending)).toMatch(/^REGION_TOO_BUSY/)
  expect(await failure(store.rows.get(TABLE, [get(bytes('a'))], NO_GET_LIMITS, OWN_CALL))).toBe(
    'UNAVAILABLE: the store is closed',
  )
  expect(await failure(store.catalog.listTables(OWN_CALL))).toBe('UNAVAILABLE: the store is closed')
})

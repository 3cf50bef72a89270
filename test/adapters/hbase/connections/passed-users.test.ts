import { beforeEach, describe, expect, test } from 'vitest'
import type { HBaseStore } from '../../../../adapters/hbase/hbase-store.ts'
import { get, scan } from '../../../../src/model/query.ts'
import { type Call, OWN_CALL, onOwnBehalf } from '../../../../src/store/call.ts'
import { bytes, failure, NO_GET_LIMITS, resultTexts } from '../../../store/suite/store-under-test.ts'
import { type FakeCluster, TABLE } from '../fake-cluster.ts'
import { settled } from '../retry/manual-time.ts'
import { puts, start, textOf } from '../store-on-fake-cluster.ts'

let fake: FakeCluster
let store: HBaseStore

beforeEach(async () => {
  ;({ fake, store } = start({}, { as: 'caller', connectionsMax: 100 }))
  await fake.passing(store.rows.mutate(TABLE, puts('a', 'b', 'h', 'z'), OWN_CALL))
  fake.calls.length = 0
  fake.users.length = 0
})

function callOf(user: string | undefined): Call {
  return { ...OWN_CALL, isOwn: false, principal: user === undefined ? undefined : { user } }
}

async function read(row: string, call: Call): Promise<string> {
  return resultTexts(await store.rows.get(TABLE, [get(bytes(row))], NO_GET_LIMITS, call))[0]!
}

const SCAN_LIMITS = { rows: 10, bytes: 1 << 20, allowPartial: false }

describe('the user of a call', () => {
  test('is the user whom the servers see', async () => {
    const ann = callOf('ann')
    expect(await fake.passing(read('a', ann))).toBe(textOf('a'))
    await fake.passing(store.rows.mutate(TABLE, puts('a'), ann))
    await fake.passing(store.rows.mutate(TABLE, puts('a', 'h', 'z'), ann))
    const several = [get(bytes('a')), get(bytes('h'))]
    await fake.passing(store.rows.get(TABLE, several, NO_GET_LIMITS, ann))
    const { id } = await fake.passing(store.rows.openScanner(TABLE, scan(), ann))
    await fake.passing(store.handouts.next(id, SCAN_LIMITS, ann))
    await fake.passing(store.handouts.closeScanner(id))
    expect(new Set(fake.users.map((use) => use.split(' as ')[1]))).toEqual(new Set(['ann']))
    expect(fake.users.length).toBeGreaterThan(5)
  })

  test('closes the scanner that he has opened', async () => {
    const few = { ...SCAN_LIMITS, rows: 1 }
    await fake.passing(store.rows.mutate(TABLE, puts('c', 'd', 'e'), OWN_CALL))
    fake.cellsOfAnswer = () => 1
    const { id } = await fake.passing(store.rows.openScanner(TABLE, scan(), callOf('ann')))
    await fake.passing(store.handouts.next(id, few, callOf('ann')))
    // Rows that are read ahead are here before it closes.
    for (let i = 0; i < 5; i++) await settled()
    fake.users.length = 0
    await fake.passing(store.handouts.closeScanner(id))
    expect(fake.users).toEqual(['Scan as ann'])
  })

  test('shares no call with another user, even of the same region and turn', async () => {
    const writes = ['ann', 'bob', 'ann', 'bob'].map((user) =>
      store.rows.mutate(TABLE, puts('a'), callOf(user)),
    )
    const reads = ['ann', 'bob', 'ann', 'bob'].map((user) => read('b', callOf(user)))
    await fake.passing(Promise.all([...writes, ...reads]))
    fake.users.length = 0
    const again = ['ann', 'bob', 'ann'].map((user) => store.rows.mutate(TABLE, puts('a'), callOf(user)))
    await fake.passing(Promise.all(again))
    expect(fake.users.toSorted()).toEqual(['Multi as ann', 'Mutate as bob'])
  })

  test('is Tidegate for its own requests, and where every user may read', async () => {
    fake.cluster.locator.forgetTable(TABLE)
    await fake.passing(read('a', callOf('ann')))
    expect(fake.users).toEqual(['Scan as u', 'Get as ann'])
    fake.users.length = 0
    await fake.passing(read('a', onOwnBehalf(callOf('ann'))))
    expect(fake.users).toEqual(['Get as u'])
  })

  test.each([undefined, '', 'hbase/evil', 'hbase@EVIL', '@admins'])(
    '%j is passed on to no server',
    async (user) => {
      expect(await failure(fake.passing(read('a', callOf(user))))).toMatch(/^ACCESS_DENIED/)
      const outcome = await fake.passing(
        store.rows.mutate(TABLE, puts('a', 'h'), callOf(user)).then(
          (failures) => failures.map(({ error }) => error.code),
          (error: { code: string }) => [error.code],
        ),
      )
      expect(new Set(outcome)).toEqual(new Set(['ACCESS_DENIED']))
      expect(fake.users).toEqual([])
    },
  )
})

/** The console's questions to a store, and its answers to each user, where a cluster or Tidegate decides that. */

import { EventEmitter, once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { ConsoleRequest } from '../../../src/doors/web/console/console-request.ts'
import { slow } from '../../../src/doors/web/console/slow.ts'
import { compactions, tables } from '../../../src/doors/web/console/tables.ts'
import type { ConsoleFacts } from '../../../src/doors/web/status/server-facts.ts'
import { RecentSlow } from '../../../src/gateway/observing/slow/recent-slow.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import { OWN_CALL } from '../../../src/store/call.ts'

type Deciding = ConsoleFacts['deciding']

function load(table: string): object {
  return {
    name: Buffer.from(`${table},,1.0123456789abcdef0123456789abcdef.`),
    compactingCells: 2,
    compactedCells: 1,
  }
}

/** `asked`: called for each question of the store. */
function requestOf(
  user: string | undefined,
  deciding: Deciding,
  asked: () => Promise<void> = async () => undefined,
): ConsoleRequest {
  const recent = new RecentSlow(0)
  for (const each of ['ann', 'bob', undefined])
    recent.add({
      at: 0,
      operation: 'get',
      table: `of-${each}`,
      client: '',
      user: each,
      storeMs: 1,
      figures: {},
    })
  const listed = async (names: readonly string[]): Promise<object[]> => {
    await asked()
    return names.map((name) => ({ name, families: [], attributes: new Map() }))
  }
  const store = {
    catalog: {
      listTables: () => listed(['seen']),
      listSystemTables: () => listed(['hbase:meta']),
      tableState: async () => 'ENABLED',
    },
    damage: async () => [],
    upkeep: {
      loads: {
        regionLoads: async () => {
          await asked()
          return ['seen', 'hidden'].map(load)
        },
      },
      compactions: { compactionState: async () => 'MAJOR' },
      permissions: {
        requireAdmin: async () => {
          if (user !== 'admin') throw new HBaseError('ACCESS_DENIED', 'no')
        },
      },
    },
  }
  const call = { ...OWN_CALL, isOwn: false, principal: user === undefined ? undefined : { user } }
  const facts = { life: {}, console: { folder: new URL('file:///'), writes: false, deciding, slow: recent } }
  return { store, call, facts } as unknown as ConsoleRequest
}

test.each<[Deciding, string | undefined, string[]]>([
  [undefined, 'ann', ['of-undefined', 'of-bob', 'of-ann']],
  [undefined, undefined, ['of-undefined', 'of-bob', 'of-ann']],
  ['Tidegate', 'ann', ['of-ann']],
  ['Tidegate', 'admin', ['of-undefined', 'of-bob', 'of-ann']],
  ['cluster', 'ann', ['of-ann']],
  ['cluster', 'admin', []],
  ['cluster', undefined, []],
])('where %s decides the slow log has for %s %j', async (deciding, user, wanted) => {
  const { operations } = (await slow(requestOf(user, deciding))) as { operations: { table: string }[] }
  expect(operations.map(({ table }) => table)).toEqual(wanted)
})

test.each<[Deciding, string[]]>([
  [undefined, ['seen', 'hidden']],
  ['Tidegate', ['seen']],
  ['cluster', ['seen']],
])('where %s decides the compactions are those of %j', async (deciding, wanted) => {
  const { tables: listed } = (await compactions(requestOf('ann', deciding))) as {
    tables: { table: string }[]
  }
  expect(listed.map(({ table }) => table)).toEqual(wanted)
})

test('the list of tables asks for names, schemas and loads side by side', async () => {
  let waiting = 0
  const gate = new EventEmitter()
  const request = requestOf('ann', undefined, async () => {
    waiting++
    await once(gate, 'open')
  })
  const listed = tables(request)
  await setImmediate()
  expect(waiting).toBe(5)
  gate.emit('open')
  expect(await listed).toMatchObject({ tables: [{ name: 'seen', regions: 1 }] })
})

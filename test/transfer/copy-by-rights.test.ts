/** Copies by users who may read at the source and write at the destination, and nothing more. */

import { afterEach, beforeEach, expect, test } from 'vitest'
import { openMemoryStore } from '../../adapters/memory/memory-store.ts'
import type { AdvertisedStore } from '../../src/gateway/catalog/advertised.ts'
import { EMPTY } from '../../src/model/bytes.ts'
import { familyDescriptor, tableDescriptor } from '../../src/model/descriptor.ts'
import { MutationBatch } from '../../src/model/mutation.ts'
import type { Action } from '../../src/model/permission.ts'
import { get } from '../../src/model/query.ts'
import { gathered } from '../../src/model/results.ts'
import { parseTableName } from '../../src/model/table-name.ts'
import { TimeRange } from '../../src/model/time-range.ts'
import type { Store } from '../../src/store/store.ts'
import { copyTables } from '../../src/transfer/copy-tables.ts'
import { authorizedStore, callOf } from '../gateway/policies/access/authorized-server.ts'
import { SUPERUSER } from '../harness/access/people.ts'

const TABLE = parseTableName('t')
const DESCRIPTOR = tableDescriptor(TABLE, [familyDescriptor('f')])
const [AS_SUPER, AS_COPIER] = [callOf(SUPERUSER), callOf('copier')]

let owned: Store[]
let source: AdvertisedStore
let destination: AdvertisedStore
beforeEach(async () => {
  owned = [openMemoryStore({ clock: Date }), openMemoryStore({ clock: Date })]
  source = await authorizedStore(owned[0]!)
  destination = await authorizedStore(owned[1]!)
  await source.catalog.createTable(DESCRIPTOR, [], AS_SUPER)
  const written = new MutationBatch()
  written.put(Buffer.from('r'), Buffer.from('f'), Buffer.from('q'), Buffer.from('v')).endMutation()
  expect(await source.rows.mutate(TABLE, written, AS_SUPER)).toEqual([])
  await grant(source, 'READ')
})
afterEach(async () => {
  for (const each of owned) await each.close()
})

async function grant({ upkeep }: AdvertisedStore, action: Action): Promise<void> {
  const permission = { scope: { kind: 'table', table: TABLE }, actions: [action] } as const
  await upkeep.permissions!.grant({ user: 'copier', permission }, false, AS_SUPER)
}

function copied(create: boolean): Promise<unknown> {
  return copyTables({
    source,
    destination,
    tables: [{ from: TABLE, to: TABLE }],
    part: { startRow: EMPTY, stopRow: EMPTY, timeRange: TimeRange.ALL, columns: [] },
    create,
    name: 'job',
    keeper: undefined,
    bytesPerSecond: Number.POSITIVE_INFINITY,
    call: AS_COPIER,
    now: () => 0,
    pause: () => Promise.resolve(),
    report: () => undefined,
  })
}

test.each([false, true])(
  'READ and WRITE are enough where the table is there, --create %s',
  async (create) => {
    await destination.catalog.createTable(DESCRIPTOR, [], AS_SUPER)
    await grant(destination, 'WRITE')
    await copied(create)
    const { counts } = gathered(
      await destination.rows.get(TABLE, [get(Buffer.from('r'))], { bytes: 1000 }, AS_SUPER),
    )
    expect([...counts]).toEqual([1])
  },
)

test('--create says which right it needs, and at which side', async () => {
  await expect(copied(true)).rejects.toThrow(
    /--create needs the schema of t, .* CREATE or ADMIN .* grant one of them at the source/,
  )
})

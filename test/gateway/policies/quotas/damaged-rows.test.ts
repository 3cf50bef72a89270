import { afterEach, beforeEach, expect, test } from 'vitest'
import { openMemoryStore } from '../../../../adapters/memory/memory-store.ts'
import { type AdvertisedStore, advertised } from '../../../../src/gateway/catalog/advertised.ts'
import { withSystemTables } from '../../../../src/gateway/catalog/system-tables/system-tables.ts'
import { withQuotas } from '../../../../src/gateway/policies/quotas/with-quotas.ts'
import { MutationBatch } from '../../../../src/model/mutation.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { quotaSettings } from '../../../../src/shell/commands/quota-listing.ts'
import { openShell } from '../../../../src/shell/open-session.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { described } from '../../../store/suite/described-table.ts'

const SERVER = { host: 'localhost', port: 27103, startCode: 1 }
const T = parseTableName('t')
const NO_CHANGE = {
  user: undefined,
  table: undefined,
  namespace: undefined,
  regionServer: undefined,
  removesAll: undefined,
  bypassesGlobals: undefined,
  throttle: undefined,
  space: undefined,
}

let store: AdvertisedStore

beforeEach(async () => {
  const memory = openMemoryStore({ clock: Date })
  store = await withQuotas(withSystemTables(advertised(memory, SERVER), SERVER), memory)
  await store.catalog.createTable(described(T), [], OWN_CALL)
  const damage = new MutationBatch()
  for (const [family, qualifier] of ['qs', 'up'])
    damage.put(Buffer.from('t.t'), Buffer.from(family!), Buffer.from(qualifier!), Buffer.from('no protobuf'))
  damage.endMutation()
  await store.rows.mutate(parseTableName('hbase:quota'), damage, OWN_CALL)
  const space = { quota: { limitBytes: 5n, policy: 'NO_WRITES', isRemoved: false } } as const
  await store.upkeep.quotas!.setQuota({ ...NO_CHANGE, namespace: 'default', space }, OWN_CALL)
})
afterEach(() => store.close())

test('damaged rows of hbase:quota hide no others', async () => {
  const output = { width: 80, write: () => undefined }
  const { context } = openShell({
    store,
    servers: undefined,
    output,
    user: 'u',
    version: '',
    isForgiving: false,
    now: () => 0,
    sleep: async () => undefined,
    ask: async () => undefined,
  })
  const texts: string[] = []
  for await (const { owner, text } of quotaSettings(context)) texts.push(`${JSON.stringify(owner)} ${text}`)
  expect(texts).toEqual([
    '{"namespace":"default"} TYPE => SPACE, LIMIT => 5B, VIOLATION_POLICY => NO_WRITES',
    '{"table":"t"} damaged: 11 bytes that are no settings',
  ])
  await store.upkeep.quotas!.serverSpaceUses(OWN_CALL)
})

test('a change replaces damaged settings', async () => {
  const space = { quota: { limitBytes: 7n, policy: 'NO_INSERTS', isRemoved: false } } as const
  await store.upkeep.quotas!.setQuota({ ...NO_CHANGE, table: T, space }, OWN_CALL)
  const { tables } = await store.upkeep.quotas!.quotaStates(OWN_CALL)
  expect(tables).toMatchObject([{ table: T, limitBytes: 7n }])
})

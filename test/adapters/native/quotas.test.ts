import { expect, it } from 'vitest'
import { type AdvertisedStore, advertised } from '../../../src/gateway/catalog/advertised.ts'
import { withSystemTables } from '../../../src/gateway/catalog/system-tables/system-tables.ts'
import { withQuotas } from '../../../src/gateway/policies/quotas/with-quotas.ts'
import { MutationBatch } from '../../../src/model/mutation.ts'
import type { QuotaChange } from '../../../src/model/quota.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { Store } from '../../../src/store/store.ts'
import { described } from '../../store/suite/described-table.ts'
import { StoreUnderTest } from './store-under-test.ts'

const SERVER = { host: 'localhost', port: 1, startCode: 1 }
const T = parseTableName('q')
const SPACE: QuotaChange = {
  user: undefined,
  table: T,
  namespace: undefined,
  regionServer: undefined,
  removesAll: undefined,
  bypassesGlobals: undefined,
  throttle: undefined,
  space: { quota: { limitBytes: 100n, policy: 'NO_INSERTS', isRemoved: undefined } },
}

function served(store: Store): Promise<AdvertisedStore> {
  return withQuotas(withSystemTables(advertised(store, SERVER), SERVER), store)
}

it('quotas and what is known of their space stand as they were left, after kill -9 too', async () => {
  let session = await StoreUnderTest.open()
  const { catalog, upkeep, rows } = await served(session.store)
  await catalog.createTable(described('q'), [], OWN_CALL)
  await upkeep.quotas!.setQuota(SPACE, OWN_CALL)
  const none = { table: T, usedBytes: 0n, limitBytes: 100n, violated: undefined }
  expect((await upkeep.quotas!.quotaStates(OWN_CALL)).tables).toEqual([none])
  const { families } = await catalog.table(T, OWN_CALL)
  const value = Buffer.alloc(1000)
  const batch = new MutationBatch().put(Buffer.from('r'), families[0]!.name, Buffer.from('c'), value)
  batch.endMutation()
  expect(await rows.mutate(T, batch, OWN_CALL)).toEqual([])
  await upkeep.flushes!.flushTable(T, OWN_CALL)
  for (const restart of ['none', 'kill', 'close'] as const) {
    if (restart === 'close') await session.store.close()
    if (restart !== 'none') session = await session.killed()
    const { quotas } = (await served(session.store)).upkeep
    const { tables } = await quotas!.quotaStates(OWN_CALL)
    expect(tables).toEqual([{ ...none, usedBytes: expect.any(BigInt), violated: 'NO_INSERTS' }])
    const [size] = (await quotas!.tableSizes(OWN_CALL)).filter(({ table }) => table === T)
    expect(size!.bytes).toBe(tables[0]!.usedBytes)
    expect(await quotas!.serverSpaceUses(OWN_CALL)).toEqual(tables)
  }
  await session.store.close()
})

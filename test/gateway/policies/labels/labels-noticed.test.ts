/** Changes of hbase:labels that are not writes of its rows. */

import { expect, test, vi } from 'vitest'
import { LABELS_TABLE } from '../../../../src/model/label-rows.ts'
import { MutationBatch } from '../../../../src/model/mutation.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { withFacets, withMethods } from '../../../../src/store/decorate.ts'
import type { Snapshots } from '../../../../src/store/snapshots.ts'
import type { BulkLoads, RegionUpkeep } from '../../../../src/store/upkeep.ts'
import { labelledStore, openLabelled } from './labelled-server.ts'

const REGION = Buffer.from('region')
const region = (table: string) => ({ table: parseTableName(table), encodedName: 'e' })

test('restored snapshots, emptied regions and loaded files are followed by a look at the labels, failed ones too', async () => {
  const own = await openLabelled('memory')
  const bulkLoads: BulkLoads = { bulkLoad: () => Promise.resolve(true) }
  const regions = { truncateRegion: () => Promise.reject(new Error('halfway')) } as unknown as RegionUpkeep
  const snapshots = {
    restoreSnapshot: () => Promise.resolve(),
    cloneSnapshot: () => Promise.resolve(),
  } as unknown as Snapshots
  const openScanner = vi.fn((...args: Parameters<typeof own.rows.openScanner>) =>
    own.rows.openScanner(...args),
  )
  const mutate = vi.fn((...args: Parameters<typeof own.rows.mutate>) => own.rows.mutate(...args))
  const seen = withFacets(own, {
    rows: withMethods(own.rows, { openScanner, mutate }),
    upkeep: { ...own.upkeep, bulkLoads, regions, snapshots },
  })
  const { rows, upkeep } = await labelledStore(seen)
  const looks = async (): Promise<number> => {
    openScanner.mockClear()
    await upkeep.labels!.listLabels(undefined, OWN_CALL)
    return openScanner.mock.calls.filter(([target]) => target === LABELS_TABLE).length
  }
  expect(await looks()).toBe(0)
  await upkeep.snapshots!.restoreSnapshot('s', OWN_CALL)
  expect(await looks()).toBe(1)
  await upkeep.snapshots!.cloneSnapshot('s', LABELS_TABLE, OWN_CALL)
  expect(await looks()).toBe(1)
  await expect(upkeep.regions!.truncateRegion(REGION, OWN_CALL)).rejects.toThrow('halfway')
  expect(await looks()).toBe(1)
  await upkeep.bulkLoads!.bulkLoad(region('hbase:labels'), [], OWN_CALL)
  expect(await looks()).toBe(1)
  await upkeep.bulkLoads!.bulkLoad(region('t'), [], OWN_CALL)
  expect(await looks()).toBe(0)
  mutate.mockRejectedValueOnce(new Error('applied, perhaps'))
  await expect(rows.mutate(LABELS_TABLE, new MutationBatch(), OWN_CALL)).rejects.toThrow('applied, perhaps')
  expect(await looks()).toBe(1)
  await own.close()
})

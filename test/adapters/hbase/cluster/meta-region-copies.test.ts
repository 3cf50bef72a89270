import { expect, test } from 'vitest'
import { MetaTable } from '../../../../adapters/hbase/cluster/meta-table.ts'
import { RegionLocator } from '../../../../adapters/hbase/cluster/region-locator.ts'
import { ServerConnections } from '../../../../adapters/hbase/connections/server-connections.ts'
import { META_TABLE } from '../../../../src/model/meta-table.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { ManualTime } from '../retry/manual-time.ts'
import { FakeMeta, SERVER_A, SERVER_B } from './fake-meta.ts'

test('lists the copies of hbase:meta as the registry knows them now', async () => {
  const meta = new FakeMeta()
  const time = new ManualTime()
  const connections = new ServerConnections({
    time,
    options: { user: 'u' },
    connect: () => Promise.resolve(meta),
  })
  const locator = new RegionLocator(new MetaTable(meta.registry(), connections, time), time)
  const attempt = { number: 1, deadline: time.now() + 5_000, timeoutMs: 5_000, call: OWN_CALL }
  const [before] = await locator.regions(META_TABLE, attempt)
  expect(before).not.toHaveProperty('copies')
  meta.metaCopies.push({ replica: 1, server: SERVER_B }, { replica: 2, server: SERVER_A })
  const [region] = await locator.regions(META_TABLE, attempt)
  expect(region).toMatchObject({
    encodedName: '1588230740',
    copies: [
      { replica: 1, server: SERVER_B, table: META_TABLE },
      { replica: 2, server: SERVER_A, table: META_TABLE },
    ],
  })
  expect(region!.copies!.map(({ name }) => name.toString())).toEqual([
    'hbase:meta,,1_0001',
    'hbase:meta,,1_0002',
  ])
})

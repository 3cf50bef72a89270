/** Against a running HBase: TIDEGATE_REAL_HBASE names its ports, as zookeeper:PORT,... */

import { afterEach, describe, expect, test } from 'vitest'
import { Cluster } from '../../../../adapters/hbase/cluster/cluster.ts'
import type { ClusterAddress, RegistryKind } from '../../../../adapters/hbase/config/cluster-address.ts'
import { DEFAULT_HBASE_OPTIONS } from '../../../../adapters/hbase/config/hbase-options.ts'
import { NODE_TIME } from '../../../../adapters/hbase/retry/time.ts'
import { EMPTY } from '../../../../src/model/bytes.ts'
import { META_TABLE } from '../../../../src/model/meta-table.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'

const zookeeper = /\bzookeeper:(\d+)/.exec(process.env['TIDEGATE_REAL_HBASE'] ?? '')?.[1]

let cluster: Cluster | undefined
afterEach(async () => {
  await cluster?.close()
})

function open(registry: RegistryKind, port: number = Number(zookeeper)): Cluster {
  const address: ClusterAddress = {
    registry,
    servers: [{ host: '127.0.0.1', port }],
    znodeParent: '/hbase',
  }
  cluster = new Cluster({
    cluster: address,
    options: { ...DEFAULT_HBASE_OPTIONS, retriesMax: 0 },
    user: 'tidegate',
    time: NODE_TIME,
    random: Math.random,
  })
  return cluster
}

describe.skipIf(zookeeper === undefined)('a live cluster', () => {
  test.each<[RegistryKind, 'ZooKeeper' | 'a region server' | 'the master']>([
    ['zookeeper', 'ZooKeeper'],
    ['either', 'ZooKeeper'],
    ['bootstrap', 'a region server'],
    ['either', 'a region server'],
    ['either', 'the master'],
  ])('is found as %s at %s', async (registry, who) => {
    const { registry: known } = open('zookeeper')
    const [metaServer, master] = [(await known.metaLocation()).server, await known.activeMaster()]
    const clusterId = await known.clusterId()
    await cluster?.close()
    const port = {
      ZooKeeper: Number(zookeeper),
      'a region server': metaServer.port,
      'the master': master.port,
    }[who]
    const { registry: found } = open(registry, port)
    expect(await found.clusterId()).toBe(clusterId)
    expect(await found.activeMaster()).toEqual(master)
    expect((await found.metaLocation()).server).toEqual(metaServer)
  })

  test('has regions for rows, for the rows before rows, and a state for its tables', async () => {
    const { locator, retrier } = open('zookeeper')
    const attempt = retrier.attempt(1, retrier.deadline(OWN_CALL, 5_000), OWN_CALL)
    const namespace = parseTableName('hbase:namespace')
    const region = await locator.locate(namespace, Buffer.from('default'), attempt)
    expect(region.name.toString()).toMatch(/^hbase:namespace,,\d+\.[0-9a-f]{32}\.$/)
    expect(await locator.locateBefore(namespace, EMPTY, attempt)).toBe(region)
    expect(locator.cached(namespace, EMPTY)).toBe(region)
    expect(await cluster?.tableState(namespace, OWN_CALL)).toBe('ENABLED')
    expect(await cluster?.tableState(parseTableName('LOCATE_none'), OWN_CALL)).toBeUndefined()
    expect(await cluster?.regions(META_TABLE, OWN_CALL)).toMatchObject([{ encodedName: '1588230740' }])
    await expect(locator.locate(parseTableName('LOCATE_none'), EMPTY, attempt)).rejects.toMatchObject({
      code: 'TABLE_NOT_FOUND',
      message: 'LOCATE_none',
    })
    await expect(locator.locateBefore(parseTableName('LOCATE_none'), EMPTY, attempt)).rejects.toMatchObject({
      code: 'TABLE_NOT_FOUND',
    })
  })
})

/** The table of ads in many regions from its beginning, which REST cannot say and Thrift 2 can. */

import type { ExampleServer } from '../shared/example-server.ts'
import type { Report } from '../shared/report.ts'
import { RestClient } from '../shared/rest-table.ts'
import { thriftClient } from '../shared/thrift-client.ts'
import { pathOf } from './hierarchy.ts'
import { key, TABLES } from './tables.ts'

/** Of Thrift's TCompressionAlgorithm. */
const GZ = 1

/** Keys that divide the ads evenly. */
export function splitKeys(ads: number, regions: number): string[] {
  const keys = Array.from({ length: ads }, (_, i) => key(...pathOf(i + 1))).sort()
  return Array.from({ length: regions - 1 }, (_, i) => keys[Math.floor(((i + 1) * ads) / regions)]!)
}

export async function createWithRegions(
  server: ExampleServer,
  ads: number,
  regions: number,
  report: Report,
): Promise<void> {
  if (regions > ads) throw new Error(`${ads} ads are too few for ${regions} regions`)
  const [namespace, qualifier] = TABLES.ad.split(':')
  const thrift = thriftClient('thrift2', server)
  const family = { name: 'd', maxVersions: 10, minVersions: 2, timeToLive: 604_800, compressionType: GZ }
  try {
    await report.timed(
      () => `${TABLES.ad} made with ${regions} regions`,
      () =>
        thrift.methods['createTable']!(
          { tableName: { ns: namespace, qualifier }, columns: [family] },
          splitKeys(ads, regions),
        ),
    )
  } finally {
    thrift.close()
  }
  const rest = new RestClient(server.host, server.ports.rest)
  const { Region } = (await rest.get(`/${TABLES.ad}/regions`)) as { Region: readonly object[] }
  report.check('REST tells as many regions', Region.length, regions)
}

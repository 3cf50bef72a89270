/** Reads and writes of each table since its regions were opened. The console computes figures of an interval from two answers. */

import { totalOf, visibleLoads } from '../status/region-loads.ts'
import type { ConsoleRequest } from './console-request.ts'

export async function tableLoad({ store, call, facts }: ConsoleRequest): Promise<object> {
  const { loads, cluster } = store.upkeep
  if (loads === undefined && cluster === undefined) return { isThere: false, tables: [] }
  const byTable = await visibleLoads(store, call, facts)
  return {
    isThere: true,
    atMs: performance.now(),
    tables: [...byTable].map(([name, regions]) => ({
      name,
      regions: regions.length,
      reads: totalOf(regions, ({ readRequests }) => readRequests),
      writes: totalOf(regions, ({ writeRequests }) => writeRequests),
    })),
  }
}

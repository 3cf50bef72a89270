/**
 * Bulk loads. HBase: RSRpcServices and SecureBulkLoadManager. A region server moves the files into a staging folder of the load.
 * Tidegate reads them where they are: the token of a load is only a name for it.
 */

import { randomUUID } from 'node:crypto'
import { HBaseError } from '../../../model/errors.ts'
import { ClientService } from '../../../wire/rpc/gen/client_pb.ts'
import { generated, type RpcHandler } from '../contract/rpc-service.ts'
import { specifierOf } from '../messages/region-message.ts'
import type { RegionSpecifier } from '../regions/region-specifier.ts'
import { type ClientContext, inRegion } from './client-context.ts'

/** Stands for the region of a request that names none: HBase looks an empty name up, too. */
const NO_REGION: RegionSpecifier = { isEncoded: false, name: Buffer.alloc(0) }

export function bulkLoads({ store, regions }: ClientContext): (readonly [string, RpcHandler])[] {
  const { prepareBulkLoad, bulkLoadHFile, cleanupBulkLoad } = ClientService.method
  return [
    generated(prepareBulkLoad, async ({ region }, { call }) => {
      const specifier = region === undefined ? NO_REGION : specifierOf(region)
      await regions.region(specifier, call)
      const { table } = await regions.ref(specifier, call)
      await store.upkeep.bulkLoads?.prepare?.(table, call)
      return { bulkToken: `${table}__${randomUUID()}` }
    }),
    generated(bulkLoadHFile, async ({ region, familyPath, clusterIds, replicate }, { call }) => {
      const target = await regions.ref(specifierOf(region!), call)
      await regions.checkIsWritable(target, call)
      const { bulkLoads: loads } = store.upkeep
      if (loads === undefined) throw new HBaseError('UNSUPPORTED', 'this store takes no bulk loads')
      const files = familyPath.map(({ family, path }) => ({
        family: Buffer.from(family),
        path,
        clusterIds,
        isReplicated: replicate,
      }))
      return { loaded: await inRegion(target, () => loads.bulkLoad(target, files, call)) }
    }),
    generated(cleanupBulkLoad, async ({ region }, { call }) => {
      const { table } = await regions.ref(specifierOf(region!), call)
      await store.upkeep.bulkLoads?.prepare?.(table, call)
      return {}
    }),
  ]
}

import type { Call } from '../../../src/store/call.ts'
import type { RegionRef } from '../../../src/store/target.ts'
import type { BulkLoadFile, BulkLoads } from '../../../src/store/upkeep.ts'
import { ClientService } from '../../../src/wire/rpc/gen/client_pb.ts'
import { rpcMethod } from '../../../src/wire/rpc/rpc-method.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { fullNameSpecifier } from '../messages/region-specifier.ts'

const BULK_LOAD = rpcMethod(ClientService.method.bulkLoadHFile)

/** Bulk loads by the region servers, which must be able to read the files. They copy the files, so that the client keeps its own. */
export class ClusterBulkLoads implements BulkLoads {
  readonly #cluster: Cluster

  constructor(cluster: Cluster) {
    this.#cluster = cluster
  }

  bulkLoad(region: RegionRef, files: readonly BulkLoadFile[], call: Call): Promise<boolean> {
    const operation = `bulk load into ${region.table}`
    return this.#cluster.onNamedRegion({ operation, region, call }, async (connection, { name }, attempt) => {
      const familyPath = files.map(({ family, path }) => ({ family, path }))
      const request = {
        region: fullNameSpecifier(name),
        familyPath,
        assignSeqNum: true,
        copyFile: true,
        clusterIds: [...(files[0]?.clusterIds ?? [])],
        replicate: files[0]?.isReplicated ?? true,
      }
      return (await connection.call(BULK_LOAD, request, attempt)).message.loaded
    })
  }
}

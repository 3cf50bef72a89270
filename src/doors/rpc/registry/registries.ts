/** ClientMetaService: the registry, by which clients find the master and hbase:meta. Tidegate is the only server, in all roles. */

import type { MessageInitShape } from '@bufbuild/protobuf'
import type { AdvertisedStore } from '../../../gateway/catalog/advertised.ts'
import { MetaCopies } from '../../../gateway/catalog/meta-copies.ts'
import { META_REGION, META_TABLE } from '../../../model/meta-table.ts'
import type { ServerName } from '../../../model/server-name.ts'
import { namespaceOf, qualifierOf } from '../../../model/table-name.ts'
import type { RegionInfoSchema } from '../../../wire/rpc/gen/hbase_pb.ts'
import { ClientMetaService } from '../../../wire/rpc/gen/registry_pb.ts'
import { generated, type RpcMethods } from '../contract/rpc-service.ts'
import { serverNameMessage } from '../messages/server-name-message.ts'

const META_INFO: MessageInitShape<typeof RegionInfoSchema> = {
  regionId: BigInt(META_REGION.regionId),
  tableName: {
    namespace: Buffer.from(namespaceOf(META_TABLE)),
    qualifier: Buffer.from(qualifierOf(META_TABLE)),
  },
  startKey: META_REGION.startKey,
  endKey: META_REGION.endKey,
  offline: false,
  split: false,
  replicaId: 0,
}

export function clientMetaService(
  store: Pick<AdvertisedStore, 'clusterId' | 'catalog'>,
  advertised: ServerName,
): RpcMethods {
  const server = () => serverNameMessage(advertised)
  const { method } = ClientMetaService
  const copies = new MetaCopies(store)
  return new Map([
    generated(method.getClusterId, async () => ({ clusterId: await store.clusterId() })),
    generated(method.getActiveMaster, async () => ({ serverName: server() })),
    generated(method.getMasters, async () => ({
      masterServers: [{ serverName: server(), isActive: true }],
    })),
    generated(method.getMetaRegionLocations, async () => {
      const numbers = [0, ...(await copies.numbers())]
      const serverName = server()
      return {
        metaLocations: numbers.map((replicaId) => ({
          regionInfo: { ...META_INFO, replicaId },
          serverName,
          seqNum: -1n,
        })),
      }
    }),
    generated(method.getBootstrapNodes, async () => ({ serverName: [server()] })),
  ])
}

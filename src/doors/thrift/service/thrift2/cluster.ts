/** Thrift 2's methods for namespaces, region locations and the server itself. */

import type { Replica } from '../../../../gateway/catalog/replicas.ts'
import { compareBytes } from '../../../../model/bytes.ts'
import type { ThriftHandlers } from '../../contract/thrift-service.ts'
import { regionsIfAny } from '../regions-if-any.ts'
import { checkRowLength } from '../row-argument.ts'
import type { ServiceContext } from '../service-context.ts'
import { tableNameFromBytes } from '../table-argument.ts'
import { namespaceOfDescriptor, namespaceStruct, type TNamespaceDescriptor } from './table-descriptors.ts'

interface TableArguments {
  readonly table: Buffer
}
interface NamespaceArguments {
  readonly namespaceDesc: TNamespaceDescriptor
}
interface NameArguments {
  readonly name: string
}

export function thrift2Cluster({ store }: ServiceContext<unknown>): ThriftHandlers {
  const { catalog } = store
  return {
    createNamespace: ({ namespaceDesc }: NamespaceArguments, call) =>
      catalog.createNamespace(namespaceOfDescriptor(namespaceDesc), call),
    modifyNamespace: ({ namespaceDesc }: NamespaceArguments, call) =>
      catalog.modifyNamespace(namespaceOfDescriptor(namespaceDesc), call),
    deleteNamespace: ({ name }: NameArguments, call) => catalog.deleteNamespace(name, call),
    getNamespaceDescriptor: async ({ name }: NameArguments, call) =>
      namespaceStruct(await catalog.namespace(name, call)),
    listNamespaceDescriptors: async (_, call) => (await catalog.listNamespaces(call)).map(namespaceStruct),
    listNamespaces: async (_, call) => (await catalog.listNamespaces(call, 'names')).map(({ name }) => name),

    getRegionLocation: async ({ table, row }: TableArguments & { readonly row: Buffer }, call) => {
      checkRowLength('row', row)
      const regions = await catalog.regions(tableNameFromBytes(table), call)
      return locationStruct({
        ...regions.findLast(({ startKey }) => compareBytes(startKey, row) <= 0)!,
        replica: 0,
      })
    },
    /** QUIRK thrift2-region-get-all-region-locations-nope: HBase answers no locations for a missing table. */
    getAllRegionLocations: async ({ table }: TableArguments, call) =>
      (await regionsIfAny(catalog, tableNameFromBytes(table), call)).map(locationStruct),

    getThriftServerType: () => 2,
    getClusterId: () => store.clusterId(),
    /** Always empty: slow calls are only logged. */
    getSlowLogResponses: () => [],
    clearSlowLogResponses: ({ serverNames = [] }: { readonly serverNames?: readonly unknown[] }) =>
      serverNames.map(() => true),
  }
}

function locationStruct(region: Omit<Replica, 'first'>): Record<string, unknown> {
  const { host, port, startCode } = region.server
  return {
    serverName: { hostName: host, port, startCode: BigInt(startCode) },
    regionInfo: {
      // QUIRK thrift2-region-get-region-location-split-a-reload: HBase states no region id but 0.
      regionId: 0n,
      tableName: Buffer.from(region.table),
      startKey: region.startKey,
      endKey: region.endKey,
      offline: false,
      split: false,
      replicaId: region.replica,
    },
  }
}

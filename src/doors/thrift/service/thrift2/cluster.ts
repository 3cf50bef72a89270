/** Thrift 2's namespaces, region locations and the server itself. */

import { compareBytes } from '../../../../model/bytes.ts'
import type { RegionLocation } from '../../../../store.ts'
import type { ThriftHandlers } from '../../thrift-service.ts'
import { regionsIfAny } from '../regions-if-any.ts'
import type { ServiceContext } from '../service-context.ts'
import { tableOf } from '../table-argument.ts'
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

export function thrift2Cluster({ store, clusterId }: ServiceContext<unknown>): ThriftHandlers {
  return {
    createNamespace: ({ namespaceDesc }: NamespaceArguments) =>
      store.createNamespace(namespaceOfDescriptor(namespaceDesc)),
    modifyNamespace: ({ namespaceDesc }: NamespaceArguments) =>
      store.modifyNamespace(namespaceOfDescriptor(namespaceDesc)),
    deleteNamespace: ({ name }: NameArguments) => store.deleteNamespace(name),
    getNamespaceDescriptor: async ({ name }: NameArguments) => namespaceStruct(await store.namespace(name)),
    listNamespaceDescriptors: async () => (await store.listNamespaces()).map(namespaceStruct),
    listNamespaces: async () => (await store.listNamespaces()).map(({ name }) => name),

    getRegionLocation: async ({ table, row }: TableArguments & { readonly row: Buffer }) => {
      const regions = await store.regions(tableOf(table))
      return locationStruct(regions.findLast(({ startKey }) => compareBytes(startKey, row) <= 0)!)
    },
    /** None of a table that is not there. */
    getAllRegionLocations: async ({ table }: TableArguments) =>
      (await regionsIfAny(store, tableOf(table))).map(locationStruct),

    getThriftServerType: () => 2,
    getClusterId: async () => (await store.maintenance?.clusterIdentity())?.clusterId ?? clusterId,
    /** Slow calls are in the log, not in a ring that clients read. */
    getSlowLogResponses: () => [],
    clearSlowLogResponses: ({ serverNames = [] }: { readonly serverNames?: readonly unknown[] }) =>
      serverNames.map(() => true),
  }
}

function locationStruct(region: RegionLocation): Record<string, unknown> {
  const { host, port, startCode } = region.server
  return {
    serverName: { hostName: host, port, startCode: BigInt(startCode) },
    regionInfo: {
      // HBase's gateway never sets the region's id, which the IDL requires.
      regionId: 0n,
      tableName: Buffer.from(region.table),
      startKey: region.startKey,
      endKey: region.endKey,
      offline: false,
      split: false,
      replicaId: 0,
    },
  }
}

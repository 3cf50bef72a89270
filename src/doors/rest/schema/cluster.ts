/** Versions of the server, and its regions. */

import { arch, release, type } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import type { AdvertisedCatalog } from '../../../gateway/advertised.ts'
import type { ServerName } from '../../../model/server-name.ts'
import type { Call } from '../../../store/call.ts'
import type { RegionLoad, ServerLoad } from '../../../store/upkeep.ts'
import {
  clusterStatusDocument,
  type NodeStatus,
  type RegionStatus,
} from '../../../wire/rest/cluster-status.ts'
import { clusterVersionDocument, type VersionInfo, versionDocument } from '../../../wire/rest/version.ts'
import { type Answer, NO_CACHE } from '../http/answer.ts'
import { documentAnswer } from '../http/document-answer.ts'
import type { RestRequest } from '../http/request.ts'
import type { RestService } from '../service.ts'

/** The version of HBase whose REST interface this is: clients choose their requests by it. */
const HBASE_VERSION = '2.6.1'
/** The commit of that release: org.apache.hadoop.hbase.util.VersionInfo.getRevision(). */
const HBASE_REVISION = '7ed50b4dd742269a78875fb32112215f831284ff'

/** The JVM's names, where they differ from Node's. */
const OS_NAMES: Readonly<Record<string, string>> = { Darwin: 'Mac OS X', Windows_NT: 'Windows' }
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'aarch64', ia32: 'i386' }

const VERSION: VersionInfo = {
  rest: '0.0.3',
  jvm: `Node.js ${process.versions.node}-${process.versions.v8}`,
  os: `${OS_NAMES[type()] ?? type()} ${release()} ${ARCHITECTURES[arch()] ?? arch()}`,
  server: 'tidegate',
  jersey: '',
  version: HBASE_VERSION,
  revision: HBASE_REVISION,
}

const BYTES_PER_MEGABYTE = 1024 * 1024

export function getVersion(request: RestRequest): Answer {
  return documentAnswer(request.accept, versionDocument(VERSION), NO_CACHE)
}

export async function getClusterVersion({ store }: RestService, request: RestRequest): Promise<Answer> {
  const version = (await store.upkeep.cluster?.hbaseVersion(request.call)) ?? HBASE_VERSION
  return documentAnswer(request.accept, clusterVersionDocument(version), NO_CACHE)
}

export async function getStatus({ store }: RestService, request: RestRequest): Promise<Answer> {
  const status = await store.upkeep.cluster?.status(request.call)
  const document =
    status === undefined
      ? clusterStatusDocument(await ownNodes(store.catalog, request.call))
      : clusterStatusDocument(status.liveServers.map(nodeStatus), status.deadServers.map(serverText))
  return documentAnswer(request.accept, document, NO_CACHE)
}

function nodeStatus({ server, requests, heapUsedMB, heapMaxMB, regions }: ServerLoad): NodeStatus {
  return {
    name: `${server.host}:${server.port}`,
    startCode: server.startCode,
    requests,
    heapSizeMB: heapUsedMB,
    maxHeapSizeMB: heapMaxMB,
    regions: regions.map(regionStatus),
  }
}

function regionStatus(load: RegionLoad): RegionStatus {
  return {
    name: load.name,
    stores: load.stores,
    storefiles: load.storeFiles,
    storefileSizeMB: load.storeFileSizeMB,
    memStoreSizeMB: load.memStoreSizeMB,
    storefileIndexSizeKB: load.storeFileIndexSizeKB,
    readRequestsCount: load.readRequests,
    writeRequestsCount: load.writeRequests,
    rootIndexSizeKB: load.rootIndexSizeKB,
    totalStaticIndexSizeKB: load.staticIndexSizeKB,
    totalStaticBloomSizeKB: load.staticBloomSizeKB,
    totalCompactingKVs: load.compactingCells,
    currentCompactedKVs: load.compactedCells,
  }
}

function serverText({ host, port, startCode }: ServerName): string {
  return `${host},${port},${startCode}`
}

/** The regions of a store without a cluster, by the address that clients are told. */
async function ownNodes(catalog: AdvertisedCatalog, call: Call): Promise<NodeStatus[]> {
  const nodes = new Map<string, Omit<NodeStatus, 'regions'> & { readonly regions: RegionStatus[] }>()
  const heap = getHeapStatistics()
  const tables = [...(await catalog.listSystemTables(call)), ...(await catalog.listTables(call))]
  for (const table of tables) {
    for (const { name, server } of await catalog.regions(table.name, call)) {
      const address = `${server.host}:${server.port}`
      const node = nodes.get(address) ?? {
        name: address,
        startCode: server.startCode,
        heapSizeMB: Math.floor(heap.used_heap_size / BYTES_PER_MEGABYTE),
        maxHeapSizeMB: Math.floor(heap.heap_size_limit / BYTES_PER_MEGABYTE),
        regions: [],
      }
      node.regions.push({ name, stores: table.families.length })
      nodes.set(address, node)
    }
  }
  return [...nodes.values()]
}

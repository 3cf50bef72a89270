/** What serves, and how its regions are spread. */

import { arch, release, type } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import { clusterStatusDocument, type NodeStatus, type RegionStatus } from '../../wire/rest/cluster-status.ts'
import { clusterVersionDocument, type VersionInfo, versionDocument } from '../../wire/rest/version.ts'
import { type Answer, NO_CACHE } from './answer.ts'
import { documentAnswer } from './document-answer.ts'
import type { RestRequest } from './request.ts'
import type { RestService } from './service.ts'

/** The HBase whose REST interface this is: clients decide by it what they may ask. */
const HBASE_VERSION = '2.6.1'

const VERSION: VersionInfo = {
  rest: '0.0.3',
  jvm: `Node.js ${process.version}`,
  os: `${type()} ${release()} ${arch()}`,
  server: 'tidegate',
  jersey: '',
  version: HBASE_VERSION,
  revision: '',
}

const BYTES_PER_MEGABYTE = 1024 * 1024

export function getVersion(request: RestRequest): Answer {
  return documentAnswer(request.accept, versionDocument(VERSION), NO_CACHE)
}

export function getClusterVersion(request: RestRequest): Answer {
  return documentAnswer(request.accept, clusterVersionDocument(HBASE_VERSION), NO_CACHE)
}

export async function getStatus({ store }: RestService, request: RestRequest): Promise<Answer> {
  const nodes = new Map<string, Omit<NodeStatus, 'regions'> & { readonly regions: RegionStatus[] }>()
  const heap = getHeapStatistics()
  for (const table of await store.listTables()) {
    for (const { name, server } of await store.regions(table.name)) {
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
  return documentAnswer(request.accept, clusterStatusDocument([...nodes.values()]), NO_CACHE)
}

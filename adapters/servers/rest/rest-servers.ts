/** The servers of a cluster over REST, whose answer has neither masters nor regions in transition. */

import { HBaseError } from '../../../src/model/errors.ts'
import type { ServerName } from '../../../src/model/server-name.ts'
import type { Call } from '../../../src/store/call.ts'
import {
  NO_SEQUENCE_ID,
  type RegionLoad,
  type ServerSummary,
  type ServersInfo,
} from '../../../src/store/upkeep.ts'
import type { NodeStatus, RegionStatus } from '../../../src/wire/rest/cluster-status.ts'
import { decodeClusterStatus } from '../../../src/wire/rest/cluster-status-decoder.ts'
import type { RestCatalog } from './rest-catalog.ts'
import type { RestServer } from './rest-server.ts'

export class RestServers implements ServersInfo {
  readonly #server: RestServer
  readonly #catalog: RestCatalog

  constructor(server: RestServer, catalog: RestCatalog) {
    this.#server = server
    this.#catalog = catalog
  }

  hbaseVersion(call: Call): Promise<string> {
    return this.#catalog.hbaseVersion(call)
  }

  async servers(
    call: Call,
  ): Promise<{ readonly live: readonly ServerSummary[]; readonly dead: readonly ServerName[] }> {
    const asked = { operation: 'status of the cluster', method: 'GET', path: '/status/cluster' } as const
    const { nodes, deadNodes } = decodeClusterStatus((await this.#server.ask(asked, call)).body)
    return { live: nodes.map(liveServer), dead: deadNodes.map(deadServer) }
  }
}

function liveServer({ name, startCode, heapSizeMB, maxHeapSizeMB, regions }: NodeStatus): ServerSummary {
  return {
    server: serverIn(/^(.+):(\d{1,5})$/.exec(name), name, startCode),
    heapUsedMB: heapSizeMB,
    heapMaxMB: maxHeapSizeMB,
    regions: regions.map(regionLoad).sort((a, b) => a.name.compare(b.name)),
  }
}

function deadServer(name: string): ServerName {
  const [, , , startCode] = /^(.+),(\d{1,5}),(\d+)$/.exec(name) ?? []
  return serverIn(/^(.+),(\d{1,5}),\d+$/.exec(name), name, Number(startCode))
}

function serverIn(match: RegExpExecArray | null, name: string, startCode: number): ServerName {
  if (match === null) throw new HBaseError('CORRUPTION', `a server by the name of ${name.slice(0, 200)}`)
  return { host: match[1]!, port: Number(match[2]), startCode }
}

function regionLoad(region: RegionStatus): RegionLoad {
  return {
    name: region.name,
    stores: region.stores,
    storeFiles: region.storefiles ?? 0,
    storeFileSizeMB: region.storefileSizeMB ?? 0,
    memStoreSizeMB: region.memStoreSizeMB ?? 0,
    storeFileIndexSizeKB: region.storefileIndexSizeKB ?? 0,
    rootIndexSizeKB: region.rootIndexSizeKB ?? 0,
    staticIndexSizeKB: region.totalStaticIndexSizeKB ?? 0,
    staticBloomSizeKB: region.totalStaticBloomSizeKB ?? 0,
    readRequests: region.readRequestsCount ?? 0,
    writeRequests: region.writeRequestsCount ?? 0,
    compactingCells: region.totalCompactingKVs ?? 0,
    compactedCells: region.currentCompactedKVs ?? 0,
    completedSequenceId: NO_SEQUENCE_ID,
    storeSequenceIds: [],
    lastMajorCompaction: 0,
  }
}

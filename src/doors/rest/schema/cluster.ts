/** The server's versions, and the status of the cluster with its regions. */

import { arch, release, type } from 'node:os'
import { clusterOf } from '../../../gateway/catalog/own-cluster.ts'
import { HBASE_VERSION } from '../../../model/hbase-version.ts'
import { manyATurn } from '../../../model/many-a-turn.ts'
import type { ServerName } from '../../../model/server-name.ts'
import { mapInSteps, type Steps } from '../../../model/steps.ts'
import type { RegionLoad, ServerLoad } from '../../../store/upkeep.ts'
import {
  clusterStatusDocument,
  type NodeStatus,
  type RegionStatus,
} from '../../../wire/rest/cluster-status.ts'
import { clusterVersionDocument, type VersionInfo, versionDocument } from '../../../wire/rest/version.ts'
import { type Answer, NO_CACHE } from '../http/answer.ts'
import { documentAnswer, longDocumentAnswer } from '../http/document-answer.ts'
import type { RestRequest } from '../http/request.ts'
import type { RestService } from '../service/rest-service.ts'

/** The commit of HBASE_VERSION: org.apache.hadoop.hbase.util.VersionInfo.getRevision(). */
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

export function getVersion(request: RestRequest): Answer {
  return documentAnswer(request.accept, versionDocument(VERSION), NO_CACHE)
}

export async function getClusterVersion({ store }: RestService, request: RestRequest): Promise<Answer> {
  const version = await clusterOf(store).hbaseVersion(request.call)
  return documentAnswer(request.accept, clusterVersionDocument(version), NO_CACHE)
}

export async function getStatus({ store }: RestService, request: RestRequest): Promise<Answer> {
  const { liveServers, deadServers } = await clusterOf(store).status(request.call)
  const nodes: NodeStatus[] = []
  for (const server of liveServers) nodes.push(await manyATurn(nodeStatus(server)))
  const document = clusterStatusDocument(nodes, deadServers.map(serverText))
  return longDocumentAnswer(request.accept, document, NO_CACHE)
}

function* nodeStatus({ server, requests, heapUsedMB, heapMaxMB, regions }: ServerLoad): Steps<NodeStatus> {
  return {
    name: `${server.host}:${server.port}`,
    startCode: server.startCode,
    requests,
    heapSizeMB: heapUsedMB,
    maxHeapSizeMB: heapMaxMB,
    regions: yield* mapInSteps(regions, regionStatus),
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

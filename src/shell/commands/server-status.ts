/** `status` over a protocol that lists a cluster's servers but not its masters. It prints HBase's text without the figures that are missing. */

import { toStringBinary } from '../../model/bytes.ts'
import type { RegionLoad, ServerSummary, ServersInfo } from '../../store/upkeep.ts'
import { serverText } from '../context/cluster-report.ts'
import type { CommandContext } from '../context/command.ts'
import { progress } from '../output/load-text.ts'

type Figure = readonly [name: string, figure: (load: RegionLoad) => number]

const STORES: readonly Figure[] = [
  ['numberOfStores', ({ stores }) => stores],
  ['numberOfStorefiles', ({ storeFiles }) => storeFiles],
  ['storefileSizeMB', ({ storeFileSizeMB }) => storeFileSizeMB],
  ['memstoreSizeMB', ({ memStoreSizeMB }) => memStoreSizeMB],
]
/** HBase's shell prints this figure for servers only. */
const INDEXES: Figure = ['storefileIndexSizeKB', ({ storeFileIndexSizeKB }) => storeFileIndexSizeKB]
const REQUESTS: readonly Figure[] = [
  ['readRequestsCount', ({ readRequests }) => readRequests],
  ['writeRequestsCount', ({ writeRequests }) => writeRequests],
  ['rootIndexSizeKB', ({ rootIndexSizeKB }) => rootIndexSizeKB],
  ['totalStaticIndexSizeKB', ({ staticIndexSizeKB }) => staticIndexSizeKB],
  ['totalStaticBloomSizeKB', ({ staticBloomSizeKB }) => staticBloomSizeKB],
  ['totalCompactingKVs', ({ compactingCells }) => compactingCells],
  ['currentCompactedKVs', ({ compactedCells }) => compactedCells],
]

type Format = 'summary' | 'simple' | 'detailed'

export async function statusReport(
  { out, call }: CommandContext,
  info: ServersInfo,
  format: Format,
): Promise<void> {
  const { live, dead } = await info.servers(call)
  const regions = live.reduce((sum, server) => sum + server.regions.length, 0)
  if (format === 'summary') {
    const average = live.length === 0 ? 0 : regions / live.length
    out.line(`${live.length} servers, ${dead.length} dead, ${average.toFixed(4)} average load`)
    return
  }
  if (format === 'detailed') out.line(`version ${await info.hbaseVersion(call)}`)
  out.line(`${live.length} live servers`)
  for (const each of live) {
    out.line(`    ${each.server.host}:${each.server.port} ${each.server.startCode}`)
    out.line(`        ${serverSummaryText(each)}`)
    if (format === 'simple') continue
    for (const load of each.regions) {
      out.line(`        "${toStringBinary(load.name).replaceAll(/["\\]/g, '\\$&')}"`)
      out.line(`            ${figures([...STORES, ...REQUESTS], [load])}`)
    }
  }
  out.line(`${dead.length} dead servers`)
  for (const each of dead) out.line(`    ${serverText(each)}`)
  if (format === 'simple') out.line(`regions: ${regions}`)
}

function serverSummaryText({ heapUsedMB, heapMaxMB, regions }: ServerSummary): string {
  const own = `numberOfOnlineRegions=${regions.length}, usedHeapMB=${heapUsedMB}, maxHeapMB=${heapMaxMB}`
  return `${own}, ${figures([...STORES, INDEXES, ...REQUESTS], regions)}`
}

function figures(wanted: readonly Figure[], loads: readonly RegionLoad[]): string {
  const sum = (figure: Figure[1]): number => loads.reduce((total, load) => total + figure(load), 0)
  const texts = wanted.map(([name, figure]) => `${name}=${sum(figure)}`)
  const compacted = progress(
    sum((load) => load.compactedCells),
    sum((load) => load.compactingCells),
  )
  return [...texts, `compactionProgressPct=${compacted}`].join(', ')
}

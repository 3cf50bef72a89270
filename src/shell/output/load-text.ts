/** The loads of servers and regions as the client of HBase 2.4 prints them: ServerLoad.toString and RegionLoad.toString. */

import { toStringBinary } from '../../model/bytes.ts'
import type { RegionLoad, ServerLoad } from '../../wire/rpc/gen/cluster-status_pb.ts'
import { floatText } from './java-numbers.ts'

type Figure = (load: RegionLoad) => number

function sum(loads: readonly RegionLoad[], figure: Figure): number {
  return loads.reduce((total, load) => total + figure(load), 0)
}

/** The progress of compactions. Java prints 0/0 as NaN. */
export function progress(compacted: number, compacting: number): string {
  return compacting === 0 ? 'NaN' : floatText(compacted / compacting)
}

export function serverLoadText(load: ServerLoad): string {
  const loads = load.regionLoads
  const [uncompressed, size] = [
    sum(loads, (each) => each.storeUncompressedSizeMB),
    sum(loads, (each) => each.storefileSizeMB),
  ]
  const compacting = sum(loads, (each) => Number(each.totalCompactingKVs))
  const compacted = sum(loads, (each) => Number(each.currentCompactedKVs))
  const coprocessors = [...new Set(load.coprocessors.map(({ name }) => name))].sort()
  const parts = [
    `requestsPerSecond=${floatText(Number(load.numberOfRequests))}`,
    `numberOfOnlineRegions=${loads.length}`,
    `usedHeapMB=${load.usedHeapMB}`,
    `maxHeapMB=${load.maxHeapMB}`,
    `numberOfStores=${sum(loads, (each) => each.stores)}`,
    `numberOfStorefiles=${sum(loads, (each) => each.storefiles)}`,
    `storefileUncompressedSizeMB=${uncompressed}`,
    `storefileSizeMB=${size}`,
    ...(uncompressed === 0 ? [] : [`compressionRatio=${(size / uncompressed).toFixed(4)}`]),
    `memstoreSizeMB=${sum(loads, (each) => each.memStoreSizeMB)}`,
    `storefileIndexSizeKB=${sum(loads, (each) => Number(each.storefileIndexSizeKB))}`,
    `readRequestsCount=${sum(loads, (each) => Number(each.readRequestsCount))}`,
    `filteredReadRequestsCount=${sum(loads, (each) => Number(each.filteredReadRequestsCount))}`,
    `writeRequestsCount=${sum(loads, (each) => Number(each.writeRequestsCount))}`,
    `rootIndexSizeKB=${sum(loads, (each) => each.rootIndexSizeKB)}`,
    `totalStaticIndexSizeKB=${sum(loads, (each) => each.totalStaticIndexSizeKB)}`,
    `totalStaticBloomSizeKB=${sum(loads, (each) => each.totalStaticBloomSizeKB)}`,
    `totalCompactingKVs=${compacting}`,
    `currentCompactedKVs=${compacted}`,
    `compactionProgressPct=${progress(compacted, compacting)}`,
    ...(coprocessors.length === 0 ? [] : [`coprocessors=${coprocessorsText(coprocessors)}`]),
  ]
  return parts.join(', ')
}

/** The region's name as Ruby prints a string. */
export function regionNameText({ regionSpecifier }: RegionLoad): string {
  return `"${toStringBinary(Buffer.from(regionSpecifier!.value)).replaceAll(/["\\]/g, '\\$&')}"`
}

export function regionLoadText(load: RegionLoad): string {
  const [compacted, compacting] = [Number(load.currentCompactedKVs), Number(load.totalCompactingKVs)]
  const { storeUncompressedSizeMB: uncompressed, storefileSizeMB: size } = load
  const parts = [
    `numberOfStores=${load.stores}`,
    `numberOfStorefiles=${load.storefiles}`,
    `storeRefCount=${load.storeRefCount}`,
    `storefileUncompressedSizeMB=${uncompressed}`,
    `lastMajorCompactionTimestamp=${load.lastMajorCompactionTs}`,
    `storefileSizeMB=${size}`,
    ...(uncompressed === 0 ? [] : [`compressionRatio=${(size / uncompressed).toFixed(4)}`]),
    `memstoreSizeMB=${load.memStoreSizeMB}`,
    `readRequestsCount=${load.readRequestsCount}`,
    `writeRequestsCount=${load.writeRequestsCount}`,
    `rootIndexSizeKB=${load.rootIndexSizeKB}`,
    `totalStaticIndexSizeKB=${load.totalStaticIndexSizeKB}`,
    `totalStaticBloomSizeKB=${load.totalStaticBloomSizeKB}`,
    `totalCompactingKVs=${compacting}`,
    `currentCompactedKVs=${compacted}`,
    `compactionProgressPct=${progress(compacted, compacting)}`,
    `completeSequenceId=${BigInt.asIntN(64, load.completeSequenceId)}`,
    `dataLocality=${floatText(load.dataLocality)}`,
  ]
  return parts.join(', ')
}

/** The names of classes without their packages, as HBase lists coprocessors. */
export function coprocessorsText(names: readonly string[]): string {
  return `[${names.map((name) => name.slice(name.lastIndexOf('.') + 1)).join(', ')}]`
}

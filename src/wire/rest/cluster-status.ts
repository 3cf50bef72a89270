/** The servers of a cluster and their regions. A counter that the store does not report reads as 0. */

import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import type { DocumentParts, LongDocument } from './document.ts'
import { jacksonText } from './jackson-text.ts'
import { xmlAround, xmlElement } from './xml-writer.ts'

/** Counters of a region, in the order of the protobuf fields from 3 on. */
export const COUNTERS = [
  'storefiles',
  'storefileSizeMB',
  'memStoreSizeMB',
  'storefileIndexSizeKB',
  'readRequestsCount',
  'writeRequestsCount',
  'rootIndexSizeKB',
  'totalStaticIndexSizeKB',
  'totalStaticBloomSizeKB',
  'totalCompactingKVs',
  'currentCompactedKVs',
] as const
type Counter = (typeof COUNTERS)[number]

const JSON_COUNTERS = [...COUNTERS.filter((name) => name !== 'memStoreSizeMB'), 'memStoreSizeMB'] as const

export type RegionStatus = {
  readonly name: Buffer
  /** Column families. */
  readonly stores: number
} & { readonly [Name in Counter]?: number }

export interface NodeStatus {
  /** host:port */
  readonly name: string
  readonly startCode: number
  readonly requests?: number
  readonly heapSizeMB: number
  readonly maxHeapSizeMB: number
  readonly regions: readonly RegionStatus[]
}

interface Totals {
  readonly regions: number
  /** Reads and writes of all regions. */
  readonly requests: number
  /** Regions per live node. */
  readonly averageLoad: number
}

/** `deadNodes`: host,port,startCode */
export function clusterStatusDocument(
  nodes: readonly NodeStatus[],
  deadNodes: readonly string[] = [],
): LongDocument {
  const totals = totalsOf(nodes)
  return {
    text: () => statusText(nodes, deadNodes, totals.averageLoad),
    xml: () => statusXml(nodes, deadNodes, totals),
    json: () => statusJson(nodes, deadNodes, totals),
    protobuf: () => statusProtobuf(nodes, deadNodes, totals),
  }
}

function totalsOf(nodes: readonly NodeStatus[]): Totals {
  const all = nodes.flatMap((node) => node.regions)
  const requests = all.reduce(
    (sum, region) => sum + (region.readRequestsCount ?? 0) + (region.writeRequestsCount ?? 0),
    0,
  )
  return { regions: all.length, requests, averageLoad: nodes.length === 0 ? 0 : all.length / nodes.length }
}

/** Java: Double.toString, of a double of this size. */
function javaDouble(value: number): string {
  return Number.isInteger(value) ? `${value}.0` : String(value)
}

function* statusText(
  nodes: readonly NodeStatus[],
  deadNodes: readonly string[],
  load: number,
): DocumentParts {
  const counts = `${nodes.length} live servers, ${deadNodes.length} dead servers`
  yield `${counts}, ${load.toFixed(4)} average load\n\n`
  if (nodes.length > 0) yield `${nodes.length} live servers\n`
  for (const node of nodes) {
    yield `    ${node.name} ${node.startCode}\n        requests=${node.requests ?? 0}, regions=${node.regions.length}\n`
    yield `        heapSizeMB=${node.heapSizeMB}\n        maxHeapSizeMB=${node.maxHeapSizeMB}\n\n`
    for (const region of node.regions) {
      let text = `        ${region.name.toString()}\n            stores=${region.stores}\n`
      for (const counter of COUNTERS) {
        text += `            ${TEXT_NAMES.get(counter) ?? counter}=${region[counter] ?? 0}\n`
      }
      yield text
    }
    yield '\n'
  }
  if (deadNodes.length > 0) yield `\n${deadNodes.length} dead servers\n`
  for (const name of deadNodes) yield `    ${name}\n`
}

/** QUIRK rest-server-status-cluster-as-text: the text form spells two counters in its own way. */
const TEXT_NAMES: ReadonlyMap<string, string> = new Map([
  ['storefiles', 'storefiless'],
  ['memStoreSizeMB', 'memstoreSizeMB'],
])

function* statusXml(
  nodes: readonly NodeStatus[],
  deadNodes: readonly string[],
  { regions, requests, averageLoad }: Totals,
): DocumentParts {
  const [begin, end] = xmlAround('ClusterStatus', [
    ['averageLoad', javaDouble(averageLoad)],
    ['regions', regions],
    ['requests', requests],
  ])
  const dead = deadNodes.map((name) => xmlElement('Node', [], name)).join('')
  yield begin + xmlElement('DeadNodes', [], dead)
  if (nodes.length === 0) yield xmlElement('LiveNodes', [])
  else {
    const [beginLive, endLive] = xmlAround('LiveNodes', [])
    yield beginLive
    for (const node of nodes) yield* nodeXml(node)
    yield endLive
  }
  yield end
}

function* nodeXml(node: NodeStatus): DocumentParts {
  const attributes = [
    ['heapSizeMB', node.heapSizeMB],
    ['maxHeapSizeMB', node.maxHeapSizeMB],
    ['name', node.name],
    ['requests', node.requests ?? 0],
    ['startCode', node.startCode],
  ] as const
  if (node.regions.length === 0) {
    yield xmlElement('Node', attributes)
    return
  }
  const [begin, end] = xmlAround('Node', attributes)
  yield begin
  for (const region of node.regions) yield regionXml(region)
  yield end
}

function regionXml(region: RegionStatus): string {
  const attributes = {
    ...countersOf(region, COUNTERS),
    stores: region.stores,
    name: region.name.toString('base64'),
  }
  const byName = Object.entries(attributes).sort(([a], [b]) => (a < b ? -1 : 1))
  return xmlElement('Region', byName)
}

function countersOf(region: RegionStatus, names: readonly Counter[]): Record<string, number> {
  return Object.fromEntries(names.map((name) => [name, region[name] ?? 0]))
}

function* statusJson(
  nodes: readonly NodeStatus[],
  deadNodes: readonly string[],
  { regions, requests, averageLoad }: Totals,
): DocumentParts {
  yield '{"LiveNodes":['
  for (const [index, node] of nodes.entries()) {
    const { name, startCode, heapSizeMB, maxHeapSizeMB } = node
    const own = jacksonText({ name, startCode, requests: node.requests ?? 0, heapSizeMB, maxHeapSizeMB })
    yield `${index === 0 ? '' : ','}${own.slice(0, -1)},"Region":[`
    for (const [at, region] of node.regions.entries())
      yield (at === 0 ? '' : ',') + jacksonText(regionJson(region))
    yield ']}'
  }
  yield `],${jacksonText({ DeadNodes: deadNodes, regions, requests, averageLoad }).slice(1)}`
}

function regionJson(region: RegionStatus): unknown {
  const { name, stores } = region
  return { name: name.toString('base64'), stores, ...countersOf(region, JSON_COUNTERS) }
}

function* statusProtobuf(
  nodes: readonly NodeStatus[],
  deadNodes: readonly string[],
  { regions, requests, averageLoad }: Totals,
): DocumentParts {
  for (const node of nodes) yield* nodeProtobuf(node)
  const writer = new BinaryWriter()
  for (const name of deadNodes) writer.tag(2, WireType.LengthDelimited).string(name)
  writer.tag(3, WireType.Varint).int32(regions)
  writer.tag(4, WireType.Varint).int64(requests)
  writer.tag(5, WireType.Bit64).double(averageLoad)
  yield writer.finish()
}

/** The regions first: the node's length stands before them. */
function* nodeProtobuf(node: NodeStatus): DocumentParts {
  const regions: Uint8Array[] = []
  let bytes = 0
  for (const region of node.regions) {
    const part = regionProtobuf(region)
    regions.push(part)
    bytes += part.length
    yield ''
  }
  const own = new BinaryWriter()
    .tag(1, WireType.LengthDelimited)
    .string(node.name)
    .tag(2, WireType.Varint)
    .int64(node.startCode)
    .tag(3, WireType.Varint)
    .int64(node.requests ?? 0)
    .tag(4, WireType.Varint)
    .int32(node.heapSizeMB)
    .tag(5, WireType.Varint)
    .int32(node.maxHeapSizeMB)
    .finish()
  yield new BinaryWriter()
    .tag(1, WireType.LengthDelimited)
    .uint32(own.length + bytes)
    .finish()
  yield own
  yield* regions
}

function regionProtobuf(region: RegionStatus): Uint8Array {
  const writer = new BinaryWriter().tag(6, WireType.LengthDelimited).fork()
  writer.tag(1, WireType.LengthDelimited).bytes(region.name)
  writer.tag(2, WireType.Varint).int32(region.stores)
  for (const [index, counter] of COUNTERS.entries()) {
    writer.tag(3 + index, WireType.Varint).int64(region[counter] ?? 0)
  }
  return writer.join().finish()
}

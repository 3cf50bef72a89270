/** The servers of a cluster and their regions. A counter that the store does not tell reads as 0. */

import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import type { RestDocument } from './document.ts'
import { xmlElement } from './xml-writer.ts'

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
): RestDocument {
  const totals = totalsOf(nodes)
  const { regions, requests, averageLoad } = totals
  return {
    text: () => statusText(nodes, deadNodes, averageLoad),
    xml: () => {
      const dead = deadNodes.map((name) => xmlElement('Node', [], name)).join('')
      const live = xmlElement('LiveNodes', [], nodes.map(nodeXml).join(''))
      return xmlElement(
        'ClusterStatus',
        [
          ['averageLoad', javaDouble(averageLoad)],
          ['regions', regions],
          ['requests', requests],
        ],
        `${xmlElement('DeadNodes', [], dead)}${live}`,
      )
    },
    json: () => ({ LiveNodes: nodes.map(nodeJson), DeadNodes: deadNodes, regions, requests, averageLoad }),
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

function statusText(nodes: readonly NodeStatus[], deadNodes: readonly string[], load: number): string {
  const counts = `${nodes.length} live servers, ${deadNodes.length} dead servers`
  let text = `${counts}, ${load.toFixed(4)} average load\n\n`
  if (nodes.length > 0) text += `${nodes.length} live servers\n`
  for (const node of nodes) {
    text += `    ${node.name} ${node.startCode}\n        requests=${node.requests ?? 0}, regions=${node.regions.length}\n`
    text += `        heapSizeMB=${node.heapSizeMB}\n        maxHeapSizeMB=${node.maxHeapSizeMB}\n\n`
    for (const region of node.regions) {
      text += `        ${region.name.toString()}\n            stores=${region.stores}\n`
      for (const counter of COUNTERS) {
        text += `            ${TEXT_NAMES.get(counter) ?? counter}=${region[counter] ?? 0}\n`
      }
    }
    text += '\n'
  }
  if (deadNodes.length > 0) text += `\n${deadNodes.length} dead servers\n`
  for (const name of deadNodes) text += `    ${name}\n`
  return text
}

/** QUIRK rest-server-status-cluster-as-text: the text form spells two counters in its own way. */
const TEXT_NAMES: ReadonlyMap<string, string> = new Map([
  ['storefiles', 'storefiless'],
  ['memStoreSizeMB', 'memstoreSizeMB'],
])

function nodeXml(node: NodeStatus): string {
  return xmlElement(
    'Node',
    [
      ['heapSizeMB', node.heapSizeMB],
      ['maxHeapSizeMB', node.maxHeapSizeMB],
      ['name', node.name],
      ['requests', node.requests ?? 0],
      ['startCode', node.startCode],
    ],
    node.regions.map(regionXml).join(''),
  )
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

function nodeJson(node: NodeStatus): unknown {
  return {
    name: node.name,
    startCode: node.startCode,
    requests: node.requests ?? 0,
    heapSizeMB: node.heapSizeMB,
    maxHeapSizeMB: node.maxHeapSizeMB,
    Region: node.regions.map((region) => ({
      name: region.name.toString('base64'),
      stores: region.stores,
      ...countersOf(region, JSON_COUNTERS),
    })),
  }
}

function statusProtobuf(
  nodes: readonly NodeStatus[],
  deadNodes: readonly string[],
  { regions, requests, averageLoad }: Totals,
): Uint8Array {
  const writer = new BinaryWriter()
  for (const node of nodes) {
    writer.tag(1, WireType.LengthDelimited).fork()
    writer.tag(1, WireType.LengthDelimited).string(node.name)
    writer.tag(2, WireType.Varint).int64(node.startCode)
    writer.tag(3, WireType.Varint).int64(node.requests ?? 0)
    writer.tag(4, WireType.Varint).int32(node.heapSizeMB)
    writer.tag(5, WireType.Varint).int32(node.maxHeapSizeMB)
    for (const region of node.regions) {
      writer.tag(6, WireType.LengthDelimited).fork()
      writer.tag(1, WireType.LengthDelimited).bytes(region.name)
      writer.tag(2, WireType.Varint).int32(region.stores)
      for (const [index, counter] of COUNTERS.entries()) {
        writer.tag(3 + index, WireType.Varint).int64(region[counter] ?? 0)
      }
      writer.join()
    }
    writer.join()
  }
  for (const name of deadNodes) writer.tag(2, WireType.LengthDelimited).string(name)
  writer.tag(3, WireType.Varint).int32(regions)
  writer.tag(4, WireType.Varint).int64(requests)
  writer.tag(5, WireType.Bit64).double(averageLoad)
  return writer.finish()
}

/** The servers of a cluster and the regions on them. What a store does not tell reads as 0. */

import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import type { RestDocument } from './document.ts'
import { xmlElement } from './xml-writer.ts'

export interface RegionStatus {
  readonly name: Buffer
  /** Column families. */
  readonly stores: number
}

export interface NodeStatus {
  /** host:port */
  readonly name: string
  readonly startCode: number
  readonly heapSizeMB: number
  readonly maxHeapSizeMB: number
  readonly regions: readonly RegionStatus[]
}

/** Counters of a region that follow its stores, in the order of JSON and of the protobuf fields from 3 on. */
const COUNTERS = [
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
const JSON_COUNTERS = [...COUNTERS.filter((name) => name !== 'memStoreSizeMB'), 'memStoreSizeMB'] as const

export function clusterStatusDocument(nodes: readonly NodeStatus[]): RestDocument {
  const regions = nodes.reduce((sum, node) => sum + node.regions.length, 0)
  const load = nodes.length === 0 ? 0 : regions / nodes.length
  return {
    text: () => statusText(nodes, load),
    xml: () => {
      const live = xmlElement('LiveNodes', [], nodes.map(nodeXml).join(''))
      return xmlElement(
        'ClusterStatus',
        [
          ['averageLoad', javaDouble(load)],
          ['regions', regions],
          ['requests', 0],
        ],
        `<DeadNodes/>${live}`,
      )
    },
    json: () => ({
      LiveNodes: nodes.map(nodeJson),
      DeadNodes: [],
      regions,
      requests: 0,
      averageLoad: load,
    }),
    protobuf: () => statusProtobuf(nodes, regions, load),
  }
}

/** A double as Java prints one of this size. */
function javaDouble(value: number): string {
  return Number.isInteger(value) ? `${value}.0` : String(value)
}

function statusText(nodes: readonly NodeStatus[], load: number): string {
  let text = `${nodes.length} live servers, 0 dead servers, ${load.toFixed(4)} average load\n\n`
  if (nodes.length === 0) return text
  text += `${nodes.length} live servers\n`
  for (const node of nodes) {
    text += `    ${node.name} ${node.startCode}\n        requests=0, regions=${node.regions.length}\n`
    text += `        heapSizeMB=${node.heapSizeMB}\n        maxHeapSizeMB=${node.maxHeapSizeMB}\n\n`
    for (const region of node.regions) {
      text += `        ${region.name.toString()}\n            stores=${region.stores}\n`
      for (const counter of COUNTERS) text += `            ${TEXT_NAMES.get(counter) ?? counter}=0\n`
    }
    text += '\n'
  }
  return text
}

/** HBase's text form spells two of them in its own way. */
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
      ['requests', 0],
      ['startCode', node.startCode],
    ],
    node.regions.map(regionXml).join(''),
  )
}

function regionXml({ name, stores }: RegionStatus): string {
  return xmlElement('Region', [
    ['currentCompactedKVs', 0],
    ['memStoreSizeMB', 0],
    ['name', name.toString('base64')],
    ['readRequestsCount', 0],
    ['rootIndexSizeKB', 0],
    ['storefileIndexSizeKB', 0],
    ['storefileSizeMB', 0],
    ['storefiles', 0],
    ['stores', stores],
    ['totalCompactingKVs', 0],
    ['totalStaticBloomSizeKB', 0],
    ['totalStaticIndexSizeKB', 0],
    ['writeRequestsCount', 0],
  ])
}

function nodeJson(node: NodeStatus): unknown {
  const counters = Object.fromEntries(JSON_COUNTERS.map((name) => [name, 0]))
  return {
    name: node.name,
    startCode: node.startCode,
    requests: 0,
    heapSizeMB: node.heapSizeMB,
    maxHeapSizeMB: node.maxHeapSizeMB,
    Region: node.regions.map(({ name, stores }) => ({ name: name.toString('base64'), stores, ...counters })),
  }
}

function statusProtobuf(nodes: readonly NodeStatus[], regions: number, load: number): Uint8Array {
  const writer = new BinaryWriter()
  for (const node of nodes) {
    writer.tag(1, WireType.LengthDelimited).fork()
    writer.tag(1, WireType.LengthDelimited).string(node.name)
    writer.tag(2, WireType.Varint).int64(node.startCode)
    writer.tag(3, WireType.Varint).int64(0)
    writer.tag(4, WireType.Varint).int32(node.heapSizeMB)
    writer.tag(5, WireType.Varint).int32(node.maxHeapSizeMB)
    for (const region of node.regions) {
      writer.tag(6, WireType.LengthDelimited).fork()
      writer.tag(1, WireType.LengthDelimited).bytes(region.name)
      writer.tag(2, WireType.Varint).int32(region.stores)
      for (const index of COUNTERS.keys()) writer.tag(3 + index, WireType.Varint).int64(0)
      writer.join()
    }
    writer.join()
  }
  writer.tag(3, WireType.Varint).int32(regions)
  writer.tag(4, WireType.Varint).int64(0)
  writer.tag(5, WireType.Bit64).double(load)
  return writer.finish()
}

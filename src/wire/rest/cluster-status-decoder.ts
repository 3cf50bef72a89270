/** The servers of a cluster as clients read them, as protobuf. Throws CORRUPTION. */

import { EMPTY } from '../../model/bytes.ts'
import { COUNTERS, type NodeStatus, type RegionStatus } from './cluster-status.ts'
import { bytesField, bytesTag, int64Field, readMessage, varintTag } from './protobuf-reader.ts'

export interface ServersStatus {
  readonly nodes: readonly NodeStatus[]
  /** host,port,startCode */
  readonly deadNodes: readonly string[]
}

const FIRST_COUNTER = 3
const COUNTER_OF_TAG: ReadonlyMap<number, (typeof COUNTERS)[number]> = new Map(
  COUNTERS.map((name, index) => [varintTag(FIRST_COUNTER + index), name]),
)

/** The sums, which stand there too, are those of the nodes. */
export function decodeClusterStatus(body: Buffer): ServersStatus {
  const nodes: NodeStatus[] = []
  const deadNodes: string[] = []
  readMessage(body, (tag, reader) => {
    if (tag === bytesTag(1)) nodes.push(nodeOf(bytesField(reader)))
    else if (tag === bytesTag(2)) deadNodes.push(reader.string())
    else return false
    return true
  })
  return { nodes, deadNodes }
}

function nodeOf(message: Buffer): NodeStatus {
  const regions: RegionStatus[] = []
  const node = { name: '', startCode: 0, requests: 0, heapSizeMB: 0, maxHeapSizeMB: 0, regions }
  readMessage(message, (tag, reader) => {
    if (tag === bytesTag(1)) node.name = reader.string()
    else if (tag === varintTag(2)) node.startCode = Number(int64Field(reader))
    else if (tag === varintTag(3)) node.requests = Number(int64Field(reader))
    else if (tag === varintTag(4)) node.heapSizeMB = reader.int32()
    else if (tag === varintTag(5)) node.maxHeapSizeMB = reader.int32()
    else if (tag === bytesTag(6)) regions.push(regionOf(bytesField(reader)))
    else return false
    return true
  })
  return node
}

function regionOf(message: Buffer): RegionStatus {
  const region: { name: Buffer; stores: number } & { [Name in (typeof COUNTERS)[number]]?: number } = {
    name: EMPTY,
    stores: 0,
  }
  readMessage(message, (tag, reader) => {
    const counter = COUNTER_OF_TAG.get(tag)
    if (counter !== undefined) region[counter] = Number(int64Field(reader))
    else if (tag === bytesTag(1)) region.name = bytesField(reader)
    else if (tag === varintTag(2)) region.stores = reader.int32()
    else return false
    return true
  })
  return region
}

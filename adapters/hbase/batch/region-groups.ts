import type { LocatedRegion } from '../cluster/meta-row.ts'
import { regionHasRow } from '../cluster/region-cache.ts'

/** Indexes of a batch's items in one region. */
export interface RegionGroup {
  readonly region: LocatedRegion
  readonly items: number[]
}

/** The items of one call of one server. */
export interface ServerCall {
  /** The groups by encoded name: a LocatedRegion may be replaced while others are located. */
  readonly groups: Map<string, RegionGroup>
  bytes: number
  items: number
}

/** The most bytes of one call, unless a single item is larger. HBase: hbase.client.max.perrequest.heapsize. */
const CALL_BYTES_MAX = 4 * 1024 * 1024
/** The most items of one call: a region server logs a warning beyond 5,000. HBase: hbase.rpc.rows.warning.threshold. */
const CALL_ITEMS_MAX = 2_000

/** Sorts items by the servers of their regions; the items of a region keep their order. */
export class RegionGroups {
  readonly #calls = new Map<string, ServerCall[]>()
  #lastRegion: LocatedRegion | undefined
  #lastGroup: RegionGroup | undefined
  #lastCall: ServerCall | undefined

  /** The region of the previous item, if it has this row too: batches mostly come in row order. */
  regionOf(row: Buffer): LocatedRegion | undefined {
    const region = this.#lastRegion
    return region !== undefined && regionHasRow(region, row) ? region : undefined
  }

  add(index: number, region: LocatedRegion, bytes: number): void {
    const last = this.#lastRegion === region ? this.#lastCall : undefined
    const call = hasRoom(last, bytes) ? last : this.#callOf(region, bytes)
    if (this.#lastCall !== call || this.#lastRegion !== region) {
      this.#lastGroup = regionGroup(call, region)
      this.#lastCall = call
      this.#lastRegion = region
    }
    this.#lastGroup!.items.push(index)
    call.bytes += bytes
    call.items++
  }

  /** For each server, its calls, which go one after the other. */
  calls(): Iterable<readonly ServerCall[]> {
    return this.#calls.values()
  }

  #callOf({ server: { host, port } }: LocatedRegion, bytes: number): ServerCall {
    const key = `${host}:${port}`
    let calls = this.#calls.get(key)
    if (calls === undefined) {
      calls = []
      this.#calls.set(key, calls)
    }
    const last = calls.at(-1)
    if (hasRoom(last, bytes)) return last
    const call: ServerCall = { groups: new Map(), bytes: 0, items: 0 }
    calls.push(call)
    return call
  }
}

function hasRoom(call: ServerCall | undefined, bytes: number): call is ServerCall {
  return call !== undefined && call.items < CALL_ITEMS_MAX && call.bytes + bytes <= CALL_BYTES_MAX
}

function regionGroup({ groups }: Pick<ServerCall, 'groups'>, region: LocatedRegion): RegionGroup {
  let group = groups.get(region.encodedName)
  if (group === undefined) {
    group = { region, items: [] }
    groups.set(region.encodedName, group)
  }
  return group
}

/** Indexes of one server's requests by region, each region's in order. */
export function itemsByRegion(requests: readonly { readonly region: LocatedRegion }[]): RegionGroup[] {
  const call = { groups: new Map<string, RegionGroup>() }
  for (const [index, { region }] of requests.entries()) regionGroup(call, region).items.push(index)
  return [...call.groups.values()]
}

/** The known regions of one table, in order of their start keys; no two of them overlap. */

import { compareBytes } from '../../../src/model/bytes.ts'
import type { ServerName } from '../../../src/model/server-name.ts'
import type { LocatedRegion } from './meta-row.ts'

export class RegionCache {
  #regions: LocatedRegion[] = []

  get size(): number {
    return this.#regions.length
  }

  /** The region that `row` is in. */
  find(row: Buffer): LocatedRegion | undefined {
    const region = this.#regions[this.#countUpTo(row) - 1]
    return region !== undefined && endsAfter(region, row) ? region : undefined
  }

  /** The region of that encoded name. */
  findByName(encodedName: string): LocatedRegion | undefined {
    return this.#regions.find((region) => region.encodedName === encodedName)
  }

  /** The region of the last rows before `row`, or of the table's last rows where `row` is empty. */
  findBefore(row: Buffer): LocatedRegion | undefined {
    if (row.length === 0) {
      const last = this.#regions.at(-1)
      return last?.endKey.length === 0 ? last : undefined
    }
    const region = this.#regions[this.#countBefore(row) - 1]
    return region !== undefined && reaches(region, row) ? region : undefined
  }

  /** Names the gap between known regions in which `row` lies; `before`: in which the rows before `row` lie. */
  gapOf(row: Buffer, before: boolean): string {
    const atEnd = before && row.length === 0
    const count = atEnd ? this.#regions.length : before ? this.#countBefore(row) : this.#countUpTo(row)
    return this.#regions[count - 1]?.encodedName ?? ''
  }

  /** Replaces all regions that it overlaps, unless the known location of the same region is newer. Returns the known one. */
  put(region: LocatedRegion): LocatedRegion {
    const from = this.#countEndingBy(region.startKey)
    const to =
      region.endKey.length === 0 ? this.#regions.length : Math.max(from, this.#countBefore(region.endKey))
    const known = this.#regions[from]
    if (to - from === 1 && known!.encodedName === region.encodedName && isNewer(known!, region)) return known!
    this.#regions.splice(from, to - from, region)
    return region
  }

  /** Removes the location, with those of its copies where it is a copy's; a newer one of the same region stays. */
  remove(region: LocatedRegion): void {
    const at = this.#indexOf(region)
    if (at >= 0) this.#regions.splice(at, 1)
  }

  /** Puts the region or copy on another server, unless its known location has changed since. */
  move(region: LocatedRegion, { server, openSequenceId }: LocatedRegion): void {
    const at = this.#indexOf(region)
    if (at < 0) return
    const known = this.#regions[at]!
    const moved = <T extends LocatedRegion>(located: T): T =>
      located.encodedName === region.encodedName ? { ...located, server, openSequenceId } : located
    this.#regions[at] = known.copies ? { ...moved(known), copies: known.copies.map(moved) } : moved(known)
  }

  /** Removes all regions on the server, and those with a copy there. */
  removeServer(server: ServerName): void {
    this.#regions = this.#regions.filter(
      (region) =>
        !sameServer(region.server, server) && !region.copies?.some((copy) => sameServer(copy.server, server)),
    )
  }

  /** The index of the failed location, or of the region whose copy it is; -1 where it is not known any more. */
  #indexOf(region: LocatedRegion): number {
    const at = this.#countUpTo(region.startKey) - 1
    const known = this.#regions[at]
    if (known === undefined) return -1
    const isKnown = isAsFailed(known, region) || known.copies?.some((copy) => isAsFailed(copy, region))
    return isKnown === true ? at : -1
  }

  /** Counts the regions that begin at `row` or before it. */
  #countUpTo(row: Buffer): number {
    return this.#count((region) => compareBytes(region.startKey, row) <= 0)
  }

  #countBefore(row: Buffer): number {
    return this.#count((region) => compareBytes(region.startKey, row) < 0)
  }

  #countEndingBy(row: Buffer): number {
    return this.#count((region) => !endsAfter(region, row))
  }

  /** Counts the first regions, for which `isBefore` holds; a binary search. */
  #count(isBefore: (region: LocatedRegion) => boolean): number {
    let low = 0
    let high = this.#regions.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (isBefore(this.#regions[middle]!)) low = middle + 1
      else high = middle
    }
    return low
  }
}

export function sameServer(a: ServerName, b: ServerName): boolean {
  return a.port === b.port && a.host === b.host && a.startCode === b.startCode
}

/** True where the known location is the failed one, and not a newer one. */
function isAsFailed(known: LocatedRegion, failed: LocatedRegion): boolean {
  return (
    known.encodedName === failed.encodedName &&
    known.openSequenceId <= failed.openSequenceId &&
    sameServer(known.server, failed.server)
  )
}

/** True where the region ends after `row`. */
export function endsAfter({ endKey }: LocatedRegion, row: Buffer): boolean {
  return endKey.length === 0 || compareBytes(endKey, row) > 0
}

export function regionHasRow(region: LocatedRegion, row: Buffer): boolean {
  return compareBytes(region.startKey, row) <= 0 && endsAfter(region, row)
}

/** True where a region that begins before `row` has the last rows before it. */
export function reaches({ endKey }: LocatedRegion, row: Buffer): boolean {
  return endKey.length === 0 || (row.length > 0 && compareBytes(endKey, row) >= 0)
}

function isNewer(known: LocatedRegion, region: LocatedRegion): boolean {
  return known.openSequenceId > region.openSequenceId
}

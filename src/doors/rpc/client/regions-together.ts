import type { RegionActions } from './read-multi.ts'

/**
 * Most regions whose changes are begun together. An engine commits them at once, where a commit for each region would take as many turns of
 * the event loop; a cluster's servers get them at the same time.
 */
const TOGETHER_MAX = 64
/** Most bytes of cells that are begun together: more would keep other requests waiting, and need no commit to share. */
const TOGETHER_BYTES_MAX: number = 256 * 1024

/**
 * The end of the regions from `at` on whose actions may be begun together: one, or several that have plain changes alone, which answer no
 * cells. No region comes twice among these, since its own changes are made in the order of the request.
 */
export function endOfChanges(regions: readonly RegionActions[], at: number): number {
  const named = new Set<string>()
  const last = Math.min(regions.length, at + TOGETHER_MAX)
  let bytes = 0
  let end = at
  for (; end < last; end++) {
    const region = regions[end]!
    const name = nameOf(region)
    if (!isPlainChange(region, regions[at]!) || named.has(name)) break
    bytes += region.plain?.byteLength ?? 0
    if (bytes > TOGETHER_BYTES_MAX) break
    named.add(name)
  }
  return Math.max(end, at + 1)
}

/** A region has a full name and an encoded one: of one kind, its names are the same. */
function isPlainChange({ plain, region }: RegionActions, first: RegionActions): boolean {
  return plain !== undefined && region.isEncoded === first.region.isEncoded
}

function nameOf({ region }: RegionActions): string {
  return region.name.toString('latin1')
}

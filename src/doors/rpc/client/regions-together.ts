import type { RegionActions } from './read-multi.ts'

/**
 * Most regions whose changes are begun together. An engine commits them at once, where a commit for each region would take as many turns of
 * the event loop; a cluster's servers get them at the same time.
 */
const TOGETHER_MAX = 64

/**
 * The end of the regions from `at` on whose actions may be begun together: one, or several that have plain changes alone, which answer no
 * cells. No region comes twice among these, since its own changes are made in the order of the request.
 */
export function endOfChanges(regions: readonly RegionActions[], at: number): number {
  const named = new Set<string>()
  const last = Math.min(regions.length, at + TOGETHER_MAX)
  let end = at
  while (end < last && isPlainChange(regions[end]!, regions[at]!) && !named.has(nameOf(regions[end]!)))
    named.add(nameOf(regions[end++]!))
  return Math.max(end, at + 1)
}

/** A region has a full name and an encoded one: of one kind, its names are the same. */
function isPlainChange({ plain, region }: RegionActions, first: RegionActions): boolean {
  return plain !== undefined && region.isEncoded === first.region.isEncoded
}

function nameOf({ region }: RegionActions): string {
  return region.name.toString('latin1')
}

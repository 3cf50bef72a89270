/** Parts of a table's cells that do not come over, as a store's protocol has no words for them: said once, and not silently. */

import type { Store } from '../store/store.ts'

/** Undefined: the store shows all that it has. */
export function lossOfReading({ reach }: Pick<Store, 'reach'>): string | undefined {
  if (reach === undefined || reach.readsMarkers) return undefined
  return `${reach.protocol} shows no markers of deletes, nor the cells that these hide: only what is visible comes over`
}

export const LOSS_OF_TAGS =
  'cells lose their tags (a TTL, labels or permissions of their own), which the destination does not take'

export const LOSS_OF_TAGS_IN_FILE =
  'cells lose their tags (a TTL, labels or permissions of their own), for which the format has no place: what labels hid, the file shows, and an import shows it to everybody'

/** Undefined: a new table there can have these regions. */
export function lossOfRegions({ reach }: Pick<Store, 'reach'>, regions: number): string | undefined {
  if (reach === undefined || reach.splitsNewTables || regions <= 1) return undefined
  return `${reach.protocol} makes new tables of one region: the source has ${regions}`
}

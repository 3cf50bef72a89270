/** Messages about parts of a table that a copy loses, because a store's protocol cannot express them. */

import type { Store } from '../store/store.ts'

/** The loss of reads from the store; undefined: it shows all of its cells. */
export function lossOfReading({ reach }: Pick<Store, 'reach'>): string | undefined {
  if (reach === undefined || reach.readsMarkers) return undefined
  return `${reach.protocol} shows no markers of deletes, nor the cells that these hide: only visible cells are copied`
}

export const LOSS_OF_TAGS =
  'cells lose their tags (a TTL, labels or permissions of their own), which the destination does not take'

export const LOSS_OF_TAGS_IN_FILE =
  'cells lose their tags (a TTL, labels or permissions of their own), for which the format has no place: the file, and later an import, shows every user the cells that labels hid'

/** The loss of creating a table with that many regions; undefined: the store can create them. */
export function lossOfRegions({ reach }: Pick<Store, 'reach'>, regions: number): string | undefined {
  if (reach === undefined || reach.splitsNewTables || regions <= 1) return undefined
  return `${reach.protocol} makes new tables of one region: the source has ${regions}`
}

/** An hour of changes, for those who extract them. */

import type { NewCell } from '../../shared/rest-table.ts'
import { newCell } from '../ad-tables.ts'
import { adObject, pathOf } from '../hierarchy.ts'
import { key, TABLES } from '../tables.ts'
import type { Loaded } from './pattern.ts'

export const HOUR = 3_600_000

export interface Changes {
  /** When the hour began, in milliseconds since 1970. */
  readonly from: number
  /** When it ended, and the next one began. */
  readonly to: number
}

/** Changes one ad just before the hour, two in it, one of them at its very beginning, and one at the very beginning of the next. */
export async function makeChanges({ tables, storedAt }: Loaded): Promise<Changes> {
  const [from, to] = [storedAt + HOUR, storedAt + 2 * HOUR]
  const cells = [changed(80, from - 1), changed(20, from), changed(40, to - 1), changed(60, to)]
  await tables.of(TABLES.ad).put(cells)
  return { from, to }
}

/** The rows that changed within the hour, and those of the next. */
export const CHANGED: readonly string[] = keysOfAds(20, 40)
export const CHANGED_LATER: readonly string[] = keysOfAds(60)

function changed(ad: number, at: number): NewCell {
  return newCell(key(...pathOf(ad)), { ...adObject(ad), bid: 500 }, at)
}

function keysOfAds(...ads: readonly number[]): string[] {
  return ads.map((ad) => key(...pathOf(ad)))
}

/**
 * An inverted index: from a search term to the ads that want it. Terms are hashed, so that keys are of one length, and popular words
 * are spread over regions.
 */

import { createHash } from 'node:crypto'
import { pathOf } from '../hierarchy.ts'
import { key } from '../tables.ts'

/** The first half of the SHA-256, in hexadecimal: 64 bits are enough to tell all words apart. */
export function termHash(term: string): string {
  return createHash('sha256').update(term).digest('hex').slice(0, 16)
}

/** A word that every ad wants. */
export const POPULAR = 'sale'

/** A word that every hundredth ad wants. */
export const RARE = 'umbrella'

export function adsWanting(term: string, ads: number): string[] {
  const step = term === POPULAR ? 1 : 100
  const found: string[] = []
  for (let ad = step; ad <= ads; ad += step) found.push(key(...pathOf(ad)))
  return found.sort()
}

/**
 * The cells that count where both stores have the table, but their families keep cells by different rules: no more versions than both keep,
 * and no cells that one of both lets expire.
 */

import { equalRange } from '../../model/bytes.ts'
import type { CellCursor } from '../../model/cell-block.ts'
import {
  findFamily,
  maxVersionsOf,
  minVersionsOf,
  type TableDescriptor,
  timeToLiveSecondsOf,
} from '../../model/descriptor.ts'
import { TTL_FOREVER } from '../../model/time-to-live.ts'

interface FamilyRule {
  /** Versions of a column that count. */
  readonly versions: number
  /** Cells of at least this age in milliseconds do not count. */
  readonly ageMs: number
}

/** Rules by the latin1 name of the family. */
export type FamilyRules = ReadonlyMap<string, FamilyRule>

/** The rules of the families that keep cells differently; undefined: all families keep the same. */
export function differingRules(source: TableDescriptor, target: TableDescriptor): FamilyRules | undefined {
  const rules = new Map<string, FamilyRule>()
  for (const family of source.families) {
    const other = findFamily(target, family.name)
    if (other === undefined) continue
    const [versions, otherVersions] = [maxVersionsOf(family), maxVersionsOf(other)]
    const [life, otherLife] = [timeToLiveSecondsOf(family), timeToLiveSecondsOf(other)]
    const livesDiffer = life !== otherLife || minVersionsOf(family) !== minVersionsOf(other)
    if (versions === otherVersions && !livesDiffer) continue
    rules.set(family.name.toString('latin1'), {
      versions: Math.min(versions, otherVersions),
      ageMs: livesDiffer ? ageOf(Math.min(life, otherLife)) : Number.POSITIVE_INFINITY,
    })
  }
  return rules.size === 0 ? undefined : rules
}

function ageOf(seconds: number): number {
  return seconds === TTL_FOREVER || seconds < 0 ? Number.POSITIVE_INFINITY : seconds * 1000
}

/** Applies the rules to the cells of one scan, in their order. */
export class ReaderRules {
  readonly #rules: FamilyRules
  /** Milliseconds since 1970. */
  readonly #now: number
  #column: Buffer | undefined
  #versions = 0

  constructor(rules: FamilyRules, now: number) {
    this.#rules = rules
    this.#now = now
  }

  counts(cursor: CellCursor): boolean {
    const { buffer, familyOffset, familyLength } = cursor
    const rule = this.#rules.get(buffer.toString('latin1', familyOffset, familyOffset + familyLength))
    if (rule === undefined) return true
    const high = cursor.timestampHigh
    const timestamp = high * 2 ** 32 + (cursor.timestampLow >>> 0)
    if (this.#now - timestamp >= rule.ageMs) return false
    if (!this.#isSameColumn(cursor)) {
      // Row, family and qualifier stand one behind the other, with the family's length between.
      const end = cursor.qualifierOffset + cursor.qualifierLength
      this.#column = Buffer.from(buffer.subarray(cursor.rowOffset - 2, end))
      this.#versions = 0
    }
    this.#versions++
    return this.#versions <= rule.versions
  }

  #isSameColumn({ buffer, rowOffset, qualifierOffset, qualifierLength }: CellCursor): boolean {
    const column = this.#column
    if (column === undefined) return false
    const start = rowOffset - 2
    const length = qualifierOffset + qualifierLength - start
    return length === column.length && equalRange(buffer, start, length, column, 0, length)
  }
}

import { expect, test } from 'vitest'
import type { Region } from '../../../adapters/native/region/region.ts'
import { NewestVersions } from '../../../adapters/native/write/newest-versions.ts'
import { CellType } from '../../../src/model/cell.ts'
import { CellBlockBuilder, CellCursor } from '../../../src/model/cell-block.ts'
import type { Get } from '../../../src/model/query.ts'

const [ROW, FAMILY, QUALIFIER, VALUE] = ['r', 'f', 'q', 'v'].map((text) => Buffer.from(text))
const NOW = 1_000_000

/** A region whose only column has versions with the timestamps `count` to 1. */
class RegionOfVersions {
  readonly #count: number
  /** Versions that its gets have copied. */
  copied = 0

  constructor(count: number) {
    this.#count = count
  }

  get(query: Get, _readPoint: number, _now: number, target: CellBlockBuilder): number {
    const count = Math.min(query.maxVersions, this.#count)
    for (let i = 0; i < count; i++) {
      target.append(ROW!, FAMILY!, QUALIFIER!, 0, this.#count - i, CellType.Put, VALUE!)
    }
    this.copied += count
    return count
  }
}

function deletion(): CellCursor {
  const cells = new CellBlockBuilder()
  cells.append(ROW!, FAMILY!, QUALIFIER!, 0, 0, CellType.Delete, VALUE!)
  const cursor = new CellCursor(cells.block())
  cursor.next()
  return cursor
}

/** The timestamps that so many deletions of one mutation find, 0 for none. */
function found(newest: NewestVersions, region: RegionOfVersions, deletions: number): number[] {
  newest.clear()
  return Array.from({ length: deletions }, () => {
    const cursor = newest.next(region as unknown as Region, deletion(), NOW)
    return cursor === undefined ? 0 : cursor.timestampLow
  })
}

test('each deletion of a mutation finds the next version, from the newest on', () => {
  const newest = new NewestVersions()
  for (let versions = 0; versions < 20; versions++) {
    for (let deletions = 0; deletions < 25; deletions++) {
      const expected = Array.from({ length: deletions }, (_, i) => Math.max(0, versions - i))
      expect(found(newest, new RegionOfVersions(versions), deletions)).toEqual(expected)
    }
  }
})

test('as many deletions as there are versions read each of them a few times', () => {
  const region = new RegionOfVersions(10_000)
  found(new NewestVersions(), region, 20_000)
  expect(region.copied).toBeLessThan(40_000)
})

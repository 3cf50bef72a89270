/** Rows of puts with tags: the short ways find what the matcher finds. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { familyRules } from '../../../../adapters/native/read/family-rules.ts'
import { PlainTags } from '../../../../adapters/native/read/plain-tags.ts'
import { RegionScanner } from '../../../../adapters/native/read/region-scanner.ts'
import { RowReader } from '../../../../adapters/native/read/row-reader.ts'
import { CellType } from '../../../../src/model/cell.ts'
import { CellBlockBuilder, cellsOf } from '../../../../src/model/cell-block.ts'
import { TagType, tag } from '../../../../src/model/cell-tags.ts'
import { familyDescriptor } from '../../../../src/model/descriptor.ts'
import { get, type Query, scan } from '../../../../src/model/query.ts'
import { gathered } from '../../../../src/model/results.ts'
import { type Visibility, visibilityTags } from '../../../../src/model/visibility.ts'
import { SortedRun, timeToLiveTag, type WrittenCell } from './sorted-run.ts'

const RULES = familyRules(familyDescriptor('f'))
const CONTEXT = { readPoint: Number.MAX_SAFE_INTEGER, now: 1000, random: () => 0.5 }
/** A limit, be it ever so large, asks for the matcher. */
const BY_MATCHER = { familyLimit: 1_000_000 }
const ROWS = ['a', 'b', 'c']

const tags = fc.constantFrom(
  undefined,
  visibilityTags([[1]]),
  visibilityTags([[2], [1, -3]]),
  visibilityTags([[4]]),
  timeToLiveTag(10),
  Buffer.concat([timeToLiveTag(5000), visibilityTags([[1]])]),
  tag(TagType.Acl, Buffer.from('any')),
)

interface Generated {
  readonly row: string
  readonly qualifier: string
  readonly timestamp: bigint
  readonly isDeletion: boolean
  readonly tags: Buffer | undefined
}

const cell: fc.Arbitrary<Generated> = fc.record({
  row: fc.constantFrom(...ROWS),
  qualifier: fc.constantFrom('', 'p', 'q'),
  timestamp: fc.bigInt(1n, 3n),
  isDeletion: fc.constantFrom(false, false, false, false, false, true),
  tags,
})

const visibility: fc.Arbitrary<Visibility | undefined> = fc.constantFrom(
  undefined,
  { kind: 'labels', ordinals: [] },
  { kind: 'labels', ordinals: [1] },
  { kind: 'labels', ordinals: [1, 2, 3] },
  { kind: 'same', tags: visibilityTags([[1]]) },
)

const runs = fc.array(fc.array(cell, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 2 })

function written(cells: readonly Generated[], before: number): WrittenCell[] {
  return cells.map(({ row, qualifier, timestamp, isDeletion, tags: own }, index) => ({
    row: Buffer.from(row),
    family: Buffer.from('f'),
    qualifier: Buffer.from(qualifier),
    timestamp,
    type: isDeletion ? CellType.DeleteColumn : CellType.Put,
    value: isDeletion ? Buffer.alloc(0) : Buffer.from(`${before + index}`),
    sequenceId: before + index + 1,
    ...(own !== undefined && { tags: own }),
  }))
}

test('gets and scans of rows with tags find what the matcher finds', () => {
  const asked = fc.record({ visibility, withTags: fc.boolean() })
  fc.assert(
    fc.property(runs, asked, (generated, query) => {
      let before = 0
      const own = generated.map((cells) => {
        const run = new SortedRun(written(cells, before))
        before += cells.length
        return run
      })
      const families = [{ rules: RULES, runs: own }]
      const reader = new RowReader(() => 0.5)
      const got = (row: string, options: Partial<Query>): unknown => {
        const target = new CellBlockBuilder()
        reader.read(families, get(Buffer.from(row), { ...query, ...options }), CONTEXT, target)
        return cellsOf(target.block())
      }
      const scanned = (options: Partial<Query>): unknown => {
        const scanner = new RegionScanner(families, scan({ ...query, ...options }), CONTEXT)
        const { results } = scanner.next({ rows: 100, bytes: 1 << 20, allowPartial: false })
        const cells = cellsOf(gathered(results).cells)
        scanner.close()
        return cells
      }
      for (const row of ROWS) expect(got(row, {})).toEqual(got(row, BY_MATCHER))
      expect(scanned({})).toEqual(scanned(BY_MATCHER))
    }),
    { numRuns: 120 },
  )
})

test('a cell whose labels the reader has is read the short way, and one with a time to live is not', () => {
  const plain = new PlainTags()
  const allows = (own: Buffer, query: Pick<Query, 'visibility' | 'withTags'>): boolean => {
    plain.begin(query)
    const row = written([{ row: 'a', qualifier: 'q', timestamp: 1n, isDeletion: false, tags: own }], 0)
    const iterator = new SortedRun(row).iterator(CONTEXT.readPoint)
    iterator.seekToFirst()
    return plain.allows(iterator)
  }
  const secret = visibilityTags([[1]])
  const ofReader = { visibility: { kind: 'labels', ordinals: [1] } } as const
  expect(allows(secret, ofReader)).toBe(true)
  expect(allows(secret, { visibility: { kind: 'labels', ordinals: [2] } })).toBe(false)
  expect(allows(secret, ofReader)).toBe(true)
  expect(allows(secret, {})).toBe(true)
  expect(allows(secret, { ...ofReader, withTags: true })).toBe(false)
  expect(allows(Buffer.concat([secret, timeToLiveTag(1)]), ofReader)).toBe(false)
})

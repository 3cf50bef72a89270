import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TagType, tag } from '../../src/model/cell-tags.ts'
import { CellVisibility, isVisibleTo, visibilityTags } from '../../src/model/visibility.ts'

const ordinals = fc.integer({ min: 1, max: 0x7fff_ffff })
const signed = ordinals.chain((ordinal) => fc.constantFrom(ordinal, -ordinal))

test('tags have the bytes that HBase writes', () => {
  // The format, then secret (2) | public (5) & !topsecret (3): -3 is a varint of five bytes.
  const tags = visibilityTags([[2], [5, -3]])
  expect(tags.toString('hex')).toBe('0002040100020202000702fdffffff0f05')
})

test('a cell is seen by who has all that some alternative asks for, and nothing that it forbids', () => {
  const terms = fc.array(fc.array(signed, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(terms, fc.array(ordinals), fc.nat(), (wanted, others, seed) => {
      const named = wanted.flat().map(Math.abs)
      const labels = new Set([...others, ...named.filter((_, index) => (seed >> (index % 30)) & 1)])
      const tags = visibilityTags(wanted)
      const sees = wanted.some((term) => term.every((each) => labels.has(Math.abs(each)) === each > 0))
      expect(isVisibleTo(labels, tags, 0, tags.length)).toBe(sees)
    }),
  )
})

test('everybody sees a cell without labels', () => {
  const tags = tag(TagType.TimeToLive, Buffer.alloc(8))
  expect(isVisibleTo(new Set(), tags, 0, tags.length)).toBe(true)
})

test('an expression is the same in any order of its alternatives and labels', () => {
  const [one, other] = [visibilityTags([[1, -2], [3]]), visibilityTags([[3], [-2, 1]])]
  expect(CellVisibility.of(one).isThatOf(CellVisibility.of(other))).toBe(true)
  expect(CellVisibility.of(visibilityTags([[3]])).isThatOf(CellVisibility.of(other))).toBe(false)
  expect(CellVisibility.of(Buffer.alloc(0)).isThatOf(CellVisibility.of(other))).toBe(false)
  expect(CellVisibility.of(Buffer.alloc(0)).isThatOf(CellVisibility.of(Buffer.alloc(0)))).toBe(true)
})

test('cells from before HBase sorted labels are compared in order', () => {
  const unsorted = tag(TagType.Visibility, Buffer.of(3, 1))
  expect(CellVisibility.of(visibilityTags([[1, 3]])).isThatOf(CellVisibility.of(unsorted))).toBe(true)
})

test('damaged tags show the cell to nobody who lacks the label', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 20 }), (bytes) => {
      const tags = Buffer.from(bytes)
      expect(typeof isVisibleTo(new Set([1]), tags, 0, tags.length)).toBe('boolean')
    }),
  )
})

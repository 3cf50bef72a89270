import { expect, test } from 'vitest'
import { Siblings, SLOTS } from '../../../src/gateway/siblings/siblings.ts'

function siblingsOf(slot: number): Siblings {
  return new Siblings({ slot, startedAt: 1, folder: '/folder' })
}

test('ids of scanners are positive int32s, and of one process only', () => {
  const all = Array.from({ length: SLOTS.last }, (_, i) => siblingsOf(i + 1).scannerIds)
  expect(all[0]!.first).toBeGreaterThan(0)
  expect(all.at(-1)!.last).toBe(0x7fffffff)
  for (const [i, { first }] of all.entries()) if (i > 0) expect(first).toBe(all[i - 1]!.last + 1)
})

test('an id tells where its process listens', () => {
  const [one, two] = [siblingsOf(1), siblingsOf(2)]
  expect(one.holderOf(two.scannerIds.first, 'rest')).toMatch(/folder.2-rest$/)
  expect(one.holderOf(two.scannerIds.last, 'thrift')).toMatch(/folder.2-thrift$/)
  expect(one.holderOf(siblingsOf(511).scannerIds.last, 'rpc')).toMatch(/folder.511-rpc$/)
})

test('own ids, and numbers that are no ids, belong to no sibling', () => {
  const one = siblingsOf(1)
  for (const id of [one.scannerIds.first, one.scannerIds.last, 0, 1, -1, -0x80000000, Number.NaN]) {
    expect(one.holderOf(id, 'rest')).toBeUndefined()
  }
})

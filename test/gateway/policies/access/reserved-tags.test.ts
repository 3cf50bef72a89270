import { expect, test } from 'vitest'
import { checkReservedTagsInSteps } from '../../../../src/gateway/policies/access/cells/cell-acls.ts'
import { CellType } from '../../../../src/model/cell.ts'
import { CellBlockBuilder } from '../../../../src/model/cell-block.ts'
import { TagType, tag } from '../../../../src/model/cell-tags.ts'
import { atOnce } from '../../../../src/model/steps.ts'
import { LATEST_HIGH, LATEST_LOW } from '../../../../src/model/timestamp.ts'

const CELLS = 50_000
const TEXT = Buffer.from('some')

function cells(count: number, tags?: Buffer): CellBlockBuilder {
  const builder = new CellBlockBuilder(count * 48)
  for (let i = 0; i < count; i++) {
    const at = builder.length
    builder.append(TEXT, TEXT, TEXT, LATEST_HIGH, LATEST_LOW, CellType.Put, TEXT)
    if (tags !== undefined) builder.appendTags(at, tags, 0, tags.length)
  }
  return builder
}

test('very many cells are looked at in steps, of one block and of many', () => {
  let steps = 0
  for (const _ of checkReservedTagsInSteps([cells(CELLS).block()])) steps++
  expect(steps).toBeGreaterThan(CELLS / 2000)
  const few = cells(1).block()
  for (const _ of checkReservedTagsInSteps(Array.from({ length: CELLS }, () => few))) steps--
  expect(steps).toBe(0)
})

test('a permission behind very many cells is found', () => {
  const blocks = [cells(5000).block(), cells(1, tag(TagType.Acl, TEXT)).block()]
  expect(() => atOnce(checkReservedTagsInSteps(blocks))).toThrow('reserved type tag')
})

import { expect, test } from 'vitest'
import { ExpressionTags } from '../../../../src/gateway/policies/labels/expressions/expression-tags.ts'
import { LabelBook } from '../../../../src/gateway/policies/labels/label-book.ts'
import { TagType, tag } from '../../../../src/model/cell-tags.ts'
import { LABEL_QUALIFIER, labelRow } from '../../../../src/model/label-rows.ts'
import { DEFAULT_MUTATION_OPTIONS } from '../../../../src/model/mutation.ts'

const LABELS = ['la', 'lb']
const book = new LabelBook(
  LABELS.map((label, index) => ({
    row: labelRow(index + 1),
    qualifier: LABEL_QUALIFIER,
    value: Buffer.from(label),
  })),
)

/** 4096 alternatives, of some 60 KB, in 80 letters. */
function expression(index: number): string {
  const parts = Array.from({ length: 12 }, (_, i) => ((index >> i) & 1 ? '(la|lb)' : '(lb|la)'))
  return parts.join('&')
}

test('mutations that share their options share their tags', () => {
  const tags = new ExpressionTags(book, undefined)
  const options = { ...DEFAULT_MUTATION_OPTIONS, tags: tag(TagType.Acl, Buffer.alloc(60_000)) }
  const made = tags.added(options, 'la')
  // More than one request may make, were they not the same.
  for (let i = 0; i < 100; i++) expect(tags.added(options, 'la')).toBe(made)
})

test('an expression has no more labels in its alternatives than a cell can keep', () => {
  const tags = new ExpressionTags(book, undefined)
  const many = [expression(0), ...Array.from({ length: 900 }, () => 'la')].join('&')
  expect(() => tags.tagsOf(many)).toThrow(/have more than 65535 labels together/)
})

test('short expressions of one request do not make gigabytes of tags', () => {
  const tags = new ExpressionTags(book, undefined)
  let made = 0
  const makeAll = (): void => {
    for (let i = 0; i < 4096; i++)
      made += tags.added({ ...DEFAULT_MUTATION_OPTIONS }, expression(i)).tags!.length
  }
  expect(makeAll).toThrow(/exceed 4194304 bytes/)
  expect(made).toBeGreaterThan(3 << 20)
})

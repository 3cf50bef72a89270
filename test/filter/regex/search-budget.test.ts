import { expect, test } from 'vitest'
import { createFilterEvaluator } from '../../../src/filter/evaluate/create-evaluator.ts'
import { CellType } from '../../../src/model/cell.ts'
import { blockOf, CELL_PREFIX_BYTES } from '../../../src/model/cell-block.ts'
import type { Filter } from '../../../src/model/filter.ts'

function cellWith(value: string): Buffer {
  const [row, family, qualifier] = ['r', 'f', 'q'].map((text) => Buffer.from(text))
  const cell = { row: row!, family: family!, qualifier: qualifier!, timestamp: 1n, type: CellType.Put }
  return blockOf([{ ...cell, value: Buffer.from(value) }]).buffer
}

function anyOf(count: number, pattern: string): Filter {
  const filters = Array.from({ length: count }, (_, index): Filter => {
    const comparator = {
      kind: 'RegexStringComparator',
      pattern: `${pattern}${index}`,
      flags: 0,
      charset: 'UTF-8',
      engine: 'JAVA',
    } as const
    return { kind: 'ValueFilter', operator: 'EQUAL', comparator }
  })
  return { kind: 'FilterList', operator: 'MUST_PASS_ONE', filters }
}

const COSTLY = '(a|aa)+\\1b'
const TEXT = 'a'.repeat(16)

test('many costly patterns of one filter are refused together, as one of them would be alone', () => {
  const evaluator = createFilterEvaluator(anyOf(1000, COSTLY), Math.random)
  expect(() => evaluator.filterCell(cellWith(TEXT), CELL_PREFIX_BYTES)).toThrow(
    /took more than \d+ steps on one row/,
  )
})

test('each row has a budget of its own', () => {
  const evaluator = createFilterEvaluator(anyOf(1, COSTLY), Math.random)
  const short = cellWith('a'.repeat(9))
  for (let row = 0; row < 500; row++) {
    evaluator.filterCell(short, CELL_PREFIX_BYTES)
    evaluator.reset()
  }
})

test('thousands of patterns that take few steps each are none too many, nor are thousands of cells', () => {
  const evaluator = createFilterEvaluator(anyOf(5000, '(\\w)\\1'), Math.random)
  const cell = cellWith('some words with letters that are doubled')
  evaluator.filterCell(cell, CELL_PREFIX_BYTES)
  evaluator.reset()
  const one = createFilterEvaluator(anyOf(1, '(\\w)\\1'), Math.random)
  for (let i = 0; i < 20_000; i++) one.filterCell(cell, CELL_PREFIX_BYTES)
})

import { createFilterEvaluator } from '../../../src/filter/evaluate/create-evaluator.ts'
import { FilterCode } from '../../../src/filter/evaluate/filter-code.ts'
import type { FilterEvaluator } from '../../../src/filter/evaluate/filter-evaluator.ts'
import { compareBytes } from '../../../src/model/bytes.ts'
import { type CellParts, cellLength, compareCells } from '../../../src/model/cell.ts'
import {
  blockOf,
  CELL_PREFIX_BYTES,
  type CellBlock,
  CellBlockBuilder,
  cellsOf,
} from '../../../src/model/cell-block.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import type { Filter } from '../../../src/model/filter.ts'

type Row = readonly CellParts[]

/**
 * The answers of a filter, cell by cell, in the format of recorder/EvaluateFilters.java. Rows are not empty, and in the
 * order of the scan.
 */
export function transcriptOf(filter: Filter, reversed: boolean, rows: readonly Row[]): string {
  const words: string[] = []
  try {
    const evaluator = createFilterEvaluator(filter, () => 0.5)
    evaluator.setReversed(reversed)
    words.push(evaluator.hasFilterRow ? 'whole' : 'parts')
    words.push(
      ['f', 'g'].map((name) => (evaluator.isFamilyEssential(Buffer.from(name)) ? name : '-')).join(''),
    )
    for (const row of rows) {
      for (const word of rowWords(evaluator, reversed, row)) words.push(word)
      evaluator.reset()
      words.push(evaluator.filterAllRemaining() ? 'end' : ';')
      if (evaluator.filterAllRemaining()) break
    }
  } catch (error) {
    if (!(error instanceof HBaseError)) throw error
    words.push(error.code === 'REFUSED' ? 'java.lang.RuntimeException' : error.javaClass)
  }
  return words.join(' ')
}

function* rowWords(filter: FilterEvaluator, reversed: boolean, row: Row): Generator<string> {
  if (filter.filterAllRemaining() || filter.filterRowKey(blockOf([row[0]!]).buffer, CELL_PREFIX_BYTES)) {
    yield 'key'
    return
  }
  const included: CellParts[] = []
  for (let i = 0; i < row.length; ) {
    if (filter.filterAllRemaining()) {
      yield 'done'
      break
    }
    const cell = row[i]!
    const { buffer } = blockOf([cell])
    const code = filter.filterCell(buffer, CELL_PREFIX_BYTES)
    let word = String(code)
    if (isInclude(code)) {
      included.push(cell)
      word += `=${transformedValue(filter, buffer)}`
    }
    const hint =
      code === FilterCode.SeekNextUsingHint ? filter.nextCellHint(buffer, CELL_PREFIX_BYTES) : undefined
    if (code === FilterCode.SeekNextUsingHint) word += `>${hint === undefined ? 'none' : keyText(hint)}`
    do i++
    while (i < row.length && isPassedOver(row[i]!, cell, code, reversed ? undefined : hint))
    yield word
  }
  if (included.length === 0) return
  const block = blockOf(included)
  const cells = offsetsOf(block)
  if (filter.hasFilterRow) {
    filter.filterRowCells(block.buffer, cells)
    yield `cells:${cells.length}`
  }
  if (cells.length > 0) yield filter.filterRow() ? 'out' : 'in'
}

function isInclude(code: FilterCode): boolean {
  return (
    code === FilterCode.Include ||
    code === FilterCode.IncludeAndNextColumn ||
    code === FilterCode.IncludeAndSeekNextRow
  )
}

function transformedValue(filter: FilterEvaluator, buffer: Buffer): string {
  const target = new CellBlockBuilder()
  filter.appendTransformed(target, buffer, CELL_PREFIX_BYTES, cellLength(buffer, CELL_PREFIX_BYTES))
  return cellsOf(target.block())[0]!.value.toString('hex')
}

function isPassedOver(next: CellParts, cell: CellParts, code: FilterCode, hint: Buffer | undefined): boolean {
  if (compareBytes(next.family, cell.family) !== 0) return false
  switch (code) {
    case FilterCode.NextRow:
    case FilterCode.IncludeAndSeekNextRow:
      return true
    case FilterCode.NextColumn:
    case FilterCode.IncludeAndNextColumn:
      return next.qualifier.equals(cell.qualifier)
    case FilterCode.SeekNextUsingHint:
      return hint !== undefined && compareCells(blockOf([next]).buffer, CELL_PREFIX_BYTES, hint, 0) < 0
    case FilterCode.Include:
    case FilterCode.Skip:
      return false
  }
}

function keyText(key: Buffer): string {
  const cells = new CellBlockBuilder()
  cells.appendCell(key, 0)
  const { row, family, qualifier, timestamp, type } = cellsOf(cells.block())[0]!
  const parts = [row, family, qualifier].map((part) => part.toString('hex'))
  return `${parts.join('/')}/${timestamp}/${type}`
}

function offsetsOf({ buffer, end }: CellBlock): number[] {
  const offsets: number[] = []
  for (let at = 0; at < end; at += CELL_PREFIX_BYTES + buffer.readInt32BE(at)) {
    offsets.push(at + CELL_PREFIX_BYTES)
  }
  return offsets
}

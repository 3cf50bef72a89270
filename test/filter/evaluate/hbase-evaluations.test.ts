import { beforeAll, expect, test } from 'vitest'
import { decodeFilter } from '../../../src/filter/protobuf/decode-filter.ts'
import type { CellParts } from '../../../src/model/cell.ts'
import { CellBlockBuilder, CellCursor } from '../../../src/model/cell-block.ts'
import { recordEvaluations, recordedEvaluations } from './hbase-evaluations.ts'
import { transcriptOf } from './transcript.ts'

beforeAll(() => {
  const classPath = process.env['RECORD_EVALUATIONS']
  if (classPath !== undefined) recordEvaluations(classPath, Number(process.env['EVALUATIONS'] ?? 400))
})

function cellOf(hex: string): CellParts {
  const cells = new CellBlockBuilder()
  cells.appendCell(Buffer.from(hex, 'hex'), 0)
  const cursor = new CellCursor(cells.block())
  cursor.next()
  return cursor.parts()
}

function evaluate(input: string): string {
  const [filter, direction, ...rows] = input.split(' ')
  return transcriptOf(
    decodeFilter(Buffer.from(filter!, 'hex')),
    direction === 'reversed',
    rows.map((row) => row.split(',').map(cellOf)),
  )
}

test('filters say what those of HBase say', () => {
  const different = recordedEvaluations().filter(({ input, transcript }) => {
    const actual = evaluate(input)
    // HBase fails where it meets a null that it did not expect; up to there both are the same.
    const [before, failure] = transcript.split(/ ?(?:null)+$/)
    return failure === undefined ? actual !== transcript : !actual.startsWith(before!.replace(/\S+$/, ''))
  })
  expect(different.map(({ input, transcript }) => ({ input, transcript, actual: evaluate(input) }))).toEqual(
    [],
  )
})

/** Large answers are encoded as small ones are, but others have their turns meanwhile. */

import { afterEach, expect, test, vi } from 'vitest'
import { cellSetAnswer, cellSetWriter } from '../../../src/doors/rest/answers/cell-set-answer.ts'
import { JSON_TYPE, PROTOBUF, XML } from '../../../src/doors/rest/http/media-type.ts'
import { NDJSON, type RowsType, TEXT_JSON } from '../../../src/doors/rest/http/rows-type.ts'
import { blockOf, CellCursor } from '../../../src/model/cell-block.ts'
import type { Results } from '../../../src/model/results.ts'
import { OutputBuffer } from '../../../src/wire/rest/output-buffer.ts'

const CELLS = 1500
const cells = Array.from({ length: CELLS }, (_, i) => ({
  row: Buffer.from(i < CELLS / 2 ? `row ${i}` : 'wide'),
  family: Buffer.from('f'),
  qualifier: Buffer.from(`q${i}`),
  timestamp: BigInt(i),
  type: 4,
  value: Buffer.alloc(1000, 'v'),
}))
const counts = [...Array.from({ length: CELLS / 2 }, () => 1), 0, CELLS / 2]
const results: Results = { cells: blockOf(cells), counts }

function writtenAtOnce(type: RowsType): Buffer {
  const out = new OutputBuffer()
  const writer = cellSetWriter(type)
  const cursor = new CellCursor(results.cells)
  writer.begin(out)
  for (const count of counts) {
    for (let i = 0; i < count; i++) {
      cursor.next()
      if (i === 0) writer.startRow(out, cursor)
      writer.cell(out, cursor)
    }
  }
  writer.end(out)
  return out.take()
}

afterEach(() => vi.restoreAllMocks())

const TYPES: readonly RowsType[] = [JSON_TYPE, XML, PROTOBUF, TEXT_JSON, NDJSON]

test.each(TYPES)('of %s', async (type) => {
  // What was done before has a part in the turns of this round.
  for (let turn = 0; turn < 2; turn++) await new Promise(setImmediate)
  let nowMs = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => (nowMs += 5))
  let turns = 0
  let immediate = setImmediate(function turn() {
    turns++
    immediate = setImmediate(turn)
  })
  const { body } = await cellSetAnswer(results, { type, contentType: type })
  clearImmediate(immediate)
  expect((body as Buffer).equals(writtenAtOnce(type))).toBe(true)
  expect(turns).toBeGreaterThan(5)
})

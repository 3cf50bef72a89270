/** A read of a stateful scanner whose cells are all there lets others have their turn. */

import { afterEach, expect, test, vi } from 'vitest'
import { JSON_TYPE } from '../../../src/doors/rest/http/media-type.ts'
import { type CellSource, readCells } from '../../../src/doors/rest/scans/scanner-read.ts'
import { CellType } from '../../../src/model/cell.ts'
import { blockOf, CellCursor } from '../../../src/model/cell-block.ts'
import { OWN_CALL } from '../../../src/store/call.ts'

const CELL = {
  row: Buffer.from('row'),
  family: Buffer.from('f'),
  qualifier: Buffer.from('q'),
  timestamp: 1n,
  type: CellType.Put,
  value: Buffer.from('value'),
}
const CELLS = 20_000
/** By which the clock moves at each look at it: no time of this machine counts. */
const LOOK_MS = 5

afterEach(() => vi.restoreAllMocks())

test('a batch of cells that the store answers at once', async () => {
  let ms = 0
  vi.spyOn(performance, 'now').mockImplementation(() => (ms += LOOK_MS))
  const cursor = new CellCursor(blockOf([CELL]))
  cursor.next()
  let taken = 0
  let longest = 0
  let atLastTurn = 0
  const source: CellSource = {
    cursor,
    next: () => {
      longest = Math.max(longest, ++taken - atLastTurn)
      return true
    },
    isInRow: () => true,
    row: () => CELL.row,
    putBack: () => undefined,
  }
  let counting = setImmediate(function count() {
    atLastTurn = taken
    counting = setImmediate(count)
  })
  const limits = { rows: 0, cells: CELLS, bytes: Number.MAX_SAFE_INTEGER, mayGrow: () => true }
  const form = { type: JSON_TYPE, contentType: JSON_TYPE } as const
  const answer = await readCells(source, limits, form, OWN_CALL)
  clearImmediate(counting)
  expect([answer.status, taken]).toEqual([200, CELLS])
  expect(longest).toBeLessThan(CELLS / 5)
})

test('a batch ends where little memory is left, and the next read goes on', async () => {
  const cursor = new CellCursor(blockOf([CELL]))
  cursor.next()
  let taken = 0
  const source: CellSource = {
    cursor,
    next: () => ++taken > 0,
    isInRow: () => true,
    row: () => CELL.row,
    putBack: () => undefined,
  }
  let most = 0
  const mayGrow = (bytes: number): boolean => {
    most = Math.max(most, bytes)
    return bytes < 100_000
  }
  const limits = { rows: 0, cells: CELLS, bytes: Number.MAX_SAFE_INTEGER, mayGrow }
  const { status } = await readCells(source, limits, { type: JSON_TYPE, contentType: JSON_TYPE }, OWN_CALL)
  expect(status).toBe(200)
  expect(taken).toBeLessThan(CELLS)
  expect(most).toBeGreaterThan(100_000)
})

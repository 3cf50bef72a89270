import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type CellParts,
  CellType,
  cellBytes,
  cellLength,
  compareCells,
  writeCell,
} from '../../src/model/cell.ts'
import { blockOf, CellBlock, CellCursor, cellsOf } from '../../src/model/cell-block.ts'
import { checkCellBlock, checkCellBlockInSteps } from '../../src/model/check-cell-block.ts'
import { HBaseError } from '../../src/model/errors.ts'
import { atOnce } from '../../src/model/steps.ts'
import { timestampHigh, timestampLow } from '../../src/model/timestamp.ts'
import { anyCell } from './arbitrary-cells.ts'

function encode(cell: CellParts): Buffer {
  const target = Buffer.alloc(
    cellBytes(cell.row.length, cell.family.length, cell.qualifier.length, cell.value.length),
  )
  const end = writeCell(
    target,
    0,
    cell.row,
    cell.family,
    cell.qualifier,
    timestampHigh(cell.timestamp),
    timestampLow(cell.timestamp),
    cell.type,
    cell.value,
  )
  expect(end).toBe(target.length)
  return target
}

/** HBase's order, computed from the parts. */
function obviousOrder(a: CellParts, b: CellParts): number {
  const keys =
    Buffer.compare(a.row, b.row) ||
    Buffer.compare(a.family, b.family) ||
    Buffer.compare(a.qualifier, b.qualifier)
  if (keys !== 0) return keys
  if (a.timestamp !== b.timestamp) return a.timestamp > b.timestamp ? -1 : 1
  return b.type - a.type
}

describe('a cell', () => {
  test('is the KeyValue that HBase writes', () => {
    const bytes = encode({
      row: Buffer.from('advertiser 1'),
      family: Buffer.from('meta'),
      qualifier: Buffer.from('status'),
      timestamp: 1425447797805n,
      type: CellType.Put,
      value: Buffer.from('on'),
    })
    // Recorded from HBase 2.6.1.
    expect(bytes.toString('hex')).toBe(
      '0000002200000002000c616476657274697365722031046d6574617374617475730000014be34f442d046f6e',
    )
    expect(cellLength(bytes, 0)).toBe(44)
  })

  test('sorts by row, family, qualifier, then newest and greatest type first', () => {
    fc.assert(
      fc.property(anyCell, anyCell, (a, b) => {
        const order = compareCells(encode(a), 0, encode(b), 0)
        expect(Math.sign(order)).toBe(Math.sign(obviousOrder(a, b)))
      }),
    )
  })
})

describe('a cell block', () => {
  test('gives back the cells that went in', () => {
    fc.assert(
      fc.property(fc.array(anyCell, { maxLength: 20 }), (cells) => {
        const block = blockOf(cells)
        expect(checkCellBlock(block)).toBe(cells.length)
        expect(cellsOf(block)).toEqual(cells)
      }),
    )
  })

  test('that is large is checked in steps', () => {
    const cell = { row: Buffer.from('r'), family: Buffer.from('f'), qualifier: Buffer.from('q') }
    const put = { ...cell, timestamp: 1n, type: CellType.Put, value: Buffer.from('v') }
    const cells = Array.from({ length: 20_000 }, () => put)
    const block = blockOf(cells)
    const steps = checkCellBlockInSteps(block)
    let count = 0
    let step = steps.next()
    for (; step.done !== true; step = steps.next()) count++
    expect(step.value).toBe(20_000)
    expect(count).toBeGreaterThan(3)
    expect(() => atOnce(checkCellBlockInSteps(new CellBlock(block.buffer, 0, block.end - 1)))).toThrow(
      HBaseError,
    )
  })

  test('is read from where it begins in a larger buffer', () => {
    const cell = { row: Buffer.from('r'), family: Buffer.from('f'), qualifier: Buffer.from('q') }
    const inner = blockOf([{ ...cell, timestamp: -1n, type: CellType.Put, value: Buffer.from('v') }])
    const outer = Buffer.concat([
      Buffer.from('before'),
      inner.buffer.subarray(0, inner.end),
      Buffer.from('after'),
    ])
    const cursor = new CellCursor(new CellBlock(outer, 6, 6 + inner.end))
    expect(cursor.next()).toBe(true)
    expect(cursor.parts().timestamp).toBe(-1n)
    expect(cursor.next()).toBe(false)
  })

  test('that is cut or garbled is refused, wherever it is', () => {
    fc.assert(
      fc.property(anyCell, fc.nat(), (cell, cut) => {
        const whole = blockOf([cell])
        const end = cut % whole.end
        if (end === 0) return
        expect(() => checkCellBlock(new CellBlock(whole.buffer, 0, end))).toThrow(HBaseError)
      }),
    )
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          checkCellBlock(new CellBlock(Buffer.from(bytes)))
        } catch (error) {
          expect(error).toBeInstanceOf(HBaseError)
        }
      }),
    )
  })
})

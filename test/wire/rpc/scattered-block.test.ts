import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CellParts } from '../../../src/model/cell.ts'
import { blockOf, CellBlock } from '../../../src/model/cell-block.ts'
import { ScatteredCells } from '../../../src/model/scattered-cells.ts'
import { atOnce } from '../../../src/model/steps.ts'
import { MessageWriter } from '../../../src/wire/rpc/message-writer.ts'
import { oneBlock } from '../../../src/wire/rpc/one-block.ts'
import { roomOf, ScatteredBlock } from '../../../src/wire/rpc/scattered-block.ts'
import { scatteredOf } from '../../model/scattered.ts'

const cell = fc
  .record({
    row: fc.uint8Array({ maxLength: 20 }),
    value: fc.oneof(fc.uint8Array({ maxLength: 90 }), fc.uint8Array({ minLength: 200, maxLength: 300 })),
  })
  .map(
    ({ row, value }): CellParts => ({
      row: Buffer.from(row),
      family: Buffer.from('f'),
      qualifier: Buffer.from('q'),
      timestamp: 1n,
      type: 4,
      value: Buffer.from(value),
    }),
  )
/** Few cells, and so many that they are staged. */
const cells = fc.oneof(fc.array(cell, { maxLength: 5 }), fc.array(cell, { minLength: 16, maxLength: 60 }))

/** A writer whose last bytes before the cells must stay. */
function begun(bytes: number): MessageWriter {
  const writer = new MessageWriter(Buffer.alloc(bytes, 0xee))
  writer.raw(Buffer.from('head'))
  return writer
}

const written = ({ buffer, length }: MessageWriter): Buffer => buffer.subarray(0, length)

describe('scattered cells of an answer', () => {
  it('are the bytes of the cell block with these cells, at once, in steps and for a compressor', () => {
    fc.assert(
      fc.property(
        cells,
        fc.integer({ min: 1, max: 3 }),
        fc.constantFrom(4, 100_000),
        (parts, memories, room) => {
          const block = new ScatteredBlock(scatteredOf(parts, memories))
          const { buffer, start, end } = blockOf(parts)
          const wanted = Buffer.concat([Buffer.from('head'), buffer.subarray(start, end)])
          const whole = begun(room)
          block.writeTo(whole)
          expect(written(whole)).toEqual(wanted)
          const inSteps = begun(room)
          atOnce(block.writeInSteps(inSteps))
          expect(written(inSteps)).toEqual(wanted)
          expect(oneBlock([block])).toEqual(wanted.subarray(4))
          expect(block.byteLength).toBe(wanted.length - 4)
        },
      ),
    )
  })

  it('are written into the room that they state, without another buffer', () => {
    const parts = Array.from({ length: 50 }, (_, i) => ({
      row: Buffer.from(`row ${i}`),
      family: Buffer.from('f'),
      qualifier: Buffer.from('q'),
      timestamp: 1n,
      type: 4,
      value: Buffer.alloc(100, i),
    }))
    const blocks = [
      new ScatteredBlock(scatteredOf(parts, 1)),
      CellBlock.EMPTY,
      new ScatteredBlock(new ScatteredCells()),
    ]
    const writer = begun(4 + roomOf(blocks))
    const { buffer } = writer
    for (const each of blocks) if (each instanceof ScatteredBlock) each.writeTo(writer)
    expect(writer.buffer).toBe(buffer)
    expect(written(writer).subarray(4)).toEqual(blockOf(parts).buffer.subarray(0, blocks[0]!.byteLength))
    expect(roomOf(blocks)).toBeGreaterThan(blocks[0]!.byteLength)
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ChunkPool } from '../../../../adapters/native/memstore/chunk-pool.ts'
import { Memstore } from '../../../../adapters/native/memstore/memstore.ts'
import { EMPTY } from '../../../../src/model/bytes.ts'
import { type CellParts, CellType, cellLength, compareCells } from '../../../../src/model/cell.ts'
import { blockOf } from '../../../../src/model/cell-block.ts'

const PREFIX_BYTES = 4

interface Written {
  readonly key: Buffer
  readonly sequenceId: number
  readonly tags: Buffer
}

function keyValue(parts: Partial<CellParts> & { row: Buffer }): Buffer {
  const cell: CellParts = {
    family: Buffer.from('f'),
    qualifier: EMPTY,
    timestamp: 1n,
    type: CellType.Put,
    value: EMPTY,
    ...parts,
  }
  const block = blockOf([cell])
  return Buffer.from(block.buffer.subarray(block.start + PREFIX_BYTES, block.end))
}

function add(memstore: Memstore, { key, sequenceId, tags }: Written): void {
  const bytes = Buffer.concat([Buffer.from([0, 0, 0]), key, tags])
  memstore.add(bytes, 3, key.length, 3 + key.length, tags.length, sequenceId)
}

function order(a: Written, b: Written): number {
  return compareCells(a.key, 0, b.key, 0) || b.sequenceId - a.sequenceId
}

/** The expected content of a memstore: sorted, the last cell of each key and sequence id. */
function sorted(written: readonly Written[], readPoint = Number.POSITIVE_INFINITY): Written[] {
  const byKey = new Map<string, Written>()
  for (const cell of written) {
    if (cell.sequenceId > readPoint) continue
    const block = cell.key.subarray(8, cellLength(cell.key, 0) - cell.key.readInt32BE(4))
    byKey.set(`${block.toString('latin1')}/${cell.sequenceId}`, cell)
  }
  return [...byKey.values()].sort(order)
}

function walk(memstore: Memstore, readPoint = Number.POSITIVE_INFINITY): Written[] {
  const iterator = memstore.iterator(readPoint)
  const found: Written[] = []
  for (iterator.seekToFirst(); iterator.valid; iterator.next()) {
    found.push({
      key: Buffer.from(iterator.buffer.subarray(iterator.cell, iterator.cell + iterator.cellBytes)),
      sequenceId: iterator.sequenceId,
      tags: Buffer.from(iterator.buffer.subarray(iterator.tags, iterator.tags + iterator.tagsBytes)),
    })
  }
  iterator.close()
  return found
}

const anyRow = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 3 }).map((bytes) => Buffer.from(bytes)),
  fc
    .constantFrom(0, 1, 0xff)
    .chain((byte) => fc.integer({ min: 1, max: 16 }).map((length) => Buffer.alloc(length, byte))),
)

const anyWritten: fc.Arbitrary<Written> = fc
  .record({
    row: anyRow,
    qualifier: fc.uint8Array({ maxLength: 2 }).map((bytes) => Buffer.from(bytes)),
    timestamp: fc.constantFrom(-1n, 0n, 1n, 2n ** 40n),
    type: fc.constantFrom(CellType.Put, CellType.Delete, CellType.DeleteFamily),
    value: fc.uint8Array({ maxLength: 5 }).map((bytes) => Buffer.from(bytes)),
    sequenceId: fc.constantFrom(1, 2, 2 ** 32, 2 ** 40 + 7),
    tags: fc.constantFrom(EMPTY, Buffer.from('000908', 'hex')),
  })
  .map(({ sequenceId, tags, ...parts }) => ({ key: keyValue(parts), sequenceId, tags }))

describe('a memstore', () => {
  it('holds what was added, in order, as a sorted array does', () => {
    fc.assert(
      fc.property(fc.array(anyWritten, { maxLength: 400 }), fc.constantFrom(1, 2, 2 ** 41), (cells, at) => {
        const memstore = new Memstore(new ChunkPool())
        for (const cell of cells) add(memstore, cell)
        expect(walk(memstore)).toEqual(sorted(cells))
        expect(walk(memstore, at)).toEqual(sorted(cells, at))
      }),
      { numRuns: 60 },
    )
  })

  it('seeks forwards and backwards as a sorted array does', () => {
    fc.assert(
      fc.property(fc.array(anyWritten, { maxLength: 300 }), anyWritten, (cells, { key }) => {
        const memstore = new Memstore(new ChunkPool())
        for (const cell of cells) add(memstore, cell)
        const iterator = memstore.iterator(2)
        const visible = sorted(cells, 2)
        iterator.seek(key, 0)
        const next = visible.find((cell) => compareCells(cell.key, 0, key, 0) >= 0)
        expect(iterator.valid).toBe(next !== undefined)
        if (next !== undefined) expect(compareCells(iterator.buffer, iterator.cell, next.key, 0)).toBe(0)
        const row = key.subarray(10, 10 + key.readUInt16BE(8))
        iterator.seekBeforeRow(row)
        const before = visible.findLast((cell) => rowOf(cell).compare(row) < 0)
        expect(iterator.valid).toBe(before !== undefined)
        if (before !== undefined) expect(compareCells(iterator.buffer, iterator.cell, before.key, 0)).toBe(0)
        iterator.seekBeforeRow(EMPTY)
        expect(iterator.valid).toBe(visible.length > 0)
        if (visible.length > 0) {
          expect(compareCells(iterator.buffer, iterator.cell, visible.at(-1)!.key, 0)).toBe(0)
        }
      }),
      { numRuns: 100 },
    )
  })

  it('keeps thousands of cells in order however they arrive', () => {
    const arrivals: Record<string, (index: number) => number> = {
      ascending: (index) => index,
      descending: (index) => 9_999 - index,
      shuffled: (index) => (index * 7919) % 10_000,
      zigzag: (index) => (index % 2 === 0 ? index : 9_999 - index + 1 - 1),
    }
    for (const at of Object.values(arrivals)) {
      const memstore = new Memstore(new ChunkPool())
      const cells: Written[] = []
      for (let i = 0; i < 10_000; i++) {
        const row = Buffer.from(`row${String(at(i)).padStart(7, '0')}`)
        cells.push({ key: keyValue({ row }), sequenceId: 1, tags: EMPTY })
        add(memstore, cells[i]!)
      }
      const rows = walk(memstore).map((cell) => rowOf(cell).toString())
      expect(rows).toEqual([...new Set(cells.map((cell) => rowOf(cell).toString()))].sort())
    }
  })

  it('keeps wide rows in order, whose columns come in order and are overwritten', () => {
    const runs = fc.array(
      fc.record({ from: fc.nat({ max: 300 }), count: fc.integer({ min: 1, max: 200 }), down: fc.boolean() }),
      { minLength: 1, maxLength: 12 },
    )
    fc.assert(
      fc.property(runs, fc.boolean(), (written, ofOneTime) => {
        const memstore = new Memstore(new ChunkPool())
        const cells: Written[] = []
        for (const [index, { from, count, down }] of written.entries()) {
          for (let i = 0; i < count; i++) {
            const qualifier = Buffer.from(String(1000 + from + (down ? count - i : i)))
            const timestamp = ofOneTime ? 1n : BigInt(index)
            const row = Buffer.from(index % 5 === 4 ? 'r' : 'row')
            cells.push({ key: keyValue({ row, qualifier, timestamp }), sequenceId: index + 1, tags: EMPTY })
            add(memstore, cells.at(-1)!)
          }
        }
        expect(walk(memstore)).toEqual(sorted(cells))
      }),
      { numRuns: 20 },
    )
  })

  it('lets an iterator go on at its place while cells are added', () => {
    const memstore = new Memstore(new ChunkPool())
    for (let i = 0; i < 200; i++) {
      add(memstore, { key: keyValue({ row: Buffer.from(`b${100 + i}`) }), sequenceId: 1, tags: EMPTY })
    }
    const iterator = memstore.iterator(1)
    const seen: string[] = []
    iterator.seekToFirst()
    while (iterator.valid) {
      const row = iterator.buffer.subarray(iterator.cell + 10, iterator.cell + 14).toString()
      seen.push(row)
      for (let k = 0; k < 3; k++) {
        add(memstore, { key: keyValue({ row: Buffer.from(`a${row}${k}`) }), sequenceId: 2, tags: EMPTY })
        add(memstore, { key: keyValue({ row: Buffer.from(`${row}${k}`) }), sequenceId: 2, tags: EMPTY })
      }
      iterator.next()
    }
    iterator.close()
    expect(seen).toEqual(Array.from({ length: 200 }, (_, i) => `b${100 + i}`))
    expect(memstore.cellCount).toBe(200 * 7)
  })

  it('takes cells larger than a chunk', () => {
    const memstore = new Memstore(new ChunkPool())
    const value = Buffer.alloc(3 * 1024 * 1024, 7)
    const cells = ['c', 'a', 'b'].map((row) => ({
      key: keyValue({ row: Buffer.from(row), value: row === 'b' ? EMPTY : value }),
      sequenceId: 1,
      tags: EMPTY,
    }))
    for (const cell of cells) add(memstore, cell)
    expect(walk(memstore).map((cell) => cell.key.length)).toEqual(
      sorted(cells).map((cell) => cell.key.length),
    )
  })

  it('gives its chunks back to be used again', () => {
    const pool = new ChunkPool()
    const memstore = new Memstore(pool)
    const key = keyValue({ row: Buffer.from('r'), value: Buffer.alloc(5000) })
    const cell = { key, sequenceId: 1, tags: EMPTY }
    add(memstore, cell)
    memstore.free()
    expect(pool.freeCount).toBe(1)
    const next = new Memstore(pool)
    add(next, cell)
    expect(pool.freeCount).toBe(0)
    expect(walk(next)).toEqual([cell])
  })
})

function rowOf(cell: Written): Buffer {
  return cell.key.subarray(10, 10 + cell.key.readUInt16BE(8))
}

/** Runs of rows in order, as batches have them: some go on behind all others, some lie between others or replace them. */
const orderedRuns = fc.array(
  fc.record({
    from: fc.nat(400),
    step: fc.integer({ min: 1, max: 3 }),
    count: fc.integer({ min: 1, max: 120 }),
    qualifier: fc.constantFrom('p', 'q'),
    timestamp: fc.constantFrom(1n, 2n, 3n),
    /** Rows of more bytes than the index has words for. */
    isLong: fc.boolean(),
  }),
  { minLength: 1, maxLength: 12 },
)

it('keeps runs of rows that come in order', () => {
  fc.assert(
    fc.property(orderedRuns, (runs) => {
      const memstore = new Memstore(new ChunkPool())
      const written: Written[] = []
      for (const [run, { from, step, count, qualifier, timestamp, isLong }] of runs.entries()) {
        for (let i = 0; i < count; i++) {
          const number = String(from + i * step)
          const row = Buffer.from(
            isLong ? `row-of-many-b${number.padStart(5, '0')}` : number.padStart(5, '0'),
          )
          const key = keyValue({ row, qualifier: Buffer.from(qualifier), timestamp })
          written.push({ key, sequenceId: run + 1, tags: EMPTY })
          add(memstore, written.at(-1)!)
        }
      }
      expect(walk(memstore)).toEqual(sorted(written))
    }),
    { numRuns: 100 },
  )
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RetiredCells } from '../../../../adapters/native/memstore/retired-cells.ts'
import type { VersionsKept } from '../../../../adapters/native/memstore/surplus-versions.ts'
import { EMPTY } from '../../../../src/model/bytes.ts'
import { CellType } from '../../../../src/model/cell.ts'
import { type Cell, type Held, keyValue, MemstoreUnderTest } from './memstore-under-test.ts'

const STRICT: VersionsKept = {
  maxVersions: 1,
  deletesHide: true,
  surplusMax: () => 1,
  published: Number.POSITIVE_INFINITY,
  oldestReader: Number.POSITIVE_INFINITY,
  newestReader: -1,
  noteDropped: () => undefined,
}

function putsOf(row: string, times: readonly number[]): Cell[] {
  return times.map((time, at) => ({ key: keyValue(row, 'q', time), sequenceId: at + 1, tags: EMPTY }))
}

describe('a memstore of an overwritten column', () => {
  it('holds a few cells of a column that is written thousands of times', () => {
    const memstore = new MemstoreUnderTest({ ...STRICT, surplusMax: () => 16 })
    let most = 0
    for (let time = 1; time <= 50_000; time++) {
      memstore.add({ key: keyValue('r', 'q', time), sequenceId: time, tags: EMPTY })
      most = Math.max(most, memstore.memstore.cellCount)
    }
    expect(most).toBeLessThanOrEqual(18)
    expect(memstore.memstore.bytes).toBeLessThan(10_000)
  })

  it('counts the bytes of the cells that it holds, with their tags, and not of dropped ones', () => {
    const memstore = new MemstoreUnderTest({ ...STRICT, surplusMax: () => 16 })
    const tags = Buffer.from('tags')
    for (let time = 1; time <= 1000; time++)
      memstore.add({ key: keyValue('r', 'q', time), sequenceId: time, tags })
    const bytes = keyValue('r', 'q', 1).length + tags.length
    expect(memstore.memstore.dataBytes).toBe(memstore.memstore.cellCount * bytes)
    expect(memstore.memstore.bytes).toBeGreaterThan(memstore.memstore.dataBytes)
  })

  it('keeps sixteen surplus versions if it may gather so many', () => {
    const memstore = new MemstoreUnderTest({ ...STRICT, surplusMax: () => 16 })
    for (const cell of putsOf('r', [...Array(17).keys()])) memstore.add(cell)
    expect(memstore.times()).toEqual([...Array(17).keys()].reverse())
  })

  it('drops nothing on account of writes that may be taken back', () => {
    const memstore = new MemstoreUnderTest({ ...STRICT, published: 3 })
    for (const cell of putsOf('r', [1, 2, 3, 4, 5, 6])) memstore.add(cell)
    expect(memstore.times()).toEqual([6, 5, 4, 3])
  })

  it('keeps what the oldest scanner reads, and drops what came after the newest', () => {
    const memstore = new MemstoreUnderTest({ ...STRICT, oldestReader: 2, newestReader: 4 })
    for (const cell of putsOf('r', [1, 2, 3, 4, 5, 6, 7, 8])) memstore.add(cell)
    // Between the two, another scanner may have been opened.
    expect(memstore.times()).toEqual([8, 4, 3, 2])
  })

  it('keeps the version that a tombstone of a single version lets be seen', () => {
    const memstore = new MemstoreUnderTest(STRICT)
    memstore.add({ key: keyValue('r', 'q', 1), sequenceId: 1, tags: EMPTY })
    memstore.add({ key: keyValue('r', 'q', 2), sequenceId: 2, tags: EMPTY })
    memstore.add({ key: keyValue('r', 'q', 2, CellType.Delete), sequenceId: 3, tags: EMPTY })
    memstore.add({ key: keyValue('r', 'q', 0), sequenceId: 4, tags: EMPTY })
    memstore.add({ key: keyValue('r', 'q', 2, CellType.Delete), sequenceId: 5, tags: EMPTY })
    expect(memstore.times()).toContain(1)
  })

  it('counts no cell that may expire by itself', () => {
    const memstore = new MemstoreUnderTest(STRICT)
    const tags = Buffer.from('000908', 'hex')
    memstore.add({ key: keyValue('r', 'q', 1), sequenceId: 1, tags: EMPTY })
    for (const time of [2, 3, 4]) memstore.add({ key: keyValue('r', 'q', time), sequenceId: time, tags })
    expect(memstore.times()).toEqual([4, 3, 2, 1])
  })

  it('lets an iterator go on whose cell was dropped', () => {
    for (const move of ['next', 'leaveColumn', 'seekForward'] as const) {
      let published = 0
      const memstore = new MemstoreUnderTest({
        ...STRICT,
        get published() {
          return published
        },
      })
      for (const cell of putsOf('a', [1, 2])) memstore.add(cell)
      memstore.add({ key: keyValue('b', 'q', 1), sequenceId: 3, tags: EMPTY })
      const leave = memstore.memstore.read()
      const iterator = memstore.memstore.iterator(3)
      iterator.seek(keyValue('a', 'q', 2), 0)
      for (const [time, sequenceId] of [
        [3, 4],
        [9, 5],
      ] as const) {
        published = sequenceId - 1
        memstore.add({ key: keyValue('a', 'q', time), sequenceId, tags: EMPTY })
      }
      expect(memstore.times()).toEqual([9, 3, 1])
      // The reader keeps the cell's place.
      expect(
        iterator.buffer.readBigInt64BE(iterator.cell + 8 + iterator.buffer.readInt32BE(iterator.cell) - 9),
      ).toBe(2n)
      if (move === 'seekForward') iterator.seekForward(keyValue('b', '', 1), 0)
      else iterator[move]()
      expect(iterator.buffer[iterator.cell + 10]).toBe('b'.charCodeAt(0))
      iterator.close()
      leave()
    }
  })

  it('keeps the place of a dropped cell for a reader that came before the first cell', () => {
    const memstore = new MemstoreUnderTest(STRICT)
    const leave = memstore.memstore.read()
    memstore.memstore.read()()
    for (const cell of putsOf('a', [1])) memstore.add(cell)
    const iterator = memstore.memstore.iterator(10)
    iterator.seekToFirst()
    const { buffer, cell, cellBytes } = iterator
    const atReader = buffer.toString('hex', cell, cell + cellBytes)
    for (const more of putsOf('a', [2, 3, 4, 5, 6])) memstore.add(more)
    expect(memstore.times()).not.toContain(1)
    expect(buffer.toString('hex', cell, cell + cellBytes)).toBe(atReader)
    iterator.close()
    leave()
  })

  it('gives a place to another cell only when nobody can be at the dropped one', () => {
    const memstore = new MemstoreUnderTest(STRICT)
    for (const cell of putsOf('a', [1])) memstore.add(cell)
    const iterator = memstore.memstore.iterator(10)
    iterator.seekToFirst()
    const { buffer, cell, cellBytes } = iterator
    const lent = buffer.toString('hex', cell, cell + cellBytes)
    const end = iterator.lend()
    iterator.close()
    for (const more of putsOf('a', [2, 3, 4, 5, 6])) memstore.add(more)
    expect(memstore.times()).not.toContain(1)
    const { bytes } = memstore.memstore
    expect(buffer.toString('hex', cell, cell + cellBytes)).toBe(lent)
    end()
    for (const more of putsOf('a', [12, 13, 14, 15, 16])) memstore.add(more)
    expect(memstore.memstore.bytes).toBe(bytes)
  })

  it('has places taken again that no reader was there to see', () => {
    const op = fc.oneof(fc.constantFrom('drop' as const, 'read' as const, 'take' as const), fc.nat(5))
    fc.assert(
      fc.property(fc.array(op, { maxLength: 200 }), (ops) => {
        const retired = new RetiredCells(() => 8)
        const readers: { leave: () => void; saw: Set<number> }[] = []
        let last = 0
        const dropped = new Set<number>()
        for (const step of ops) {
          if (step === 'drop') {
            dropped.add(++last)
            for (const { saw } of readers) saw.add(last)
            retired.add(last)
          } else if (step === 'read') readers.push({ leave: retired.read(), saw: new Set() })
          else if (step === 'take') {
            const address = retired.take(8)
            expect(readers.some(({ saw }) => saw.has(address))).toBe(false)
            expect(address < 0 || dropped.delete(address)).toBe(true)
          } else readers.splice(step, 1)[0]?.leave()
        }
        for (const { leave } of readers) leave()
        for (let taken = retired.take(8); taken >= 0; taken = retired.take(8)) dropped.delete(taken)
        expect(dropped.size).toBe(0)
      }),
    )
  })
})

/** A cell of one of the rows, of which more fit a leaf or fewer. */
function anyWrite(rows: number): fc.Arbitrary<Write> {
  return fc.record({
    row: fc.nat(rows - 1),
    qualifier: fc.oneof({ weight: 12, arbitrary: fc.constant('q') }, fc.constantFrom('', 'r')),
    // Mostly newer than what is there.
    age: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.nat(3)),
    type: fc.oneof(
      { weight: 12, arbitrary: fc.constant(CellType.Put) },
      fc.constantFrom(CellType.Delete, CellType.DeleteColumn, CellType.DeleteFamilyVersion),
    ),
    tags: fc.oneof({ weight: 8, arbitrary: fc.constant(EMPTY) }, fc.constant(Buffer.from('000908', 'hex'))),
    published: fc.oneof(
      { weight: 6, arbitrary: fc.constant('after' as const) },
      fc.constantFrom('before' as const, 'later' as const),
    ),
  })
}

interface Write {
  readonly row: number
  readonly qualifier: string
  readonly age: number
  readonly type: CellType
  readonly tags: Buffer
  /** When the log has it: before it is inserted, as at a start, before the next one comes, or with a later one. */
  readonly published: 'before' | 'after' | 'later'
}

interface Written {
  readonly held: Held[]
  readonly dropped: number
  readonly published: number
}

/**
 * The memstore after these writes. `newestReader`: -1, or a point below all sequence ids, at which no cell is decided otherwise, but which lets no
 * cell take the place of an older one at once.
 */
function written(writes: readonly Write[], newestReader: number): Written {
  let published = 0
  let dropped = 0
  const memstore = new MemstoreUnderTest({
    ...STRICT,
    newestReader,
    get published() {
      return published
    },
    noteDropped: (count) => {
      dropped += count
    },
  })
  // Behind the last cell of a leaf the general way looks into the next one.
  memstore.add({ key: keyValue('s', 'q', 1), sequenceId: 1, tags: EMPTY })
  for (const [index, { row, qualifier, age, type, tags, published: when }] of writes.entries()) {
    const key = keyValue(`row${String(row).padStart(9, '0')}`, qualifier, (index >> 1) + 10 - age, type)
    const sequenceId = index + 2
    if (when === 'before') published = sequenceId
    memstore.add({ key, sequenceId, tags })
    if (when === 'after') published = sequenceId
  }
  const held = memstore.held()
  expect(memstore.memstore.cellCount).toBe(held.length)
  return { held, dropped, published }
}

describe('a cell that takes the place of an older one at once', () => {
  it('leaves in a leaf what the general way leaves', () => {
    fc.assert(
      fc.property(fc.array(anyWrite(3), { maxLength: 60 }), (writes) => {
        expect(written(writes, -1)).toEqual(written(writes, 0))
      }),
      { numRuns: 1000 },
    )
  })

  it('leaves to reads what the general way leaves, in many leaves', () => {
    // Before the leaves' boundaries more is kept, and they are not the same.
    const puts = anyWrite(40).map((write): Write => ({ ...write, type: CellType.Put, tags: EMPTY }))
    fc.assert(
      fc.property(fc.array(puts, { maxLength: 900, size: 'max' }), (writes) => {
        const [once, general] = [written(writes, -1), written(writes, 0)]
        for (const point of [once.published, writes.length + 1])
          expect(newestOf(once.held, point)).toEqual(newestOf(general.held, point))
      }),
    )
  })
})

/** The newest cell of each column at the read point. */
function newestOf(held: readonly Held[], point: number): string[] {
  const newest = new Map<string, string>()
  for (const { column, text, sequenceId } of held)
    if (sequenceId <= point && !newest.has(column)) newest.set(column, text)
  return [...newest.values()]
}

/** Values of the seam come to another thread as they were sent, whatever their sizes. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { InvariantError } from '../../../src/model/assert.ts'
import { CellBlock } from '../../../src/model/cell-block.ts'
import { ERROR_CODES, HBaseError } from '../../../src/model/errors.ts'
import { MutationBatch } from '../../../src/model/mutation.ts'
import { ScatteredCells } from '../../../src/model/scattered-cells.ts'
import { TimeRange } from '../../../src/model/time-range.ts'
import { ViewedBytes } from '../../../src/model/viewed-bytes.ts'
import { LARGE_BYTES, Packer } from '../../../src/store/port/packed-values.ts'
import { crossed } from '../../harness/store-port/crossed.ts'

/** Mostly short ones; some around the size from which memory is transferred. */
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 40 }).map((each) => Buffer.from(each)),
  fc.integer({ min: LARGE_BYTES - 2, max: LARGE_BYTES + 2 }).map((length) => Buffer.alloc(length, length)),
)
const timestamps = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n })
const times = fc
  .tuple(timestamps, timestamps)
  .map(([a, b]) => TimeRange.between(a < b ? a : b, a < b ? b : a))
const errors = fc
  .record({
    code: fc.constantFrom(...ERROR_CODES),
    message: fc.string(),
    javaClass: fc.option(fc.string(), { nil: undefined }),
    cause: fc.option(
      fc.string().map((message) => new Error(message)),
      { nil: undefined },
    ),
  })
  .map(({ code, message, ...options }) => new HBaseError(code, message, options))
const { value: values } = fc.letrec<{ readonly value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(undefined, null, true, false, Number.POSITIVE_INFINITY, 0),
    fc.double({ noNaN: true }),
    fc.string(),
    fc.bigInt(),
    bytes,
    times,
    errors,
    bytes.map((each) => new CellBlock(each, Math.min(2, each.length))),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(
      fc.string().filter((key) => key !== '$' && key !== '__proto__'),
      tie('value'),
      { maxKeys: 4 },
    ),
    fc.array(fc.tuple(fc.string(), tie('value')), { maxLength: 4 }).map((entries) => new Map(entries)),
  ),
}))

/** The value with its blocks as bytes alone: the other thread has them at other offsets. */
function shown(value: unknown): unknown {
  if (value instanceof CellBlock)
    return { cells: value.buffer.subarray(value.start, value.end).toString('hex') }
  if (value instanceof TimeRange) return { min: value.min, max: value.max, isAllTime: value.isAllTime }
  if (value instanceof HBaseError) {
    const { code, message, javaClass, detail, cause, stack } = value
    return { code, message, javaClass, detail, cause: (cause as Error | undefined)?.message, stack }
  }
  if (Buffer.isBuffer(value)) return { buffer: value.toString('hex') }
  if (Array.isArray(value)) return value.map(shown)
  if (value instanceof Map) return new Map([...value].map(([key, each]) => [key as unknown, shown(each)]))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shown(each)]))
}

test('any value arrives as it was sent, and the sender keeps its own', () => {
  fc.assert(
    fc.property(values, (value) => {
      const before = shown(value)
      expect(shown(crossed(value))).toStrictEqual(before)
      expect(shown(value)).toStrictEqual(before)
    }),
  )
})

test('a batch arrives with its cells and options, and its memory can be used again', () => {
  const one = { durability: 'SKIP_WAL' } as const
  const batch = new MutationBatch()
  batch
    .put(Buffer.from('r'), Buffer.from('f'), Buffer.from('q'), Buffer.alloc(LARGE_BYTES, 1))
    .endMutation(one)
  batch.deleteRow(Buffer.from('s'), 7n).endMutation(one)
  const shared = crossed(batch)
  expect(batch.isCopied).toBe(true)
  expect(shared.isCopied).toBe(false)
  expect(shared.options).toEqual([one, one])
  batch.put(Buffer.from('t'), Buffer.from('f'), Buffer.from('q'), Buffer.alloc(0)).endMutation()
  const mixed = crossed(batch)
  expect(mixed.options).toEqual([one, one, { durability: 'USE_DEFAULT' }])
  expect(mixed.ends).toEqual(batch.ends)
  expect(mixed.cells.count).toBe(3)
  for (let i = 0; i < 3; i++) expect(shown(mixed.blockOf(i))).toEqual(shown(batch.blockOf(i)))
})

test.each([3, LARGE_BYTES])('scattered cells of %i bytes arrive in one block', (length) => {
  const memory = new ViewedBytes(Buffer.alloc(length + 10, 5))
  const cells = new ScatteredCells()
  cells.add(memory, 1, length)
  cells.add(memory, 2, 4)
  const block = crossed<unknown>(cells)
  expect(block).toBeInstanceOf(CellBlock)
  const head = Buffer.alloc(4)
  head.writeInt32BE(length)
  const expected = Buffer.concat([head, Buffer.alloc(length, 5), Buffer.from([0, 0, 0, 4, 5, 5, 5, 5])])
  expect(shown(block)).toEqual({ cells: expected.toString('hex') })
})

test('bugs stay bugs: an InvariantError, and errors of the system with their code', () => {
  const invariant = crossed(new InvariantError('is not'))
  expect(invariant).toBeInstanceOf(InvariantError)
  expect(invariant).not.toBeInstanceOf(HBaseError)
  const full = Object.assign(new TypeError('disk'), { code: 'ENOSPC' })
  const error = crossed<Error>(full)
  expect(error).toMatchObject({ name: 'TypeError', message: 'disk', code: 'ENOSPC', stack: full.stack })
})

test('a chain of causes that is a ring ends', () => {
  const error = new Error('a')
  error.cause = error
  expect(crossed(error).cause).toMatchObject({ message: 'a' })
})

test('objects of other classes, functions and the tag do not cross', () => {
  for (const value of [new Set(), () => 1, { a: [new Date()] }, { $: 1 }])
    expect(() => new Packer().pack(value)).toThrow('crosses the seam')
})

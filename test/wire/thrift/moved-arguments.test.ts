import { describe, expect, test } from 'vitest'
import { asBuffer } from '../../../src/model/moved-memory.ts'
import { MutationBatch } from '../../../src/model/mutation.ts'
import {
  type ArgumentsPart,
  moveArguments,
  ReceivedArguments,
} from '../../../src/wire/thrift/moved-arguments.ts'
import { RowMutations } from '../../../src/wire/thrift/row-mutations-reader.ts'
import type { ThriftObject } from '../../../src/wire/thrift/value-codec.ts'

/** Sends arguments as between threads; returns them, and the largest number of values that went over at once. */
function moved(args: ThriftObject, call: Buffer): { readonly args: ThriftObject; readonly parts: unknown[] } {
  const received = new ReceivedArguments()
  const mover = moveArguments(args, call)
  const parts: unknown[] = []
  for (;;) {
    const { done, value: sent } = mover.next()
    const value: unknown = structuredClone(sent.value, { transfer: [...sent.memory] })
    if (done === true) return { args: received.finish(value), parts }
    parts.push(value)
    received.take(value as ArgumentsPart)
  }
}

const call = Buffer.from(new ArrayBuffer(1000), 100, 800)
for (let i = 0; i < call.length; i++) call[i] = i

function freshCall(): Buffer {
  return Buffer.from(Uint8Array.prototype.slice.call(call).buffer)
}

test('plain values, bytes, structs, maps and what is missing arrive as they were', () => {
  const bytes = freshCall()
  const args = {
    table: bytes.subarray(10, 14),
    empty: Buffer.alloc(0),
    number: 7,
    long: -5n,
    flag: false,
    missing: undefined,
    struct: { row: bytes.subarray(0, 800), list: [1, 2, { text: 'x' }] },
    map: new Map([['a', { value: bytes.subarray(1, 2) }]]),
  }
  const expected = structuredClone(args)
  const { args: arrived } = moved(args, bytes)
  expect(Buffer.isBuffer(arrived['table'])).toBe(true)
  expect(structuredClone(arrived)).toEqual(expected)
  expect(arrived['struct']).toMatchObject({ row: Buffer.from(call) })
})

describe('long lists', () => {
  test('go over in parts that are small, whatever they are made of', () => {
    const bytes = freshCall()
    const inner = (at: number) =>
      Array.from({ length: 400 }, (_, i) => ({ at, i, row: bytes.subarray(i, i + 2) }))
    const lists = { outer: Array.from({ length: 60 }, (_, at) => ({ at, list: inner(at) })) }
    const expected = { outer: Array.from({ length: 60 }, (_, at) => ({ at, list: inner(at).map(copied) })) }
    const { args, parts } = moved(lists, bytes)
    expect(args).toEqual(expected)
    const sizes = parts.map((part) => JSON.stringify(part).length)
    expect(sizes.length).toBeGreaterThan(10)
    expect(Math.max(...sizes.slice(1))).toBeLessThan(300_000)
  })

  test('of long lists keep their order', () => {
    const lists = {
      outer: Array.from({ length: 3 }, (_, at) => Array.from({ length: 12_000 }, (_each, i) => at + i)),
    }
    const { args, parts } = moved(structuredClone(lists), freshCall())
    expect(args).toEqual(lists)
    expect(parts.length).toBeGreaterThan(6)
  })
})

function copied({
  row,
  ...rest
}: {
  readonly at: number
  readonly i: number
  readonly row: Buffer
}): unknown {
  return { ...rest, row: Buffer.from(row) }
}

test('cells move as batches, with their options and ends', () => {
  const puts = new MutationBatch()
  const value = Buffer.alloc(10_000, 'v')
  for (const durability of ['SYNC_WAL', 'SKIP_WAL', 'SYNC_WAL'] as const) {
    puts.put(Buffer.from(durability), Buffer.from('f'), Buffer.from('q'), value, 5n)
    puts.endMutation({ durability })
  }
  const deletes = new MutationBatch(0)
  const cells = Buffer.from(asBuffer(puts.cells.buffer).subarray(0, puts.cells.length))
  const { ends } = puts
  const { args } = moved({ rows: new RowMutations(puts, deletes), put: deletes }, freshCall())
  const rows = args['rows'] as RowMutations
  expect(rows).toBeInstanceOf(RowMutations)
  expect(rows.puts.cells.buffer.subarray(0, rows.puts.cells.length).equals(cells)).toBe(true)
  expect(rows.puts.cells.count).toBe(3)
  expect(rows.puts.ends).toEqual(ends)
  expect(rows.puts.options.map(({ durability }) => durability)).toEqual(['SYNC_WAL', 'SKIP_WAL', 'SYNC_WAL'])
  expect(rows.deletes.length).toBe(0)
  expect(args['put']).toBeInstanceOf(MutationBatch)
})

import { expect, test } from 'vitest'
import { checkSameAnswers } from '../../load/compare/same-answers.ts'
import { type Answered, AnswerTally } from '../harness/answer-tally.ts'

const READ_FIRST = 16

/** An answer of so many rows, a byte each. */
function answer(rows: number, bytes = 8): Buffer {
  return Buffer.alloc(bytes, rows)
}

function counting(read: number[]): AnswerTally {
  return new AnswerTally((bytes) => {
    read.push(bytes.length)
    return { rows: bytes[0]!, cells: 1 }
  })
}

function add(tally: AnswerTally, bytes: Buffer): void {
  tally.add(bytes.length, [bytes.subarray(0, 3), bytes.subarray(3)], tally.readsNext)
}

test('all bytes are counted; the first answers, those of a new length and one of 64 are read', () => {
  const read: number[] = []
  const tally = counting(read)
  for (let i = 0; i < 1280; i++) add(tally, answer(5))
  add(tally, answer(5, 18))
  expect(read).toHaveLength(READ_FIRST + 1280 / 64 - 1 + 1 + 1)
  expect(read.at(-1)).toBe(18)
  expect(tally.result()).toEqual({ bytes: (1280 * 8 + 18) / 1281, each: { rows: 5, cells: 1 } })
})

test('an answer with other rows than the first one fails, in a sample and by its length', () => {
  const tally = counting([])
  for (let i = 0; i < 64; i++) add(tally, answer(5))
  expect(() => add(tally, answer(4))).toThrow('one answer had 4 rows and 1 cells, another one 5 rows')
  expect(() => add(tally, answer(3, 9))).toThrow('3 rows')
})

test('an answer that was not kept, or that no reader takes, is counted by its bytes', () => {
  const read: number[] = []
  const tally = counting(read)
  tally.add(10, undefined, true)
  expect([read, tally.result()]).toEqual([[], { bytes: 10, each: undefined }])
  const unread = new AnswerTally(undefined)
  add(unread, answer(1))
  expect(unread.result()).toEqual({ bytes: 8, each: undefined })
  expect(new AnswerTally(undefined).result().bytes).toBe(0)
})

/** Checks what HBase, the engine and the server in front of a cluster have answered. */
function check(...answered: (Answered | undefined)[]): void {
  const names = ['hbase', 'engine', 'cluster']
  const sides = answered.map((each, index) => [names[index]!, { answers: { bytes: 1, each } }] as const)
  checkSameAnswers('Scan', sides)
}

test('servers whose answers have other rows or cells are not compared', () => {
  const full = { rows: 1000, cells: 1000 }
  expect(() => check(full, full, full)).not.toThrow()
  expect(() => check(full, full, { rows: 128, cells: 128 })).toThrow(
    "Scan: the servers' answers differ: hbase: 1000 rows and 1000 cells; cluster: 128 rows and 128 cells",
  )
  expect(() => check(full, { rows: 1000, cells: 999 })).toThrow('engine: 1000 rows and 999 cells')
  expect(() => check(full, undefined)).toThrow('no answer of engine was read')
})

import { pino } from 'pino'
import { afterEach, describe, expect, test } from 'vitest'
import {
  DecodeThreads,
  type DecodeThreadsOptions,
} from '../../../../src/gateway/requests/decoding/decode-threads.ts'
import { threadProgram } from '../../../../src/gateway/requests/decoding/thread-program.ts'

const ERRORS = threadProgram('../../../../src/model/errors', import.meta.url)
const logger = pino({ level: 'silent' })
const pools: DecodeThreads[] = []

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()))
})

function open(options: Partial<DecodeThreadsOptions> = {}): DecodeThreads {
  const pool = new DecodeThreads({ logger, threadsMax: 1, ...options })
  pools.push(pool)
  return pool
}

/** A module whose task has this body. */
function module(body: string, head = ''): string {
  return `data:text/javascript,${encodeURIComponent(`${head}; export ${body}`)}`
}

const DOUBLE = module('function task(input) { return { value: input * 2, memory: [] } }')
const COUNT = module(
  'function* task(input) { for (let i = 0; i < input; i++) yield { value: i, memory: [] }; return { value: "end", memory: [] } }',
)
const REFUSE = module(
  'function task() { throw new HBaseError("TOO_LARGE", "too many rows", { javaClass: "a.B" }) }',
  `import { HBaseError } from '${ERRORS}'`,
)
const FAIL = module('function task() { throw new TypeError("a bug") }')
const DIE = module('function task() { process.exit(3) }')
const HANG = module('function task() { for (;;); }')

const input = (value: unknown) => ({ value, memory: [] })

test('work comes back in its order, by no more threads than there may be', async () => {
  const pool = open({ threadsMax: 2 })
  const results = await Promise.all([1, 2, 3, 4, 5].map((number) => pool.run(DOUBLE, input(number))))
  expect(results).toEqual([2, 4, 6, 8, 10])
  expect(pool.threadCount).toBe(2)
})

test('each part comes in a turn of the event loop of its own', async () => {
  let turn = 0
  let isDone = false
  const count = (): void => {
    turn++
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  const turns: number[] = []
  const parts: unknown[] = []
  const end = await open().run(COUNT, input(50), (part) => {
    parts.push(part)
    turns.push(turn)
  })
  isDone = true
  expect(end).toBe('end')
  expect(parts).toEqual(Array.from({ length: 50 }, (_, number) => number))
  expect(new Set(turns).size).toBe(50)
})

test('memory moves over', async () => {
  const bytes = new Uint8Array(100)
  const length = module('function task(bytes) { return { value: bytes.length, memory: [] } }')
  expect(await open().run(length, { value: bytes, memory: [bytes.buffer] })).toBe(100)
  expect(bytes.length).toBe(0)
})

describe('an error', () => {
  test('of the work keeps code, message and class', async () => {
    await expect(open().run(REFUSE, input(0))).rejects.toMatchObject({
      name: 'HBaseError',
      code: 'TOO_LARGE',
      message: 'too many rows',
      javaClass: 'a.B',
    })
  })

  test('that is a bug is none of HBase, and the thread goes on', async () => {
    const pool = open()
    const failed = pool.run(FAIL, input(0))
    await expect(failed).rejects.toThrow('a bug')
    await expect(failed).rejects.not.toHaveProperty('code')
    expect(await pool.run(DOUBLE, input(1))).toBe(2)
  })

  test('of input that cannot be moved is reported', async () => {
    const pool = open()
    await expect(
      pool.run(
        DOUBLE,
        input(() => 0),
      ),
    ).rejects.toThrow('could not be cloned')
    expect(await pool.run(DOUBLE, input(1))).toBe(2)
  })
})

test('a thread that ends fails its work, which may be sent again, and another does the rest', async () => {
  const pool = open()
  const dead = pool.run(DIE, input(0))
  const waiting = pool.run(DOUBLE, input(4))
  await expect(dead).rejects.toMatchObject({ code: 'OVERLOADED', mayRetry: true })
  expect(await waiting).toBe(8)
})

test('idle threads end, and start again', async () => {
  const pool = open({ idleMs: 1 })
  expect(await pool.run(DOUBLE, input(1))).toBe(2)
  await expect.poll(() => pool.threadCount).toBe(0)
  expect(await pool.run(DOUBLE, input(2))).toBe(4)
})

test('closing rejects what runs, what waits and what comes', async () => {
  const pool = open()
  const work = [pool.run(HANG, input(0)), pool.run(DOUBLE, input(1))]
  const rejected = Promise.all(work.map((each) => expect(each).rejects.toMatchObject({ mayRetry: true })))
  await pool.close()
  await rejected
  await expect(pool.run(DOUBLE, input(1))).rejects.toMatchObject({ code: 'UNAVAILABLE' })
})

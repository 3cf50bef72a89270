/** Writes cross a port as they were asked for, in their order among all other requests, and each is answered as the store answers it. */

import { MessageChannel } from 'node:worker_threads'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HBaseError } from '../../../src/model/errors.ts'
import { type Durability, MutationBatch, type MutationOptions } from '../../../src/model/mutation.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { type Call, OWN_CALL } from '../../../src/store/call.ts'
import { PlainWritesReader, PlainWritesWriter } from '../../../src/store/port/plain-writes.ts'
import { connectStore } from '../../../src/store/port/port-store.ts'
import { serveStore } from '../../../src/store/port/serve-store.ts'
import type { MutationFailure } from '../../../src/store/rows.ts'
import type { Store } from '../../../src/store/store.ts'
import type { Target } from '../../../src/store/target.ts'

const TABLES = ['t', 'ns:u', 'v'].map(parseTableName)
const durabilities = fc.constantFrom<Durability>(
  'USE_DEFAULT',
  'SKIP_WAL',
  'ASYNC_WAL',
  'SYNC_WAL',
  'FSYNC_WAL',
)
const options: fc.Arbitrary<MutationOptions> = fc.oneof(
  { weight: 5, arbitrary: durabilities.map((durability) => ({ durability })) },
  { weight: 1, arbitrary: durabilities.map((durability) => ({ durability, ttlMs: 7 })) },
  { weight: 1, arbitrary: fc.constant({ durability: 'SYNC_WAL' as const, tags: Buffer.from('tags') }) },
)
const targets: fc.Arbitrary<Target> = fc.oneof(
  fc.constantFrom(...TABLES),
  fc.record({
    table: fc.constantFrom(...TABLES),
    encodedName: fc.constantFrom('a', 'b'),
    replica: fc.constantFrom(0, 1),
  }),
)
const bytes = fc.uint8Array({ minLength: 1, maxLength: 12 }).map((each) => Buffer.from(each))
/** Now and then so large that it moves. */
const values = fc.oneof(
  { weight: 20, arbitrary: bytes },
  { weight: 1, arbitrary: fc.constant(Buffer.alloc(70_000, 'v')) },
)
const mutations = fc.array(fc.record({ row: bytes, qualifier: bytes, value: values, options }), {
  maxLength: 4,
})
const connections = fc.record({
  principal: fc.constantFrom(undefined, { user: 'u' }, { user: 'u', realUser: 'r' }),
  address: fc.constantFrom('10.0.0.1', '10.0.0.2'),
  withTags: fc.boolean(),
})
/** Of the connections whose signals have these numbers. */
const calls = fc.record({
  connection: fc.integer({ min: 0, max: 3 }),
  of: connections,
  deadline: fc.constantFrom(Number.POSITIVE_INFINITY, 2e12, 1.5),
  priority: fc.constantFrom(0, 200, -1, 2 ** 31, 2 ** 32 - 1),
  trace: fc.constantFrom(undefined, undefined, undefined, 'trace'),
})
const outcomes = fc.constantFrom('done', 'done', 'done', 'failures', 'refused')
const steps = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      target: targets,
      mutations,
      call: calls,
      outcome: outcomes,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('look' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('turn' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('hang up' as const),
      connection: fc.integer({ min: 0, max: 3 }),
    }),
  },
)

interface Seen {
  readonly target: Target
  readonly cells: string
  readonly count: number
  readonly ends: readonly number[]
  readonly options: readonly MutationOptions[]
  readonly call: unknown
}

function seen(target: Target, { cells, ends, options }: MutationBatch, call: Call): Seen {
  const { signal: _, ...rest } = call
  return {
    target,
    cells: cells.buffer.toString('hex', 0, cells.length),
    count: cells.count,
    ends: [...ends],
    options: [...options],
    call: rest,
  }
}

const FAILURE: MutationFailure = {
  index: 0,
  error: new HBaseError('NO_SUCH_COLUMN_FAMILY', 'no such family'),
}

test('every write arrives as it was asked for, in order, and has its own answer', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { maxLength: 40 }), async (all) => {
      const [sent, came]: [unknown[], unknown[]] = [[], []]
      const outcomesInOrder: string[] = []
      const rows = {
        mutate: async (target: Target, batch: MutationBatch, call: Call) => {
          came.push(seen(target, batch, call))
          const outcome = outcomesInOrder.shift()
          await Promise.resolve()
          if (outcome === 'refused') throw new HBaseError('REGION_TOO_BUSY', 'busy')
          return outcome === 'failures' ? [FAILURE] : []
        },
      }
      const catalog = {
        hasSystemTables: true,
        tableExists: async () => {
          came.push('look')
          return true
        },
      }
      const { port1, port2 } = new MessageChannel()
      serveStore({ kind: 'k', rows, handouts: {}, catalog, upkeep: {} } as unknown as Store, port2)
      const store = await connectStore(port1)
      const controllers = Array.from({ length: 4 }, () => new AbortController())
      const answers: Promise<void>[] = []
      for (const step of all) {
        if (step.kind === 'turn') await new Promise((resolve) => setImmediate(resolve))
        else if (step.kind === 'hang up') controllers[step.connection]!.abort()
        else if (step.kind === 'look') {
          sent.push('look')
          answers.push(store.catalog.tableExists(TABLES[0]!, OWN_CALL).then(() => undefined))
        } else {
          const { deadline, priority, trace, connection, of } = step.call
          const { signal } = controllers[connection]!
          const call: Call = {
            ...OWN_CALL,
            isOwn: false,
            ...of,
            client: 'c',
            deadline,
            priority,
            trace,
            signal,
          }
          const batch = new MutationBatch()
          for (const { row, qualifier, value, options } of step.mutations) {
            batch.put(row, Buffer.from('f'), qualifier, value).endMutation(options)
          }
          sent.push(seen(step.target, batch, call))
          outcomesInOrder.push(step.outcome)
          const made = store.rows.mutate(step.target, batch, call)
          expect(batch.isCopied).toBe(true)
          // The memory is the caller's again.
          batch.cells.buffer.fill(0xee)
          const expected =
            step.outcome === 'refused'
              ? expect(made).rejects.toMatchObject({ code: 'REGION_TOO_BUSY' })
              : expect(made).resolves.toMatchObject(
                  step.outcome === 'failures' ? [{ index: 0, error: { code: 'NO_SUCH_COLUMN_FAMILY' } }] : [],
                )
          answers.push(expected)
        }
      }
      await Promise.all(answers)
      port1.close()
      expect(came).toEqual(sent)
    }),
    { numRuns: 100 },
  )
})

test('a hang-up reaches the writes under way of its client', async () => {
  const signals: AbortSignal[] = []
  const rows = {
    mutate: (_target: Target, _batch: MutationBatch, { signal }: Call) => {
      signals.push(signal!)
      return new Promise((_, reject) => {
        signal!.addEventListener('abort', () => reject(new HBaseError('CALLER_GONE', 'gone')))
      })
    },
  }
  const { port1, port2 } = new MessageChannel()
  serveStore(
    { kind: 'k', rows, handouts: {}, catalog: { hasSystemTables: true }, upkeep: {} } as unknown as Store,
    port2,
  )
  const store = await connectStore(port1)
  const [mine, others] = [new AbortController(), new AbortController()]
  const write = ({ signal }: AbortController): Promise<unknown> => {
    const batch = new MutationBatch().put(...(['r', 'f', 'q', 'v'].map((each) => Buffer.from(each)) as Cell))
    batch.endMutation()
    return store.rows.mutate(TABLES[0]!, batch, { ...OWN_CALL, signal })
  }
  const [first, other] = [write(mine), write(others)]
  mine.abort()
  await expect(first).rejects.toMatchObject({ code: 'CALLER_GONE' })
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false])
  port1.close()
  await expect(other).rejects.toMatchObject({ code: 'UNAVAILABLE' })
})

type Cell = [row: Buffer, family: Buffer, qualifier: Buffer, value: Buffer]

test('numbers of writes are exact beyond 32 bits, and a message that is left out leaves nothing behind', () => {
  const writer = new PlainWritesWriter(() => undefined)
  const reader = new PlainWritesReader()
  const { signal } = new AbortController()
  const call: Call = { ...OWN_CALL, signal }
  const taken: unknown[] = []
  for (const id of [2 ** 32 - 1, 2 ** 32, 2 ** 52]) {
    const batch = new MutationBatch().put(
      ...(['r', 'f', 'q', String(id)].map((each) => Buffer.from(each)) as Cell),
    )
    batch.endMutation()
    expect(writer.add(id, TABLES[0]!, batch, { ...call, trace: 'trace' })).toBe(false)
    expect(writer.add(id, TABLES[0]!, batch, call)).toBe(true)
    reader.read(writer.take()!, (came, target, { cells }) => {
      taken.push([came, target, cells.buffer.toString('latin1', 0, cells.length).endsWith(String(id))])
    })
  }
  expect(writer.take()).toBe(undefined)
  expect(taken).toEqual([2 ** 32 - 1, 2 ** 32, 2 ** 52].map((id) => [id, TABLES[0], true]))
})

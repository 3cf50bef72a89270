import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ReadyFacts, ToWorker } from '../../../src/cli/workers/messages.ts'
import { type NewWorker, Supervisor, type WorkerEvents } from '../../../src/cli/workers/supervisor.ts'

const FACTS: ReadyFacts = { store: 'hbase', addresses: {}, ports: { rest: 80 }, lowered: undefined }

interface Spawned extends NewWorker {
  readonly events: WorkerEvents
  readonly sent: ToWorker[]
  isKilled: boolean
}

let spawned: Spawned[]
let logged: string[]
let now: number

beforeEach(() => {
  vi.useFakeTimers()
  spawned = []
  logged = []
  now = 0
})
afterEach(() => {
  vi.useRealTimers()
})

function supervisorOf(count: number): Supervisor {
  const logger = pino({}, { write: (line) => logged.push((JSON.parse(line) as { msg: string }).msg) })
  return new Supervisor({
    count,
    logger,
    now: () => now,
    spawn: (worker, events) => {
      const made: Spawned = { ...worker, events, sent: [], isKilled: false }
      spawned.push(made)
      return {
        pid: spawned.length,
        send: (message) => made.sent.push(message),
        kill: () => {
          made.isKilled = true
        },
      }
    },
  })
}

function isReady(worker: Spawned | undefined): void {
  worker!.events.message({ kind: 'ready', facts: FACTS })
}

async function started(count: number): Promise<Supervisor> {
  const supervisor = supervisorOf(count)
  const start = supervisor.start()
  for (let i = 0; i < count; i++) isReady(spawned[i])
  expect(await start).toBe(FACTS)
  return supervisor
}

test('the others begin once the first one serves, and all of them have slots of their own', async () => {
  const supervisor = supervisorOf(3)
  const start = supervisor.start()
  expect(spawned).toHaveLength(1)
  isReady(spawned[0])
  expect(spawned.map(({ number, slot }) => [number, slot])).toEqual([
    [1, 1],
    [2, 2],
    [3, 3],
  ])
  const soon = vi.fn()
  void start.then(soon)
  isReady(spawned[1])
  await Promise.resolve()
  expect(soon).not.toHaveBeenCalled()
  isReady(spawned[2])
  expect(await start).toBe(FACTS)
})

test('what keeps the first one from starting is told once, and nothing is started again', async () => {
  const supervisor = supervisorOf(2)
  const start = supervisor.start()
  const fault = { message: 'the port is taken', exitCode: 1 }
  spawned[0]!.events.message({ kind: 'failed', fault })
  await expect(start).rejects.toBe(fault)
  spawned[0]!.events.ended(1, null)
  await vi.advanceTimersByTimeAsync(100_000)
  expect(spawned).toHaveLength(1)
  expect(await supervisor.stop('a failure')).toBe(true)
})

test('one that ends at its start without a word is told by how it ended', async () => {
  const start = supervisorOf(2).start()
  spawned[0]!.events.ended(null, 'SIGKILL')
  await expect(start).rejects.toMatchObject({ message: expect.stringContaining('SIGKILL') as string })
})

test('a worker that dies is replaced after a pause that grows, under another slot', async () => {
  await started(2)
  const pauses: number[] = []
  for (let i = 0; i < 8; i++) {
    const before = spawned.length
    spawned.at(-1)!.events.ended(null, 'SIGSEGV')
    let waited = 0
    while (spawned.length === before) {
      await vi.advanceTimersByTimeAsync(1000)
      waited += 1000
    }
    pauses.push(waited)
    isReady(spawned.at(-1))
  }
  expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000])
  expect(spawned.slice(1).every(({ number }) => number === 2)).toBe(true)
  expect(new Set(spawned.map(({ slot }) => slot)).size).toBe(spawned.length)
  expect(logged.filter((line) => line.includes('SIGSEGV'))).toHaveLength(8)
  now += 60_000
  spawned.at(-1)!.events.ended(1, null)
  await vi.advanceTimersByTimeAsync(1000)
  expect(spawned).toHaveLength(11)
})

test('a slot is given again only after all others, and never while its worker lives', async () => {
  await started(2)
  const slots: number[] = []
  for (let i = 0; i < 600; i++) {
    spawned.at(-1)!.events.ended(1, null)
    await vi.advanceTimersByTimeAsync(60_000)
    isReady(spawned.at(-1))
    slots.push(spawned.at(-1)!.slot)
  }
  expect(Math.max(...slots)).toBe(511)
  expect(slots).not.toContain(1)
  expect(new Set(slots.slice(0, 509)).size).toBe(509)
})

test('a replacement that cannot start is told and tried again', async () => {
  await started(2)
  for (const worker of spawned.slice(0, 2)) worker.events.ended(1, null)
  await vi.advanceTimersByTimeAsync(1000)
  spawned[2]!.events.message({ kind: 'failed', fault: { message: 'no memory', exitCode: 1 } })
  spawned[2]!.events.ended(1, null)
  expect(logged.some((line) => line.includes('cannot start: no memory'))).toBe(true)
  await vi.advanceTimersByTimeAsync(2000)
  expect(spawned).toHaveLength(5)
})

test('the stop ends all of them, waits for them, and starts none again', async () => {
  const supervisor = await started(2)
  spawned[1]!.events.ended(1, null)
  const stop = supervisor.stop('SIGTERM')
  expect(spawned[0]!.sent).toEqual([{ kind: 'stop', reason: 'SIGTERM' }])
  spawned[0]!.events.ended(0, null)
  expect(await stop).toBe(true)
  await vi.advanceTimersByTimeAsync(100_000)
  expect(spawned).toHaveLength(2)
})

test('one that was loading when the stop began is told of it once it hears, and its start may be broken off', async () => {
  const supervisor = supervisorOf(2)
  void supervisor.start()
  const stop = supervisor.stop('SIGTERM')
  const loading = spawned[0]!
  loading.sent.length = 0
  loading.events.message({ kind: 'hears' })
  expect(loading.sent).toEqual([{ kind: 'stop', reason: 'SIGTERM' }])
  loading.events.ended(null, 'SIGTERM')
  expect(await stop).toBe(true)
})

test('one that does not end is killed within the limit, and the stop was not in order', async () => {
  const supervisor = await started(2)
  const stop = supervisor.stop('SIGTERM')
  spawned[0]!.events.ended(0, null)
  await vi.advanceTimersByTimeAsync(9000)
  expect(spawned[1]!.isKilled).toBe(false)
  await vi.advanceTimersByTimeAsync(500)
  expect(spawned[1]!.isKilled).toBe(true)
  spawned[1]!.events.ended(null, 'SIGKILL')
  expect(await stop).toBe(false)
})

test('a question goes to all that serve, and its answers to who has asked; nobody waits for one that ends or is silent', async () => {
  await started(3)
  const [asker, dying, silent] = spawned as [Spawned, Spawned, Spawned]
  const ask = (number: number): number => {
    asker.events.message({ kind: 'ask', ask: number, about: 'metrics' })
    const { ask: id } = asker.sent.findLast((message) => message.kind === 'question')!
    return id
  }
  const first = ask(7)
  expect(silent.sent).toEqual([{ kind: 'question', ask: first, about: 'metrics' }])
  asker.events.message({ kind: 'report', ask: first, report: 'a' })
  silent.events.message({ kind: 'report', ask: first, report: 'c' })
  silent.events.message({ kind: 'report', ask: first, report: 'again' })
  expect(asker.sent.filter((message) => message.kind === 'answers')).toEqual([])
  dying.events.ended(1, null)
  expect(asker.sent.at(-1)).toEqual({ kind: 'answers', ask: 7, reports: ['a', 'c'] })
  const second = ask(8)
  asker.events.message({ kind: 'report', ask: second, report: 'a' })
  await vi.advanceTimersByTimeAsync(2000)
  expect(asker.sent).toContainEqual({ kind: 'answers', ask: 8, reports: ['a'] })
})

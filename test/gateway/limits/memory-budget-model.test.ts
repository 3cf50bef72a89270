/** The budget of memory as a model: clients take, wait, give back, go and leave answers unread, in any order. */

import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { MemoryBudget } from '../../../src/gateway/limits/memory-budget.ts'
import { MemoryGrant } from '../../../src/gateway/limits/memory-grant.ts'
import type { Need } from '../../../src/gateway/limits/memory-line.ts'
import { isHBaseError } from '../../../src/model/errors.ts'

const BYTES_MAX = 100
const WAIT_MS = 30_000
/** The time after which requests that hold all but the standing memory give way. */
const STANDING_WAIT_MS = 2000
/** Others do not pass a request that has waited for less. */
const PLACE_MS = 5000
/** A request that is still to come leaves the rest to those that run. */
const ARRIVALS_PART = 3 / 4
/** A request of so many bytes is small: it goes with those that run. */
const SMALL_BYTES = 1

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

type Act =
  | { readonly kind: 'take'; readonly client: number; readonly bytes: number; readonly need: Need }
  | { readonly kind: 'finish' | 'go' | 'answer' | 'stream'; readonly client: number }
  | { readonly kind: 'scan'; readonly bytes: number }
  | { readonly kind: 'close'; readonly client: number }
  | { readonly kind: 'pass'; readonly ms: number }

const CLIENTS = 5
const client = fc.nat({ max: CLIENTS - 1 })
const bytes = fc.integer({ min: 1, max: 45 })
const need = fc.constantFrom<Need>('call', 'answer', 'change', 'arrival')
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 9, arbitrary: fc.record({ kind: fc.constant('take' as const), client, bytes, need }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('finish', 'go', 'answer', 'stream'), client }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('scan' as const), bytes }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('close' as const), client }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 9000 }) }),
  },
)

/** Answers and changes have one line, behind calls that run. */
const RANKS: Readonly<Record<Need, number>> = { call: 0, answer: 1, change: 1, arrival: 2 }
/** The part of what does not stand that each need may take in any case. */
const PARTS: Readonly<Record<Need, number>> = {
  call: 1,
  answer: 31 / 32,
  change: 31 / 32,
  arrival: ARRIVALS_PART,
}

/** For now, and for good: the request and its memory are more than the budget. */
const REFUSED: ReadonlySet<string> = new Set(['OVERLOADED', 'TOO_LARGE'])

interface Request {
  /** Number of its first wait among all; undefined before that. */
  first: number | undefined
  readonly grant: MemoryGrant
  readonly gone: AbortController
  /** Undefined while it does not wait. */
  waits: { readonly bytes: number; readonly since: number; readonly need: Need } | undefined
  /** Milliseconds of its waits before the present one. */
  waitedMs: number
  /** Its memory stands while it does not wait, for its client reads meanwhile. */
  isStream: boolean
}

function rank({ waits }: Request): number {
  return RANKS[waits!.need]
}

function heldBy(requests: readonly Request[]): number {
  return requests.reduce((sum, { grant }) => sum + grant.bytes, 0)
}

function waitedMs({ waits, waitedMs: before }: Request): number {
  return before + Date.now() - waits!.since
}

class Model {
  readonly budget = new MemoryBudget(BYTES_MAX)
  readonly #requests: (Request | undefined)[] = []
  readonly #standing: MemoryGrant[] = []
  /** Requests that wait: the ones that run before the ones that are still to come; of each in the order in which their first waits began. */
  readonly #line: Request[] = []
  #refused = 0
  #waits = 0

  async run(acts: readonly Act[]): Promise<void> {
    for (const each of acts) {
      this.#do(each)
      await vi.advanceTimersByTimeAsync(each.kind === 'pass' ? each.ms : 0)
      this.#check()
    }
    // All that run end.
    for (const index of this.#requests.keys()) this.#end('finish', index)
    await vi.advanceTimersByTimeAsync(0)
    // Nothing more is given back now: those that can go on do, for others give way to them.
    await vi.advanceTimersByTimeAsync(STANDING_WAIT_MS * (this.#line.length + 1))
    expect(this.#isStalled).toBe(false)
    await vi.advanceTimersByTimeAsync(WAIT_MS)
    expect(this.#line).toEqual([])
    for (const request of this.#requests) request?.grant.release()
    for (const grant of this.#standing) grant.release()
    expect([this.budget.granted, this.budget.standing, this.budget.isWaitedFor]).toEqual([0, 0, false])
  }

  #do(each: Act): void {
    if (each.kind === 'take') this.#take(each)
    else if (each.kind === 'scan') this.#scan(each.bytes)
    else if (each.kind === 'close') this.#standing.splice(each.client, 1)[0]?.release()
    else if (each.kind !== 'pass') this.#end(each.kind, each.client)
  }

  #take({ client: index, bytes: wanted, need: stated }: Act & { readonly kind: 'take' }): void {
    this.#requests[index] ??= {
      grant: new MemoryGrant(this.budget),
      gone: new AbortController(),
      waits: undefined,
      waitedMs: 0,
      first: undefined,
      isStream: false,
    }
    const request = this.#requests[index]
    if (request.waits !== undefined) return
    request.grant.stand(false)
    const isSmall = wanted + request.grant.bytes <= SMALL_BYTES
    const later = request.grant.atOnceOrLater(
      () => request.grant.take(wanted, 'a request', stated),
      request.gone.signal,
    )
    if (later === undefined) {
      request.grant.stand(request.isStream)
      return
    }
    request.waits = { bytes: wanted, since: Date.now(), need: isSmall ? 'call' : stated }
    request.first ??= this.#waits++
    this.#line.push(request)
    this.#line.sort((a, b) => rank(a) - rank(b) || a.first! - b.first!)
    const leavesLine = (): void => {
      request.waitedMs += Date.now() - request.waits!.since
      request.waits = undefined
      this.#line.splice(this.#line.indexOf(request), 1)
    }
    later.then(
      () => {
        this.#checkOvertaken(request)
        leavesLine()
        request.grant.stand(request.isStream)
      },
      (error: unknown) => {
        leavesLine()
        if (isHBaseError(error) && REFUSED.has(error.code)) this.#refused++
        // Refused as a whole: the door drops what has come of it.
        request.grant.release()
        this.#requests[this.#requests.indexOf(request)] = undefined
      },
    )
  }

  /** A request that could have gone on soon is passed by none, until it has waited for some seconds. */
  #checkOvertaken(by: Request): void {
    const held = heldBy(this.#line) - by.waits!.bytes
    for (const request of this.#line) {
      if (request === by) return
      const { bytes: wanted, need: of } = request.waits!
      const couldGoOn = of === 'call' && this.budget.standing + held + wanted <= BYTES_MAX
      if (waitedMs(request) < PLACE_MS) expect(couldGoOn).toBe(false)
    }
  }

  #scan(wanted: number): void {
    const grant = new MemoryGrant(this.budget, true)
    this.#standing.push(grant)
    try {
      grant.take(wanted, 'a scanner')
    } catch {
      this.#refused++
    }
  }

  #end(kind: 'finish' | 'go' | 'answer' | 'stream', index: number): void {
    const request = this.#requests[index]
    if (request === undefined) return
    if (kind === 'go') request.gone.abort()
    else if (request.waits !== undefined) return
    if (kind === 'stream') {
      request.isStream = true
      request.grant.stand(true)
      return
    }
    if (kind === 'answer') {
      request.grant.noteAnswer(10)
      this.#standing.push(request.grant)
    } else if (request.waits === undefined) request.grant.release()
    if (request.waits === undefined) this.#requests[index] = undefined
  }

  /** Whether all wait though one of them could go on if the others gave way to it. */
  get #isStalled(): boolean {
    const { granted, standing } = this.budget
    if (heldBy(this.#line) !== granted - standing) return false
    return this.#line.some(({ grant, waits }) => {
      return grant.bytes + waits!.bytes <= (BYTES_MAX - standing) * PARTS[waits!.need]
    })
  }

  #check(): void {
    const { budget } = this
    const streams = this.#requests.filter(
      (request) => request?.isStream === true && request.waits === undefined,
    )
    const ofStreams = streams.reduce((sum, request) => sum + request!.grant.bytes, 0)
    const standing = this.#standing.reduce((sum, grant) => sum + grant.bytes, 0) + ofStreams
    const running = this.#requests.reduce((sum, request) => sum + (request?.grant.bytes ?? 0), 0)
    expect([budget.standing, budget.granted]).toEqual([standing, standing - ofStreams + running])
    expect(budget.refused).toBe(this.#refused)
    for (const { waits, gone } of this.#line) {
      expect(Date.now() - waits!.since).toBeLessThan(WAIT_MS)
      expect(gone.signal.aborted).toBe(false)
    }
    for (const request of this.#line) {
      if (request.waits!.need === 'call') expect(request.waits!.bytes).toBeGreaterThan(budget.free)
      if (waitedMs(request) < PLACE_MS) break
    }
    if (standing === 0) expect(this.#isStalled).toBe(false)
  }
}

test('no request waits though there is room, none starves or waits for a client that has gone, and all of it comes back', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 40, size: 'max' }), (acts) => new Model().run(acts)),
  )
})

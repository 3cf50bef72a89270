import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { MemoryBudget } from '../../../src/gateway/limits/memory-budget.ts'
import { MemoryGrant } from '../../../src/gateway/limits/memory-grant.ts'
import { NoRoom } from '../../../src/gateway/limits/memory-line.ts'
import { ReceivedBytes } from '../../../src/gateway/requests/received-bytes.ts'

const MIB = 1024 * 1024

afterEach(() => {
  vi.useRealTimers()
})

describe('the memory budget', () => {
  it('refuses what goes beyond it, and takes it once there is room', () => {
    const budget = new MemoryBudget(100)
    budget.take(60, 'a body')
    expect(() => budget.take(41, 'a body')).toThrow(
      'no memory for a body: it takes 41 bytes, and of 100 bytes for requests 40 are free. Try again, or raise --memory-max',
    )
    expect(budget.refused).toBe(1)
    budget.give(1)
    budget.take(41, 'a body')
    expect(budget.free).toBe(0)
  })

  it('lets what is there already go beyond it, and then refuses everything', () => {
    const budget = new MemoryBudget(100)
    budget.note(150)
    expect(() => budget.take(0, 'another call')).toThrow('0 are free')
    budget.give(50)
    budget.take(0, 'another call')
  })

  it('collects what was given back before it grants as much again', () => {
    const collect = vi.fn()
    const budget = new MemoryBudget(100 * MIB, { now: collect, soon: () => undefined })
    for (let i = 0; i < 50; i++) {
      budget.take(4 * MIB, 'a body')
      budget.give(4 * MIB)
    }
    // After 100 MiB each time, since what was freed may still be in memory.
    expect(collect).toHaveBeenCalledTimes(1)
    budget.take(90 * MIB, 'a body')
    expect(collect).toHaveBeenCalledTimes(2)
  })

  it('collects beside others after a burst, once it is quiet', () => {
    vi.useFakeTimers()
    const collect = vi.fn<(ended: () => void) => void>()
    const budget = new MemoryBudget(1000 * MIB, { now: () => undefined, soon: collect })
    budget.take(50 * MIB, 'a body')
    budget.give(50 * MIB)
    vi.advanceTimersByTime(1999)
    expect(collect).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(collect).toHaveBeenCalledTimes(1)
    expect(budget.uncollected).toBe(50 * MIB)
    collect.mock.calls[0]![0]()
    expect(budget.uncollected).toBe(0)
  })
})

describe('received bytes', () => {
  it('are what was sent, in memory that was granted and is given back', async () => {
    const pieces = fc.array(fc.uint8Array({ maxLength: 40_000 }), { maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(pieces, fc.boolean(), async (sent, isStated) => {
        const budget = new MemoryBudget()
        const grant = new MemoryGrant(budget)
        const whole = Buffer.concat(sent)
        const received = new ReceivedBytes(grant, isStated ? whole.length : undefined)
        for (const piece of sent) received.push(Buffer.from(piece))
        await received.gathered()
        expect(received.whole().equals(whole)).toBe(true)
        const isOneChunk = sent.filter(({ length }) => length > 0).length < 2
        if (!isOneChunk) expect(budget.granted).toBeGreaterThanOrEqual(whole.length)
        if (isStated) expect(budget.granted).toBeLessThanOrEqual(Math.max(2 * whole.length, 16 * 1024))
        grant.release()
        expect(budget.granted).toBe(0)
      }),
    )
  })

  it('are moved over little by little where a large one grows', async () => {
    const budget = new MemoryBudget()
    const received = new ReceivedBytes(new MemoryGrant(budget))
    const piece = Buffer.from(Array.from({ length: 9 * MIB }, (_, i) => i % 251))
    received.push(piece)
    received.push(Buffer.from('the end'))
    let turns = 0
    const turn = (): void => {
      turns++
      next = setImmediate(turn)
    }
    let next = setImmediate(turn)
    await received.gathered()
    clearImmediate(next)
    // The end took one of the nine.
    expect(turns).toBe(8)
    expect(received.whole().equals(Buffer.concat([piece, Buffer.from('the end')]))).toBe(true)
    expect(received.gathered()).toBeUndefined()
  })

  it('grow in equal steps up to a stated length', () => {
    const budget = new MemoryBudget()
    const received = new ReceivedBytes(new MemoryGrant(budget), 8 * MIB)
    const granted = new Set<number>()
    for (let sent = 0; sent < 8 * MIB; sent += 16 * 1024) {
      received.push(Buffer.alloc(16 * 1024))
      if (received.gathered() === undefined) granted.add(budget.granted)
    }
    // With as much again for what is made of the whole body.
    expect([...granted]).toEqual([0, 128 * 1024, MIB, 16 * MIB])
  })

  it('have memory for the whole body where there is too little for what it is made into as well', () => {
    const budget = new MemoryBudget(12 * MIB)
    const received = new ReceivedBytes(new MemoryGrant(budget), 8 * MIB)
    for (let sent = 0; sent < 8 * MIB; sent += MIB / 4) received.push(Buffer.alloc(MIB / 4))
    expect([received.length, budget.granted]).toEqual([8 * MIB, 8 * MIB])
  })

  it('take no memory by a promise', () => {
    const budget = new MemoryBudget()
    const received = new ReceivedBytes(new MemoryGrant(budget), 200 * MIB)
    received.push(Buffer.alloc(10))
    received.push(Buffer.alloc(10))
    expect(budget.granted).toBe(16 * 1024)
    received.push(Buffer.alloc(MIB))
    expect(budget.granted).toBeLessThan(9 * MIB)
  })

  it('end where no memory is left', () => {
    const received = new ReceivedBytes(new MemoryGrant(new MemoryBudget(MIB)))
    received.push(Buffer.alloc(300_000))
    received.push(Buffer.alloc(100_000))
    expect(() => received.push(Buffer.alloc(500_000))).toThrow('of 1048576 bytes for all requests')
  })
})

describe('a request for whose memory there is no room', () => {
  it('waits for what others give back, the oldest first', async () => {
    const budget = new MemoryBudget(100)
    const [first, second, third] = [1, 2, 3].map(() => new MemoryGrant(budget)) as [
      MemoryGrant,
      MemoryGrant,
      MemoryGrant,
    ]
    for (const grant of [first, second, third]) grant.take(33, 'a part of a body')
    const order: string[] = []
    const waits = first.atOnceOrLater(() => first.take(30, 'the next part'))!.then(() => order.push('first'))
    const alsoWaits = second
      .atOnceOrLater(() => second.take(10, 'the next part'))!
      .then(() => order.push('second'))
    third.release()
    await waits
    expect([first.bytes, second.bytes, budget.granted]).toEqual([63, 33, 96])
    first.release()
    await alsoWaits
    expect(order).toEqual(['first', 'second'])
    expect([second.bytes, budget.granted, budget.refused]).toEqual([43, 43, 0])
  })

  it('gives way where all wait for what the others hold: the youngest is refused, and the rest go on', async () => {
    const budget = new MemoryBudget(100)
    const grants = Array.from({ length: 5 }, () => new MemoryGrant(budget))
    for (const grant of grants) grant.take(20, 'a part of a body')
    const outcomes = await Promise.all(
      grants.map(async (grant) => {
        try {
          await grant.atOnceOrLater(() => grant.take(40, 'the rest'))
          return 'done'
        } catch (error) {
          return (error as { readonly code?: string }).code
        } finally {
          grant.release()
        }
      }),
    )
    expect(outcomes).toEqual(['done', 'done', 'done', 'OVERLOADED', 'OVERLOADED'])
    expect([budget.granted, budget.refused]).toEqual([0, 2])
  })

  it('is refused at once and for good where it can never have room, and for now after 30 s', async () => {
    vi.useFakeTimers()
    const budget = new MemoryBudget(100)
    const [grant, other] = [new MemoryGrant(budget), new MemoryGrant(budget)]
    const alone = grant.atOnceOrLater(() => grant.take(101, 'a body'))
    await expect(alone).rejects.toMatchObject({ code: 'TOO_LARGE' })
    other.take(60, 'an answer')
    let isOver = false
    const late = expect(grant.atOnceOrLater(() => grant.take(50, 'a body'))).rejects.toMatchObject({
      code: 'OVERLOADED',
    })
    void late.then(() => (isOver = true))
    await vi.advanceTimersByTimeAsync(29_999)
    expect(isOver).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    await late
    expect(budget.refused).toBe(2)
  })

  it('has the room that those before it leave: one that is refused, and one that is no longer wanted', async () => {
    vi.useFakeTimers()
    const budget = new MemoryBudget(100)
    budget.take(90, 'an answer')
    const first = budget.awaitRoom(new NoRoom(95, 'no room'), { bytes: 0, waits: { number: 0, ms: 29_000 } })
    const [gone, last] = [new MemoryGrant(budget), new MemoryGrant(budget)]
    const goneWaits = expect(gone.atOnceOrLater(() => gone.take(20, 'a body'))).rejects.toMatchObject({
      code: 'CALLER_GONE',
    })
    const lastWaits = last.atOnceOrLater(() => last.take(20, 'a body'))
    gone.release()
    budget.give(20)
    await vi.advanceTimersByTimeAsync(1000)
    expect(await first).toBe('refused')
    await Promise.all([goneWaits, lastWaits])
    expect([gone.bytes, last.bytes, budget.granted]).toEqual([0, 20, 90])
  })

  it('does at once what it can do, and tells other errors', async () => {
    const grant = new MemoryGrant(new MemoryBudget(100))
    expect(grant.atOnceOrLater(() => grant.take(100, 'a body'))).toBeUndefined()
    const bug = grant.atOnceOrLater(() => {
      throw new TypeError('a bug')
    })
    await expect(bug).rejects.toThrow('a bug')
  })
})

/** Two requests that wait for each other's memory beside an answer that has not been read. */
function waitingForEachOther(): { budget: MemoryBudget; answer: MemoryGrant; outcomes: Promise<string[]> } {
  vi.useFakeTimers()
  const budget = new MemoryBudget(100)
  const answer = new MemoryGrant(budget)
  answer.noteAnswer(20)
  const grants = [1, 2].map(() => new MemoryGrant(budget))
  for (const grant of grants) grant.take(30, 'a part of a body')
  const outcomes = grants.map(async (grant) => {
    const outcome = grant
      .atOnceOrLater(() => grant.take(30, 'the rest'))!
      .then(
        () => 'done',
        (error: { readonly code: string }) => error.code,
      )
    void outcome.then(() => grant.release())
    return outcome
  })
  return { budget, answer, outcomes: Promise.all(outcomes) }
}

describe('memory that stands until a client gives it back', () => {
  it('keeps requests that wait for each other waiting for two seconds, and then the youngest gives way', async () => {
    const { budget, answer, outcomes } = waitingForEachOther()
    await vi.advanceTimersByTimeAsync(1999)
    expect(budget.granted).toBe(80)
    await vi.advanceTimersByTimeAsync(1)
    expect(await outcomes).toEqual(['done', 'OVERLOADED'])
    answer.release()
    expect([budget.granted, budget.standing]).toEqual([0, 0])
  })

  it('keeps them waiting no longer where small answers come and go', async () => {
    const { budget, answer, outcomes } = waitingForEachOther()
    for (let ms = 0; ms < 2100; ms += 50) {
      const small = new MemoryGrant(budget)
      small.noteAnswer(1)
      await vi.advanceTimersByTimeAsync(40)
      small.release()
      await vi.advanceTimersByTimeAsync(10)
    }
    expect(await outcomes).toEqual(['done', 'OVERLOADED'])
    answer.release()
  })

  it('lets them go on where it comes back before that', async () => {
    const { budget, answer, outcomes } = waitingForEachOther()
    await vi.advanceTimersByTimeAsync(1500)
    answer.release()
    await vi.advanceTimersByTimeAsync(0)
    expect(await outcomes).toEqual(['done', 'done'])
    expect([budget.granted, budget.standing, budget.refused]).toEqual([0, 0, 0])
  })
})

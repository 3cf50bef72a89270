import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { MemoryBudget } from '../../../src/gateway/limits/memory-budget.ts'
import type { Scanner } from '../../../src/gateway/reads/scanner.ts'
import { ScannerLeases } from '../../../src/gateway/reads/scanner-leases.ts'
import { NO_RESULTS, type ScanBatch } from '../../../src/model/results.ts'
import { type Call, OWN_CALL } from '../../../src/store/call.ts'

class CountingScanner implements Scanner {
  closed = 0
  async next(): Promise<ScanBatch> {
    return {
      results: NO_RESULTS,
      ended: 'scan',
      partial: undefined,
      cellsSeen: 0,
      rowsSeen: 0,
      position: undefined,
    }
  }
  async close(): Promise<void> {
    this.closed++
  }
}

function of(user: string): Call {
  return { ...OWN_CALL, principal: { user } }
}

function failing(): Promise<void> {
  return Promise.reject(new Error('the disk'))
}

interface Sleeper {
  close(): Promise<void>
  sleep(): Promise<void>
}

describe('scanner leases', () => {
  let now = 0
  let leases: ScannerLeases<string>
  beforeEach(() => {
    now = 1000
    leases = new ScannerLeases({ idleMs: 100, countMax: 2, now: () => now })
  })
  afterEach(() => leases.closeAll())

  test('keep a scanner and what belongs to it until it is closed', async () => {
    const scanner = new CountingScanner()
    const id = leases.open(scanner, 'extra', OWN_CALL)
    expect(await leases.use(id, OWN_CALL, async (held, extra) => [held === scanner, extra])).toEqual([
      true,
      'extra',
    ])
    expect(await leases.close(id, OWN_CALL)).toBe(true)
    expect(scanner.closed).toBe(1)
    expect(await leases.close(id, OWN_CALL)).toBe(false)
    await expect(leases.use(id, OWN_CALL, async () => 0)).rejects.toMatchObject({ code: 'UNKNOWN_SCANNER' })
  })

  test('close what idles too long, but not under a call that uses it', async () => {
    const scanner = new CountingScanner()
    const id = leases.open(scanner, '', OWN_CALL)
    now += 99
    await leases.sweep()
    expect(leases.has(id, OWN_CALL)).toBe(true)
    await leases.use(id, OWN_CALL, async () => {
      now += 1000
      await leases.sweep()
      expect(scanner.closed).toBe(0)
    })
    now += 100
    await leases.sweep()
    expect(scanner.closed).toBe(1)
  })

  test('go on behind a scanner that cannot be closed, and one that cannot sleep', async () => {
    const sleeping = new ScannerLeases<string, Sleeper>({
      idleMs: 100,
      sleepMs: 10,
      countMax: 9,
      now: () => now,
    })
    const asleep: string[] = []
    const sleep = (): Promise<void> => Promise.resolve(void asleep.push('asleep'))
    sleeping.open({ close: failing, sleep: failing }, '', OWN_CALL)
    sleeping.open({ close: failing, sleep }, '', OWN_CALL)
    now += 10
    await sleeping.sweep()
    expect(asleep).toEqual(['asleep'])
    now += 100
    await sleeping.sweep()
    expect(sleeping.size).toBe(0)
    await sleeping.closeAll()
  })

  test('have ids of a range, and after its last one those that are free', async () => {
    const ids = { first: 7, last: 9 }
    const ranged = new ScannerLeases({ idleMs: 100, countMax: 3, ids, now: () => now })
    expect([1, 2, 3].map(() => ranged.open(new CountingScanner(), '', OWN_CALL))).toEqual([7, 8, 9])
    await ranged.close(8, OWN_CALL)
    expect(ranged.open(new CountingScanner(), '', OWN_CALL)).toBe(8)
    await ranged.closeAll()
  })

  test('of one client are limited in number: its one unused for the longest goes', async () => {
    const all = new ScannerLeases({ idleMs: 100, countMax: 9, clientCountMax: 2, now: () => now })
    const at = { ...OWN_CALL, address: 'a' }
    const [first, second] = [new CountingScanner(), new CountingScanner()]
    const id = all.open(first, '', at)
    all.open(second, '', at)
    const others = all.open(new CountingScanner(), '', of('b'))
    await all.use(id, at, async () => 0)
    all.open(new CountingScanner(), '', at)
    expect([first.closed, second.closed, all.size, all.has(others, of('b'))]).toEqual([0, 1, 3, true])
    await all.closeAll()
  })

  test('of an IPv6 network are those of one client', async () => {
    const all = new ScannerLeases({ idleMs: 100, countMax: 4, clientCountMax: 1, now: () => now })
    const first = all.open(new CountingScanner(), '', { ...OWN_CALL, address: '2001:db8::1' })
    const other = all.open(new CountingScanner(), '', { ...OWN_CALL, address: '2001:db8:0:1::1' })
    all.open(new CountingScanner(), '', { ...OWN_CALL, address: '2001:db8::2' })
    expect([all.has(first, OWN_CALL), all.has(other, OWN_CALL)]).toEqual([false, true])
    await all.closeAll()
  })

  test('are unknown to all but the user who has opened them', async () => {
    const scanner = new CountingScanner()
    const id = leases.open(scanner, '', of('alice'))
    for (const other of [of('bob'), OWN_CALL]) {
      expect(leases.has(id, other)).toBe(false)
      expect(await leases.close(id, other)).toBe(false)
      await expect(leases.use(id, other, async () => 0)).rejects.toMatchObject({ code: 'UNKNOWN_SCANNER' })
    }
    expect(scanner.closed).toBe(0)
    expect(await leases.use(id, { ...of('alice'), address: 'another' }, async () => 'hers')).toBe('hers')
  })

  test('where too many are open, the client that holds the most gives up the one it has not used for the longest', async () => {
    const all = new ScannerLeases({ idleMs: 100, countMax: 3, now: () => now })
    const few = all.open(new CountingScanner(), '', of('few'))
    const many = [1, 2].map(() => all.open(new CountingScanner(), '', of('many')))
    all.open(new CountingScanner(), '', of('new'))
    expect(many.map((id) => all.has(id, of('many')))).toEqual([false, true])
    expect([all.has(few, of('few')), all.size]).toEqual([true, 3])
    await all.closeAll()
  })

  test('are refused where calls use all of them', async () => {
    const ids = [1, 2].map(() => leases.open(new CountingScanner(), '', OWN_CALL))
    const third = new CountingScanner()
    await leases.use(ids[0]!, OWN_CALL, () =>
      leases.use(ids[1]!, OWN_CALL, async () => {
        expect(() => leases.open(third, '', OWN_CALL)).toThrow('2 scanners')
      }),
    )
    expect([third.closed, ...ids.map((id) => leases.has(id, OWN_CALL))]).toEqual([1, true, true])
  })

  test('that are finished hold no place, and are known to their owners until they idle too long or are closed', async () => {
    const finished: number[] = []
    for (let i = 0; i < 5; i++) {
      const scanner = new CountingScanner()
      const id = leases.open(scanner, '', of('alice'))
      await leases.use(id, of('alice'), () => leases.finish(id, of('alice')))
      finished.push(id)
      expect([scanner.closed, leases.size]).toEqual([1, 0])
    }
    const [first, second] = finished
    now += 60
    expect([leases.isFinished(first!, of('alice')), leases.isFinished(first!, of('bob'))]).toEqual([
      true,
      false,
    ])
    expect([await leases.close(second!, of('alice')), await leases.close(second!, of('alice'))]).toEqual([
      true,
      false,
    ])
    now += 60
    expect(finished.map((id) => leases.isFinished(id, of('alice')))).toEqual([
      true,
      false,
      false,
      false,
      false,
    ])
  })

  test('expire at their time, also between two sweeps', async () => {
    const scanner = new CountingScanner()
    const id = leases.open(scanner, '', OWN_CALL)
    now += 100
    expect([leases.has(id, OWN_CALL), scanner.closed]).toEqual([false, 1])
  })

  test('sleep once in each pause, but not under a call', async () => {
    const sleepy = new ScannerLeases<string>({ idleMs: 100, sleepMs: 10, countMax: 2, now: () => now })
    let slept = 0
    const scanner = Object.assign(new CountingScanner(), { sleep: async () => void slept++ })
    const id = sleepy.open(scanner, '', OWN_CALL)
    await sleepy.use(id, OWN_CALL, async () => {
      now += 50
      await sleepy.sweep()
    })
    expect(slept).toBe(0)
    for (const pause of [10, 10, 0]) {
      now += pause
      await sleepy.sweep()
    }
    expect(slept).toBe(1)
    await sleepy.use(id, OWN_CALL, async () => 0)
    now += 10
    await sleepy.sweep()
    expect([slept, scanner.closed]).toEqual([2, 0])
    await sleepy.closeAll()
  })

  test('count the memory of their scans, and their scans may take a part of it', async () => {
    const memory = new MemoryBudget(8000)
    const all = new ScannerLeases({ idleMs: 100, countMax: 9, memory, now: () => now })
    const first = all.open(new CountingScanner(), '', of('a'), 600)
    expect(memory.granted).toBe(600)
    const second = all.open(new CountingScanner(), '', of('b'), 900)
    expect([all.has(first, of('a')), all.has(second, of('b')), memory.granted]).toEqual([false, true, 900])
    const large = new CountingScanner()
    expect(() => all.open(large, '', of('c'), 1001)).toThrow('the scan takes 1001 bytes')
    expect([large.closed, memory.granted]).toEqual([1, 0])
    await all.closeAll()
  })
})

test('leases do not end when the clock of the machine is set', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    const leases = new ScannerLeases({ idleMs: 60_000, countMax: 10 })
    const id = leases.open(
      { next: () => Promise.reject(new Error('unused')), close: async () => undefined },
      undefined,
      OWN_CALL,
    )
    vi.setSystemTime(Date.now() + 7_200_000)
    await leases.sweep()
    expect(leases.has(id, OWN_CALL)).toBe(true)
    await leases.closeAll()
  } finally {
    vi.useRealTimers()
  }
})

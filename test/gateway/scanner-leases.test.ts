import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Scanner } from '../../src/gateway/scanner.ts'
import { ScannerLeases } from '../../src/gateway/scanner-leases.ts'
import { NO_RESULTS, type ScanBatch } from '../../src/model/results.ts'

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
    const id = leases.open(scanner, 'extra')
    expect(await leases.use(id, async (held, extra) => [held === scanner, extra])).toEqual([true, 'extra'])
    expect(await leases.close(id)).toBe(true)
    expect(scanner.closed).toBe(1)
    expect(await leases.close(id)).toBe(false)
    await expect(leases.use(id, async () => 0)).rejects.toMatchObject({ code: 'UNKNOWN_SCANNER' })
  })

  test('close what idles too long, but not under a call that uses it', async () => {
    const scanner = new CountingScanner()
    const id = leases.open(scanner, '')
    now += 99
    await leases.sweep()
    expect(leases.has(id)).toBe(true)
    await leases.use(id, async () => {
      now += 1000
      await leases.sweep()
      expect(scanner.closed).toBe(0)
    })
    now += 100
    await leases.sweep()
    expect(scanner.closed).toBe(1)
  })

  test('have ids of a range, and after its last one those that are free', async () => {
    const ids = { first: 7, last: 9 }
    const ranged = new ScannerLeases({ idleMs: 100, countMax: 3, ids, now: () => now })
    expect([1, 2, 3].map(() => ranged.open(new CountingScanner(), ''))).toEqual([7, 8, 9])
    await ranged.close(8)
    expect(ranged.open(new CountingScanner(), '')).toBe(8)
    await ranged.closeAll()
  })

  test('of one client are limited in number, and do not count once they are closed', async () => {
    const all = new ScannerLeases({ idleMs: 100, countMax: 4, clientCountMax: 2, now: () => now })
    const first = all.open(new CountingScanner(), '', 'the address a')
    all.open(new CountingScanner(), '', 'the address a')
    const third = new CountingScanner()
    expect(() => all.open(third, '', 'the address a')).toThrow(
      'the address a holds 2 scanners, the most that one client may: close some, or raise --client-scanners-max',
    )
    expect(third.closed).toBe(1)
    all.open(new CountingScanner(), '', 'the user b')
    await all.close(first)
    all.open(new CountingScanner(), '', 'the address a')
    expect(() => all.open(new CountingScanner(), '', 'the address a')).toThrow('holds 2 scanners')
    now += 100
    await all.sweep()
    all.open(new CountingScanner(), '', 'the address a')
    await all.closeAll()
  })

  test('are limited in number', async () => {
    leases.open(new CountingScanner(), '')
    leases.open(new CountingScanner(), '')
    const third = new CountingScanner()
    expect(() => leases.open(third, '')).toThrow('2 scanners are open')
    expect(third.closed).toBe(1)
  })
})

test('leases do not end because somebody sets the time of the machine', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    const leases = new ScannerLeases({ idleMs: 60_000, countMax: 10 })
    const id = leases.open(
      { next: () => Promise.reject(new Error('unused')), close: async () => undefined },
      undefined,
    )
    vi.setSystemTime(Date.now() + 7_200_000)
    await leases.sweep()
    expect(leases.has(id)).toBe(true)
    await leases.closeAll()
  } finally {
    vi.useRealTimers()
  }
})

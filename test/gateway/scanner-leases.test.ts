import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Scanner } from '../../src/gateway/scanner.ts'
import { ScannerLeases } from '../../src/gateway/scanner-leases.ts'
import { NO_RESULTS, type ScanBatch } from '../../src/model/results.ts'
import { type Call, OWN_CALL } from '../../src/store/call.ts'

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

  test('have ids of a range, and after its last one those that are free', async () => {
    const ids = { first: 7, last: 9 }
    const ranged = new ScannerLeases({ idleMs: 100, countMax: 3, ids, now: () => now })
    expect([1, 2, 3].map(() => ranged.open(new CountingScanner(), '', OWN_CALL))).toEqual([7, 8, 9])
    await ranged.close(8, OWN_CALL)
    expect(ranged.open(new CountingScanner(), '', OWN_CALL)).toBe(8)
    await ranged.closeAll()
  })

  test('of one client are limited in number, and do not count once they are closed', async () => {
    const all = new ScannerLeases({ idleMs: 100, countMax: 4, clientCountMax: 2, now: () => now })
    const at = { ...OWN_CALL, address: 'a' }
    const first = all.open(new CountingScanner(), '', at)
    all.open(new CountingScanner(), '', at)
    const third = new CountingScanner()
    expect(() => all.open(third, '', at)).toThrow(
      'the address a holds 2 scanners, the most that one client may: close some, or raise --client-scanners-max',
    )
    expect(third.closed).toBe(1)
    all.open(new CountingScanner(), '', of('b'))
    await all.close(first, at)
    all.open(new CountingScanner(), '', at)
    expect(() => all.open(new CountingScanner(), '', at)).toThrow('holds 2 scanners')
    now += 100
    await all.sweep()
    all.open(new CountingScanner(), '', at)
    await all.closeAll()
  })

  test('of an IPv6 network are those of one client', async () => {
    const all = new ScannerLeases({ idleMs: 100, countMax: 4, clientCountMax: 1, now: () => now })
    all.open(new CountingScanner(), '', { ...OWN_CALL, address: '2001:db8::1' })
    expect(() => all.open(new CountingScanner(), '', { ...OWN_CALL, address: '2001:db8::2' })).toThrow(
      'the address 2001:db8:0:0::/64 holds 1 scanners',
    )
    all.open(new CountingScanner(), '', { ...OWN_CALL, address: '2001:db8:0:1::1' })
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

  test('are limited in number', async () => {
    leases.open(new CountingScanner(), '', OWN_CALL)
    leases.open(new CountingScanner(), '', OWN_CALL)
    const third = new CountingScanner()
    expect(() => leases.open(third, '', OWN_CALL)).toThrow('2 scanners are open')
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

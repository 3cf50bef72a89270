import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { MemoryBudget, MemoryGrant } from '../../src/gateway/memory-budget.ts'
import { ReceivedBytes } from '../../src/gateway/received-bytes.ts'

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
    const budget = new MemoryBudget(100 * MIB, collect)
    for (let i = 0; i < 10; i++) {
      budget.take(20 * MIB, 'a body')
      budget.give(20 * MIB)
    }
    expect(collect).toHaveBeenCalledTimes(4)
  })

  it('collects after a burst, once it is quiet', () => {
    vi.useFakeTimers()
    const collect = vi.fn()
    const budget = new MemoryBudget(1000 * MIB, collect)
    budget.take(50 * MIB, 'a body')
    budget.give(50 * MIB)
    vi.advanceTimersByTime(1999)
    expect(collect).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(collect).toHaveBeenCalledTimes(1)
  })
})

describe('received bytes', () => {
  it('are what was sent, in memory that was granted and is given back', () => {
    const pieces = fc.array(fc.uint8Array({ maxLength: 40_000 }), { maxLength: 12 })
    fc.assert(
      fc.property(pieces, fc.boolean(), (sent, isStated) => {
        const budget = new MemoryBudget()
        const grant = new MemoryGrant(budget)
        const whole = Buffer.concat(sent)
        const received = new ReceivedBytes(grant, isStated ? whole.length : undefined)
        for (const piece of sent) received.push(Buffer.from(piece))
        expect(received.whole().equals(whole)).toBe(true)
        const isOneChunk = sent.filter(({ length }) => length > 0).length < 2
        if (!isOneChunk) expect(budget.granted).toBeGreaterThanOrEqual(whole.length)
        if (isStated) expect(budget.granted).toBeLessThanOrEqual(Math.max(whole.length, 16 * 1024))
        grant.release()
        expect(budget.granted).toBe(0)
      }),
    )
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
    expect(() => received.push(Buffer.alloc(500_000))).toThrow('no memory for a request body')
  })
})

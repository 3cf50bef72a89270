/** Requests that want much of the memory, beside others, and beside memory that open scanners keep. */

import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { MemoryBudget } from '../../../src/gateway/limits/memory-budget.ts'
import { MemoryGrant } from '../../../src/gateway/limits/memory-grant.ts'
import type { Need } from '../../../src/gateway/limits/memory-line.ts'
import { isHBaseError } from '../../../src/model/errors.ts'

const MIB = 1024 * 1024
const BYTES_MAX = 400 * MIB

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function standing(budget: MemoryBudget, bytes: number): void {
  new MemoryGrant(budget, true).take(bytes, 'a scanner')
}

class Asked {
  readonly grant: MemoryGrant
  outcome = ''

  constructor(budget: MemoryBudget, held: number, bytes: number, need: Need = 'arrival') {
    this.grant = new MemoryGrant(budget)
    this.grant.note(held)
    const later = this.grant.atOnceOrLater(() => this.grant.take(bytes, 'a request', need))
    if (later === undefined) this.outcome = 'at once'
    later?.then(
      () => {
        this.outcome = 'taken'
      },
      (error: unknown) => {
        this.outcome = isHBaseError(error) ? error.code : String(error)
      },
    )
  }
}

test('others pass a request that cannot have its memory beside that of open scanners', () => {
  const budget = new MemoryBudget(BYTES_MAX)
  standing(budget, 20 * MIB)
  expect(new Asked(budget, 22 * MIB, 360 * MIB).outcome).toBe('')
  expect(new Asked(budget, 0, MIB).outcome).toBe('at once')
})

test('others wait some seconds behind one that waits for the memory of a slow client, no more', async () => {
  const budget = new MemoryBudget(BYTES_MAX)
  expect(new Asked(budget, 0, 256 * MIB).outcome).toBe('at once')
  const first = new Asked(budget, 0, 256 * MIB)
  const behind = new Asked(budget, 0, MIB)
  await vi.advanceTimersByTimeAsync(4900)
  expect([first.outcome, behind.outcome]).toEqual(['', ''])
  await vi.advanceTimersByTimeAsync(200)
  expect([first.outcome, behind.outcome]).toEqual(['', 'taken'])
})

test('a request for which there is room is not refused so that a larger one can go on', async () => {
  const budget = new MemoryBudget(BYTES_MAX)
  const running = new Asked(budget, 0, 100 * MIB)
  const large = new Asked(budget, 22 * MIB, 360 * MIB)
  const small = new Asked(budget, 20 * MIB, 40 * MIB)
  await vi.advanceTimersByTimeAsync(1)
  expect([large.outcome, small.outcome]).toEqual(['', 'taken'])
  running.grant.release()
  small.grant.release()
  await vi.advanceTimersByTimeAsync(1)
  expect(large.outcome).toBe('taken')
})

test('a request goes on where a larger one does, with any memory standing and running', () => {
  const size = fc.integer({ min: 0, max: 400 })
  fc.assert(
    fc.property(size, size, size, size, fc.constantFrom<Need>('change', 'arrival'), (...drawn) => {
      const [stands, runs, one, other, need] = drawn
      const [smaller, larger] = [Math.min(one, other), Math.max(one, other)]
      const budget = new MemoryBudget(BYTES_MAX)
      budget.noteStanding(stands * MIB)
      budget.note(runs * MIB)
      const allows = (bytes: number): boolean => budget.allows(bytes * MIB, need, 0)
      expect(allows(larger) && !allows(smaller)).toBe(false)
      // Alone it may have all that does not stand.
      if (runs === 0) expect(allows(smaller)).toBe(smaller <= 400 - stands)
    }),
  )
})

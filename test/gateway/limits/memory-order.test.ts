/** The order in which requests get memory that many want. */

import { expect, test } from 'vitest'
import { MemoryBudget } from '../../../src/gateway/limits/memory-budget.ts'
import { MemoryGrant } from '../../../src/gateway/limits/memory-grant.ts'
import { requestMemory } from '../../../src/gateway/limits/store-memory.ts'

const MIB = 1024 * 1024

test('leaves a part of itself to changes of calls that have begun, which all end', async () => {
  const budget = new MemoryBudget(96 * MIB)
  const memory = requestMemory(budget)
  let done = 0
  /** A request of 8 MB that needs 16 MB more once it runs. */
  const client = async (): Promise<void> => {
    const grant = new MemoryGrant(budget)
    await grant.atOnceOrLater(() => grant.take(8 * MIB, 'a request', 'arrival'))
    await new Promise((resolve) => setImmediate(resolve))
    if (!memory.tryTake(16 * MIB, grant.bytes)) await memory.takeLater(16 * MIB, grant, undefined)
    await new Promise((resolve) => setImmediate(resolve))
    memory.give(16 * MIB)
    grant.release()
    done++
  }
  await Promise.all(Array.from({ length: 24 }, client))
  expect([done, budget.granted, budget.refused]).toEqual([24, 0, 0])
})

test('lets small requests pass larger ones that wait', () => {
  const budget = new MemoryBudget(100 * MIB)
  const [large, waiting, small] = [1, 2, 3].map(() => new MemoryGrant(budget))
  large!.take(74 * MIB, 'a request', 'arrival')
  void waiting!.atOnceOrLater(() => waiting!.take(8 * MIB, 'a request', 'arrival'))?.catch(() => undefined)
  expect(budget.isWaitedFor).toBe(true)
  expect(small!.atOnceOrLater(() => small!.take(100_000, 'a request', 'arrival'))).toBeUndefined()
  expect(() => small!.take(MIB, 'a request', 'arrival')).toThrow('no memory')
  waiting!.release()
})

test('gives a request its memory back before others that wait, as it passes from one part of the server to the next', async () => {
  const budget = new MemoryBudget(100 * MIB)
  const grants = [1, 2].map(() => new MemoryGrant(budget))
  grants[0]!.take(70 * MIB, 'a request', 'arrival')
  const waits = grants[1]!.atOnceOrLater(() => grants[1]!.take(60 * MIB, 'a request', 'arrival'))
  grants[0]!.give(70 * MIB)
  grants[0]!.take(70 * MIB, 'a call', 'arrival')
  grants[0]!.release()
  await waits
  expect(budget.granted).toBe(60 * MIB)
})

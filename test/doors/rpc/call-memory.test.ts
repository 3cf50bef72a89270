import { expect, test } from 'vitest'
import { takeForCall } from '../../../src/doors/rpc/call-memory.ts'
import { MemoryBudget } from '../../../src/gateway/memory-budget.ts'
import { MemoryGrant } from '../../../src/gateway/memory-grant.ts'

const FRAME = Buffer.alloc(1_000_000)

test('a call that waits for memory counts with its frame meanwhile, and as refused only once it is', async () => {
  const memory = new MemoryBudget(4_000_000)
  memory.note(3_000_000)
  const grant = new MemoryGrant(memory)
  const waits = takeForCall(grant, FRAME, memory)
  expect(waits).toBeInstanceOf(Promise)
  expect(memory.granted).toBe(4_000_000)
  memory.give(1_000_000)
  await waits
  expect([memory.granted, memory.refused]).toEqual([4_000_000, 0])
  grant.release()
})

test('a call has its memory at once where there is some', () => {
  const memory = new MemoryBudget(4_000_000)
  const grant = new MemoryGrant(memory)
  expect(takeForCall(grant, FRAME, memory)).toBeUndefined()
  expect(memory.granted).toBe(2_000_000)
})

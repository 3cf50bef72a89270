import { expect, test } from 'vitest'
import { takeForCall } from '../../../../src/doors/rpc/connection/call-memory.ts'
import { MemoryBudget } from '../../../../src/gateway/limits/memory-budget.ts'
import { MemoryGrant } from '../../../../src/gateway/limits/memory-grant.ts'

const FRAME = Buffer.alloc(1_000_000)

test('a call that waits for memory counts with its frame meanwhile, and as refused only once it is', async () => {
  const memory = new MemoryBudget(4_000_000)
  memory.note(3_000_000)
  const grant = new MemoryGrant(memory)
  const waits = takeForCall(grant, FRAME, memory)
  expect(waits).toBeInstanceOf(Promise)
  expect(memory.granted).toBe(4_000_000)
  // A quarter of the memory is kept from calls that have not begun.
  memory.give(2_000_000)
  await waits
  expect([memory.granted, memory.refused]).toEqual([3_000_000, 0])
  grant.release()
})

test('a call that no wait would give memory to is refused for good, with the limit', async () => {
  const memory = new MemoryBudget(1_900_000)
  const grant = new MemoryGrant(memory)
  const refusal = {
    code: 'TOO_LARGE',
    message: expect.stringMatching(/2000000 bytes .* of 1900000 bytes .* --memory-max/),
  }
  await expect(takeForCall(grant, FRAME, memory)).rejects.toMatchObject(refusal)
  expect([memory.granted, memory.refused]).toEqual([0, 1])
  grant.take(1_000_000, 'what the call has')
  expect(() => grant.take(1_000_000, 'what the call has')).toThrow(expect.objectContaining(refusal))
  memory.note(1_000_000)
  expect(() => grant.take(500_000, 'what the call has')).toThrow(
    expect.objectContaining({ code: 'OVERLOADED' }),
  )
})

test('a call has its memory at once where there is some', () => {
  const memory = new MemoryBudget(4_000_000)
  const grant = new MemoryGrant(memory)
  expect(takeForCall(grant, FRAME, memory)).toBeUndefined()
  expect(memory.granted).toBe(2_000_000)
})

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test, vi } from 'vitest'
import { sharedBytes, sharedMemory } from '../../src/model/shared-memory.ts'

const BYTES = 3 * 1024 * 1024

test('counts shared memory until it is collected', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  setFlagsFromString('--no-expose-gc')
  const before = sharedBytes()
  // Memory that this function still named would not be collected.
  const make = (): number => sharedMemory(BYTES).length
  expect(make()).toBe(BYTES)
  const kept = sharedMemory(1024)
  expect(sharedBytes() - before).toBe(BYTES + 1024)
  await vi.waitFor(() => {
    collect()
    expect(sharedBytes() - before).toBeLessThanOrEqual(1024)
  })
  expect(kept.buffer).toBeInstanceOf(SharedArrayBuffer)
})

import { readFileSync } from 'node:fs'
import { getEnvironmentData } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { hasOwnMemory, mapBlocksFrom, ownMemory, someMemory } from '../../src/model/mapped-memory.ts'
import { movable } from '../../src/model/moved-memory.ts'

const MIB = 1024 * 1024

function residentBytes(): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) * 1024
}

test('buffers have the length that was asked for', () => {
  for (const bytes of [0, 1, 4 * MIB - 1, 4 * MIB, 9 * MIB, 33 * MIB, 40 * MIB]) {
    expect(ownMemory(bytes).length).toBe(bytes)
    expect(someMemory(bytes).length).toBe(bytes)
  }
})

test('a buffer of some megabytes moves to another thread as it is, a part of it as a copy', () => {
  const whole = ownMemory(9 * MIB)
  expect(hasOwnMemory(whole)).toBe(true)
  expect(movable(whole, 5 * MIB).buffer).toBe(whole.buffer)
  const part = whole.subarray(0, 8 * MIB)
  expect(hasOwnMemory(part)).toBe(false)
  expect(movable(part).buffer).not.toBe(whole.buffer)
})

test('a buffer in a pool has not its own memory', () => {
  expect(hasOwnMemory(someMemory(100))).toBe(false)
  expect(hasOwnMemory(ownMemory(100))).toBe(true)
})

test.skipIf(process.platform !== 'linux')('what nobody touches takes no memory', () => {
  const before = residentBytes()
  const buffers = Array.from({ length: 20 }, () => ownMemory(5 * MIB))
  for (const buffer of buffers) buffer[0] = 1
  expect(residentBytes() - before).toBeLessThan(50 * MIB)
  expect(buffers.length).toBe(20)
})

test('a buffer of some megabytes is in a block that glibc always maps, a small one is not', () => {
  expect(ownMemory(5 * MIB).buffer.byteLength).toBeGreaterThan(32 * MIB)
  expect(someMemory(5 * MIB).buffer.byteLength).toBeGreaterThan(32 * MIB)
  expect(ownMemory(MIB).buffer.byteLength).toBe(MIB)
})

test('with little memory blocks of a megabyte are mapped, too, in threads as well', () => {
  mapBlocksFrom(MIB)
  try {
    expect(ownMemory(MIB).buffer.byteLength).toBeGreaterThan(32 * MIB)
    expect(ownMemory(MIB - 1).buffer.byteLength).toBe(MIB - 1)
    // A thread reads it where it loads the module.
    expect(getEnvironmentData('tidegate.mapped-from-bytes')).toBe(MIB)
  } finally {
    mapBlocksFrom(4 * MIB)
  }
})

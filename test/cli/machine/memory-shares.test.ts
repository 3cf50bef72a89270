import { expect, test } from 'vitest'
import { parseBytes } from '../../../src/cli/flags/byte-size.ts'
import {
  mappedFrom,
  nativeMemory,
  requestsMemory,
  smallMemoryWarning,
} from '../../../src/cli/machine/memory-shares.ts'
import { parsedSettings } from '../parsed-settings.ts'

const MIB = 1024 * 1024

test('a size is bytes, or k, m or g', () => {
  expect(['0', '1000', '4k', '512m', '2G', '2gb'].map((text) => parseBytes(text))).toEqual([
    0,
    1000,
    4096,
    512 * 1024 ** 2,
    2 * 1024 ** 3,
    2 * 1024 ** 3,
  ])
  for (const text of ['', '-1', '1.5g', '10%', 'm', '999999999999g'])
    expect(() => parseBytes(text)).toThrow('It must be a number of bytes')
})

test('the parts together are the whole, down to 256 MiB', () => {
  for (const memoryMax of [256 * MIB, 768 * MIB, 4096 * MIB, 65536 * MIB]) {
    const { blockCacheBytes } = parsedSettings('--memory-max', String(memoryMax))
    const native = nativeMemory(memoryMax, { blockCacheBytes })
    const requests = requestsMemory(memoryMax, native)
    const parts = [
      native.memstoreBytesMax,
      native.flushBytes,
      native.heldSnapshotBytesMax,
      native.awakeBytesMax,
      native.blockCacheBytes,
    ]
    const left = memoryMax - parts.reduce((sum, part) => sum + part, requests)
    expect(left).toBeGreaterThanOrEqual(160 * MIB)
    expect(left).toBeLessThan(161 * MIB)
    expect(requests).toBeGreaterThan(memoryMax / 8)
  }
})

test('so little memory that large values may take more is warned of', () => {
  expect(smallMemoryWarning(383 * MIB)).toMatch(
    /^--memory-max 383m is little: .* may take up to 384m\. State 384m or more/,
  )
  expect(smallMemoryWarning(384 * MIB)).toBe(undefined)
})

test('below a gigabyte smaller blocks go back to the system at once, too', () => {
  expect(mappedFrom(1024 * MIB - 1)).toBe(MIB)
  expect(mappedFrom(1024 * MIB)).toBe(4 * MIB)
})

test('what is stated goes before the shares', () => {
  const stated = { memstoreBytesMax: 100 * MIB, flushBytes: 10 * MIB, blockCacheBytes: 300 * MIB }
  expect(nativeMemory(1024 * MIB, stated)).toMatchObject(stated)
})

test('a server without memory for requests does not start, and says why', () => {
  const native = nativeMemory(512 * MIB, { blockCacheBytes: 512 * MIB })
  expect(() => requestsMemory(512 * MIB, native)).toThrow(
    /--memory-max 512m leaves no memory for requests: .* Raise it to 973m, or give less to memstores and block cache/,
  )
  const [least, less] = [196 * MIB, 195 * MIB]
  expect(requestsMemory(least, nativeMemory(least, {}))).toBeGreaterThan(16 * MIB)
  expect(() => requestsMemory(less, nativeMemory(less, {}))).toThrow(
    /^--memory-max 195m leaves no memory for requests: .* Raise it to 196m, or/,
  )
  expect(() => requestsMemory(10, nativeMemory(10, {}))).toThrow(
    /^--memory-max 10 leaves .* Raise it to 196m, or/,
  )
  expect(() => requestsMemory(10 * MIB, undefined)).toThrow(/--memory-max 10m leaves .* Raise it to 112m$/)
  expect(requestsMemory(112 * MIB, undefined)).toBe(16 * MIB)
})

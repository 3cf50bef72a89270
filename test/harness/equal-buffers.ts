import { expect } from 'vitest'

let isAdded = false

/**
 * Makes `toEqual` compare two buffers as a whole; vitest by itself takes 5 microseconds for each of their bytes. Vitest asks
 * every tester that was ever added, so a worker adds this one once.
 */
export function compareBuffersAsWhole(): void {
  if (!isAdded) expect.addEqualityTesters([areBuffersEqual])
  isAdded = true
}

function areBuffersEqual(a: unknown, b: unknown): boolean | undefined {
  return Buffer.isBuffer(a) && Buffer.isBuffer(b) ? a.equals(b) : undefined
}

import { someMemory } from './mapped-memory.ts'

/**
 * A larger buffer that begins with the first `used` bytes of a full one and has room for `needed`. It at least doubles,
 * so that a buffer which is written bit by bit copies each of its bytes about once, up to `bytesMax`.
 */
export function grownBuffer(full: Buffer, used: number, needed: number, bytesMax?: number): Buffer {
  const doubled = Math.min(full.length * 2, bytesMax ?? Number.POSITIVE_INFINITY)
  const grown = someMemory(Math.max(doubled, needed))
  full.copy(grown, 0, 0, used)
  return grown
}

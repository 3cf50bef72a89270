/**
 * A file of the simulated disk. The operating system has all of it; the disk has what the last sync wrote, and any part of what came later:
 * each block on its own, the size on its own, as a file system with delayed allocation leaves them at a power loss.
 */

import type { RandomSource } from '../../../adapters/native/platform/file-system.ts'

/** So many states since the last sync are kept; a block on disk may be of any of them. */
const STATES_MAX = 6

export class MemoryFile {
  /** What the disk surely has; then what the file was after later writes, oldest first. Never empty. */
  #states: readonly Buffer[]

  constructor(states: readonly Buffer[] = [Buffer.alloc(0)]) {
    this.#states = states
  }

  get bytes(): Buffer {
    return this.#states.at(-1)!
  }

  write(bytes: Buffer): void {
    const [synced, ...later] = this.#states as [Buffer, ...Buffer[]]
    this.#states = [synced, ...later.slice(later.length < STATES_MAX ? 0 : 1), bytes]
  }

  /** Begins a sync of what was written so far; the disk has it once the returned function has been called. */
  beginSync(): () => void {
    const { bytes } = this
    return () => {
      const at = this.#states.indexOf(bytes)
      // Another sync may have gone past it.
      if (at > 0) this.#states = this.#states.slice(at)
    }
  }

  /** As a killed process leaves it. */
  copy(): MemoryFile {
    return new MemoryFile(this.#states.map((bytes) => Buffer.from(bytes)))
  }

  /** As a power loss may leave it. Where `random` returns 0 the disk has what was synced, where it returns almost 1 all that was written. */
  afterPowerLoss(random: RandomSource, blockBytes: number): MemoryFile {
    const states = this.#states
    if (states.length === 1) return this.copy()
    const draw = (): Buffer => states[Math.floor(random() * states.length)]!
    const bytes = Buffer.alloc(draw().length)
    for (let at = 0; at < bytes.length; at += blockBytes)
      draw()
        .subarray(at, at + blockBytes)
        .copy(bytes, at)
    return new MemoryFile([bytes])
  }
}

/** Copies each file once, so that its names share the copy. */
export function copier(copy: (file: MemoryFile) => MemoryFile): (file: MemoryFile) => MemoryFile {
  const copies = new Map<MemoryFile, MemoryFile>()
  return (file) => {
    const known = copies.get(file) ?? copy(file)
    copies.set(file, known)
    return known
  }
}

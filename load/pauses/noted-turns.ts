import { openSync, readSync } from 'node:fs'

/** Milliseconds of the processor from which on a turn is noted. */
export const NOTED_MS = 20

const READ_BYTES = 1 << 20

/** In milliseconds of the processor. */
export interface LongestTurn {
  /** Of the turn that took longest without its collections of garbage. */
  readonly ms: number
  /** Of the turn that took longest with them. */
  readonly withCollectionsMs: number
}

/** Reads what a probed server has noted. */
export class NotedTurns {
  readonly #file: number
  #at = 0

  constructor(path: string) {
    this.#file = openSync(path, 'a+')
  }

  /** Since this was last asked; zeros where no turn is noted. */
  longest(): LongestTurn {
    const bytes = Buffer.alloc(READ_BYTES)
    const length = readSync(this.#file, bytes, 0, READ_BYTES, this.#at)
    this.#at += length
    let [ms, withCollectionsMs] = [0, 0]
    for (const line of bytes.toString('latin1', 0, length).split('\n')) {
      const [all = 0, collected = 0] = line.split(' ').map(Number)
      ms = Math.max(ms, all - collected)
      withCollectionsMs = Math.max(withCollectionsMs, all)
    }
    return { ms, withCollectionsMs }
  }
}

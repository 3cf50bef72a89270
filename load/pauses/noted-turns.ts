import { openSync, readSync } from 'node:fs'

/** Milliseconds of the processor from which on a turn is noted. */
export const NOTED_MS = 20

const READ_BYTES = 1 << 20

/** Reads what a probed server has noted. */
export class NotedTurns {
  readonly #file: number
  #at = 0

  constructor(path: string) {
    this.#file = openSync(path, 'a+')
  }

  /** Milliseconds of the processor that the longest turn took since this was last asked; 0 where none is noted. */
  longest(): number {
    const bytes = Buffer.alloc(READ_BYTES)
    const length = readSync(this.#file, bytes, 0, READ_BYTES, this.#at)
    this.#at += length
    return Math.max(0, ...bytes.toString('latin1', 0, length).split('\n').map(Number))
  }
}

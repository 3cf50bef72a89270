/** Changes in an array, for tests of their senders. Positions are indexes: change n has the sequence id n + 1. */

import { HBaseError } from '../../src/model/errors.ts'
import type { Call } from '../../src/store/call.ts'
import type {
  Change,
  Changes,
  LogHold,
  PartOfChanges,
  TableMarks,
  WantedChanges,
} from '../../src/store/changes.ts'

export class FakeChanges implements Changes {
  readonly made: Change[] = []
  readonly holds: Map<string, LogHold> = new Map()
  /** Calls of holdLog: name and position. */
  readonly moves: [string, number][] = []
  /** The bytes that each read asked for. */
  readonly wanted: number[] = []
  /** When all changes were made: milliseconds since 1970. */
  madeAt: number | undefined = 1
  #waiting: (() => void)[] = []

  add(...changes: readonly Omit<Change, 'sequenceId'>[]): void {
    for (const change of changes) this.made.push({ ...change, sequenceId: this.made.length + 1 })
    for (const wake of this.#waiting.splice(0)) wake()
  }

  /** Lets go of the log, as a store does that would keep too much of it. */
  lose(name: string, loss: string): void {
    this.holds.set(name, { ...this.holds.get(name)!, loss })
  }

  async lastChange(): Promise<number> {
    return this.made.length
  }

  async firstPosition(): Promise<number> {
    return 0
  }

  async readChanges(position: number, { bytes }: WantedChanges, { signal }: Call): Promise<PartOfChanges> {
    this.wanted.push(bytes)
    await this.#added(position, signal)
    if (signal?.aborted === true) throw new HBaseError('CALLER_GONE', 'the client has hung up')
    const changes: Change[] = []
    let read = 0
    for (const change of this.made.slice(position)) {
      if (changes.length > 0 && read >= bytes) break
      changes.push(change)
      read += change.cells.byteLength
    }
    const end = position + changes.length
    const left = this.#bytesBehind(end)
    return { changes, position: end, left, waitingSince: left > 0 ? this.madeAt : undefined }
  }

  async #added(position: number, signal: AbortSignal | undefined): Promise<void> {
    if (this.made.length > position || signal?.aborted === true) return
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve)
      signal?.addEventListener('abort', () => resolve(), { once: true })
    })
    await this.#added(position, signal)
  }

  async tableMarks(): Promise<TableMarks> {
    return { version: '', tables: [] }
  }

  async logHolds(): Promise<LogHold[]> {
    return [...this.holds.values()].map((hold) => {
      const left = this.#bytesBehind(hold.position)
      const waitingSince = left > 0 ? this.madeAt : undefined
      return { ...hold, left: hold.loss === undefined ? left : 0, waitingSince }
    })
  }

  #bytesBehind(position: number): number {
    return this.made.slice(position).reduce((sum, { cells }) => sum + cells.byteLength, 0)
  }

  async holdLog(name: string, position: number | undefined, keepBytesMax: number): Promise<number> {
    const at = position ?? this.holds.get(name)?.position ?? this.made.length
    this.holds.set(name, { name, position: at, keepBytesMax, left: 0, loss: undefined, unlogged: [] })
    this.moves.push([name, at])
    return at
  }

  async releaseLog(name: string): Promise<void> {
    this.holds.delete(name)
  }
}

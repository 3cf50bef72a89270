import type { OpenFile } from '../platform/file-system.ts'

/** Syncs one file: calls during a sync share the next one. Knows how much of the file is on disk. */
export class CoalescedSync {
  /** The disk has the file up to here. */
  syncedBytes = 0
  readonly #file: OpenFile
  readonly #bytes: () => number
  /** After a sync that failed, a later one does not say what the disk has. */
  hasFailed = false
  #running: Promise<void> | undefined
  #next: Promise<void> | undefined

  /** `bytes` returns the present length of the file. */
  constructor(file: OpenFile, bytes: () => number) {
    this.#file = file
    this.#bytes = bytes
  }

  /** Resolves once everything appended before the call is on disk. */
  sync(): Promise<void> {
    if (this.#running === undefined) return this.#start()
    // A failed sync fails its own callers only.
    this.#next ??= this.#running.catch(() => undefined).then(() => this.#start())
    return this.#next
  }

  #start(): Promise<void> {
    this.#next = undefined
    const running = this.#sync().finally(() => {
      if (this.#running === running) this.#running = undefined
    })
    this.#running = running
    return running
  }

  async #sync(): Promise<void> {
    const bytes = this.#bytes()
    try {
      await this.#file.sync()
    } catch (error) {
      this.hasFailed = true
      throw error
    }
    if (!this.hasFailed) this.syncedBytes = Math.max(this.syncedBytes, bytes)
  }
}

import type { OpenFile } from '../platform/file-system.ts'

/** Syncs one file: calls during a sync share the next one. */
export class CoalescedSync {
  readonly #file: OpenFile
  #running: Promise<void> | undefined
  #next: Promise<void> | undefined

  constructor(file: OpenFile) {
    this.#file = file
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
    const running = this.#file.sync().finally(() => {
      if (this.#running === running) this.#running = undefined
    })
    this.#running = running
    return running
  }
}

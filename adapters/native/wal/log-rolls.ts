/**
 * Goes on to the next file of the log once the present one is large. Each file is on disk to its last byte before the next one has a
 * record, so that commits have to wait meanwhile. Most of the work is done before that, while the present file is still written: the next
 * file is made, and what is not on disk yet is synced.
 */

import { isInDoubt } from '../manifest/manifest-doubt.ts'
import type { WalOptions } from '../options/wal-options.ts'
import type { NativeLog } from '../platform/native-log.ts'
import type { CurrentLog } from './current-log.ts'
import type { LogFiles } from './log-files.ts'

export interface LogRollsParts {
  readonly files: LogFiles
  readonly options: WalOptions
  readonly log: NativeLog
  /** Whether the log takes no records. */
  readonly hasFailed: () => boolean
  /** Called where the log must take no more records. */
  readonly fail: (error: unknown) => void
  /** Called after the log has gone on to its next file. */
  readonly onRoll: () => void
  /** Called once commits need not wait any more. */
  readonly resume: () => void
  /** While records are written in several turns: a roll waits for their end. */
  readonly written: () => Promise<void> | undefined
}

export class LogRolls {
  readonly #parts: LogRollsParts
  #preparing: Promise<void> | undefined
  #rolling: Promise<void> | undefined
  /** After a failed roll, the size at which to try again. */
  #rollAtBytes = 0

  constructor(parts: LogRollsParts) {
    this.#parts = parts
  }

  /** Commits wait until `resume` is called. */
  get isRolling(): boolean {
    return this.#rolling !== undefined
  }

  /** Resolves once no roll is under way. */
  async settled(): Promise<void> {
    await this.#preparing
    await this.#rolling
  }

  /** Called after a commit: limits the bytes that are not on disk yet, and the size of the file. */
  committed(current: CurrentLog): void {
    // The commit that a roll waited for: the next file is about to come.
    if (this.isRolling) return
    const { options, fail } = this.#parts
    const { log } = current
    if (log.bytes >= Math.max(options.logBytesMax, this.#rollAtBytes)) {
      this.#preparing ??= this.#prepare(current).finally(() => {
        this.#preparing = undefined
      })
    } else if (log.bytes - current.syncBegunBytes >= options.syncEveryBytes) {
      current.syncBegunBytes = log.bytes
      current.syncer.sync().catch(fail)
    }
  }

  async #prepare(current: CurrentLog): Promise<void> {
    const { files, hasFailed, fail, resume } = this.#parts
    await files.prepareRoll().catch(fail)
    if (hasFailed() || files.current !== current) return
    this.#rolling = this.#rollOnceWritten(current).finally(() => {
      this.#rolling = undefined
      resume()
    })
  }

  /** Commits wait already: else the records that come while others are written would keep the roll waiting on and on. */
  async #rollOnceWritten(current: CurrentLog): Promise<void> {
    const { hasFailed, written } = this.#parts
    await written()
    if (!hasFailed()) await this.#roll(current)
  }

  async #roll(current: CurrentLog): Promise<void> {
    const { files, options, log, fail, onRoll } = this.#parts
    try {
      await current.syncer.sync()
    } catch (error) {
      fail(error)
      return
    }
    try {
      await files.begin()
      this.#rollAtBytes = 0
      onRoll()
    } catch (error) {
      if (isInDoubt(error)) {
        // A start would read the present file only up to its length in the list.
        fail(error)
        return
      }
      // The present file can still be written.
      this.#rollAtBytes = current.log.bytes + options.syncEveryBytes
      log('warn', 'the write-ahead log could not go on to its next file', { error })
    }
  }
}

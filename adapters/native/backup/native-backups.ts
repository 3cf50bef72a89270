/** Moments of the store that clients copy away. */

import { HBaseError } from '../../../src/model/errors.ts'
import { SerialQueue } from '../../../src/model/serial-queue.ts'
import { BACKUP_READ_BYTES_MAX, type Backups, type KeptMoment } from '../../../src/store/backups.ts'
import type { Call } from '../../../src/store/call.ts'
import { FILE_NAME, MOMENT_LIST } from '../../../src/store/kept-moment.ts'
import type { Engine } from '../engine/engine.ts'
import { momentDirectory } from '../layout/moment-directory.ts'
import { newClusterId } from '../manifest/cluster-id.ts'
import { monotonicMs } from '../platform/file-system.ts'
import { LastBackup } from './last-backup.ts'
import { linkMoment } from './linked-moment.ts'

/** A client that asks for nothing for so long is gone: one that copies the files by itself asks once a minute. */
const IDLE_MS_MAX = 5 * 60_000
/** Moments that are kept at a time: each keeps store files from being freed. */
const MOMENTS_MAX = 16

interface Kept {
  readonly directory: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
  usedAt: number
  /** Reads under way. */
  reads: number
}

export class NativeBackups implements Backups {
  readonly last: LastBackup
  readonly #engine: Engine
  readonly #kept = new Map<string, Kept>()
  readonly #queue = new SerialQueue()

  constructor(engine: Engine) {
    this.#engine = engine
    this.last = new LastBackup(engine)
  }

  beginBackup(call: Call): Promise<KeptMoment> {
    const { calls } = this.#engine
    return calls.change(call, () =>
      this.#queue.run(() => {
        calls.checkIsAwaited(call)
        return this.#beginBackup(call)
      }),
    )
  }

  async #beginBackup(call: Call): Promise<KeptMoment> {
    const { catalogLog, clock, directory: root, flusher, log, random, tables, calls } = this.#engine
    if (this.#kept.size >= MOMENTS_MAX)
      throw new HBaseError(
        'DO_NOT_RETRY',
        `${MOMENTS_MAX} backups are under way: wait for one of them to end`,
      )
    try {
      // Rows that skip the log are in the backup, too, and a restored store has little to replay.
      await flusher.flushAll([...tables.regions.values()], () => calls.checkIsAwaited(call))
    } catch (error) {
      calls.checkIsAwaited(call)
      log('warn', 'a backup begins without a flush: rows that skip the log may be missing in it', { error })
    }
    const id = newClusterId(random)
    const directory = momentDirectory(root, catalogLog.takeNumber())
    const createdAt = clock.now()
    await linkMoment(this.#engine, directory, id)
    this.#kept.set(id, { directory, createdAt, usedAt: monotonicMs(clock), reads: 0 })
    return { id, folder: directory, list: MOMENT_LIST }
  }

  async readBackup(id: string, file: string, offset: number, length: number, call: Call): Promise<Buffer> {
    const { calls, clock, fileSystem } = this.#engine
    calls.check(call)
    const kept = this.#kept.get(id)
    if (kept === undefined) {
      const message =
        'the moment of this backup is not kept any more: the server has been started anew, or the backup has paused for long. Run it again: what is copied stays'
      throw new HBaseError('DO_NOT_RETRY', message)
    }
    const isPart =
      Number.isSafeInteger(offset) && offset >= 0 && length > 0 && length <= BACKUP_READ_BYTES_MAX
    const path = `${kept.directory}/${file}`
    if (!isPart || !FILE_NAME.test(file) || !fileSystem.exists(path))
      throw new HBaseError(
        'ILLEGAL_ARGUMENT',
        `the moment has no such part: ${file}, ${length} bytes from ${offset} on`,
      )
    kept.reads++
    try {
      return await fileSystem.readAside(path, offset, length)
    } finally {
      kept.reads--
      kept.usedAt = monotonicMs(clock)
    }
  }

  async endBackup(id: string, isMade: boolean, call: Call): Promise<void> {
    this.#engine.calls.check(call)
    const kept = this.#kept.get(id)
    if (isMade && kept !== undefined) await this.last.note(kept.createdAt)
    await this.#letGo(id)
  }

  async #letGo(id: string): Promise<void> {
    const kept = this.#kept.get(id)
    if (kept === undefined) return
    this.#kept.delete(id)
    await this.#engine.fileSystem.removeLarge(kept.directory).catch((error: unknown) => {
      const { log } = this.#engine
      log('warn', `${kept.directory} could not be removed; the next start removes it`, { error })
    })
  }

  /** Lets go of the moments whose clients have gone without a word. Called by the engine's clock. */
  expire(): void {
    const now = monotonicMs(this.#engine.clock)
    for (const [id, { directory, usedAt, reads }] of this.#kept) {
      if (reads > 0 || now - usedAt < IDLE_MS_MAX) continue
      this.#engine.log(
        'warn',
        'the client of a backup has not asked for anything for long: the files of the backup are freed',
        {
          directory,
        },
      )
      void this.#letGo(id)
    }
  }

  /** At the end of the store: frees all moments. */
  async close(): Promise<void> {
    await Promise.all([...this.#kept.keys()].map((id) => this.#letGo(id)))
  }
}

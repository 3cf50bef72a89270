/** The moment of the newest backup that a client has made of the store. A file of the store's folder keeps it for the next start. */

import { gauge, type Metric } from '../../../src/model/metric.ts'
import type { FileSystem } from '../platform/file-system.ts'
import type { NativeLog } from '../platform/native-log.ts'

/** The file's name in the store's folder: docs/formats.md. */
export const LAST_BACKUP = 'last-backup'

/** A time in milliseconds has so many digits at most. */
const DIGITS_MAX = 16

export interface LastBackupParts {
  readonly fileSystem: FileSystem
  /** The store's. */
  readonly directory: string
  readonly log: NativeLog
}

export class LastBackup {
  readonly #parts: LastBackupParts
  /** Milliseconds since 1970; undefined: no backup is known. Not read before a reader asks. */
  #at: number | undefined
  #isRead = false

  constructor(parts: LastBackupParts) {
    this.#parts = parts
  }

  /** Milliseconds since 1970; undefined: no backup is known. */
  get at(): number | undefined {
    if (!this.#isRead) this.#at = this.#read()
    this.#isRead = true
    return this.#at
  }

  /** Notes a backup of a moment. A failure is logged: the backup is whole all the same. */
  async note(at: number): Promise<void> {
    if (this.at !== undefined && this.at >= at) return
    this.#at = at
    const { fileSystem, directory, log } = this.#parts
    const path = `${directory}/${LAST_BACKUP}`
    try {
      fileSystem.remove(`${path}.new`)
      const file = fileSystem.open(`${path}.new`, 'create')
      try {
        file.append([Buffer.from(`${at}\n`)])
        await file.sync()
      } finally {
        file.close()
      }
      fileSystem.rename(`${path}.new`, path)
      await fileSystem.syncDirectory(directory)
    } catch (error) {
      log('warn', `the time of the last backup could not be written to ${path}`, { error })
    }
  }

  #read(): number | undefined {
    const { fileSystem, directory } = this.#parts
    const path = `${directory}/${LAST_BACKUP}`
    try {
      const file = fileSystem.open(path, 'read')
      try {
        const bytes = Buffer.alloc(DIGITS_MAX + 1)
        const [, digits] =
          /^(\d+)\n/.exec(bytes.toString('latin1', 0, file.read(bytes, 0, bytes.length, 0))) ?? []
        return digits === undefined ? undefined : Number(digits)
      } finally {
        file.close()
      }
    } catch {
      return undefined
    }
  }

  metrics(): Metric[] {
    return [
      gauge(
        'tidegate_native_last_backup_seconds',
        'The moment of the newest backup, in seconds since 1970; 0: none is known',
        () => (this.at ?? 0) / 1000,
      ),
    ]
  }
}

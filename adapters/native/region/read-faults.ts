import { HBaseError, isHBaseError } from '../../../src/model/errors.ts'
import type { NativeLog } from '../native-options.ts'
import type { ReadableFile } from '../platform/file-system.ts'
import type { KnownDamage } from './known-damage.ts'

/**
 * A store file whose faults are told once: the first read that fails, by the disk's error or by damage, writes a line at
 * level error. Later ones are answered only, or a client that tries again would fill the log.
 */
export class FaultTellingFile implements ReadableFile {
  readonly path: string
  readonly #file: ReadableFile
  readonly #log: NativeLog
  readonly #table: string
  readonly #damage: KnownDamage
  /** Whoever opens the file tells the faults of that. */
  #isOpened = false
  #isTold = false
  /** Whether bytes were wrong that the disk did give. */
  #isDamaged = false
  /** Where the disk did not give the bytes. */
  readonly #failedAt = new Set<number>()
  /** Of the last of those reads: damage that is over once the file is there again. */
  #failure: HBaseError | undefined

  constructor(file: ReadableFile, table: string, log: NativeLog, damage: KnownDamage) {
    this.path = file.path
    this.#file = file
    this.#table = table
    this.#log = log
    this.#damage = damage
  }

  /** Throws IO, which names the file and the offset, where the disk does not give the bytes; CORRUPTION where the file is gone. */
  read(target: Buffer, offset: number, length: number, position: number): number {
    try {
      return this.#file.read(target, offset, length, position)
    } catch (cause) {
      const error = isHBaseError(cause) ? cause : this.#unreadable(position, cause)
      this.#failedAt.add(position)
      this.#failure = error
      this.tell(error)
      throw error
    }
  }

  #unreadable(offset: number, cause: unknown): HBaseError {
    const reason = cause instanceof Error ? cause.message : String(cause)
    const message = `store file ${this.path} cannot be read at byte ${offset} (${reason})`
    return new HBaseError('IO', message, { detail: { path: this.path, offset }, cause })
  }

  /** Whether the disk gives again what it did not give. */
  #isGivenAgain(): boolean {
    const byte = Buffer.alloc(1)
    try {
      for (const position of this.#failedAt) {
        this.#file.read(byte, 0, 1, position)
        this.#failedAt.delete(position)
      }
      return true
    } catch {
      return false
    }
  }

  /** From now on faults are told. */
  opened(): void {
    this.#isOpened = true
  }

  /** For a fault that a reader of the file has found in its bytes. */
  readonly tell = (error: HBaseError): void => {
    if (!this.#isOpened) return
    if (error.code !== 'IO' && error !== this.#failure) this.#isDamaged = true
    const damage = { path: this.path, table: this.#table, reason: error.message }
    this.#damage.add(this, damage, () => !this.#isDamaged && this.#isGivenAgain())
    if (this.#isTold) return
    this.#isTold = true
    this.#log('error', `${error.message}: reads of ${this.#table} fail where they need it`, {
      path: this.path,
      ...error.detail,
    })
  }

  size(): number {
    return this.#file.size()
  }

  close(): void {
    this.#damage.delete(this)
    this.#file.close()
  }
}

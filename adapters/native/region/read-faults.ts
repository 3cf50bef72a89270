import { HBaseError, isHBaseError } from '../../../src/model/errors.ts'
import type { IsOver } from '../hfile/block-reader.ts'
import type { ReadableFile } from '../platform/file-system.ts'
import type { NativeLog } from '../platform/native-log.ts'
import type { KnownDamage } from './known-damage.ts'

/** The error of a read at `offset` of a store file that threw `cause`: IO where the disk did not give the bytes. */
export function readFault(path: string, offset: number, cause: unknown): HBaseError {
  if (isHBaseError(cause)) return cause
  const reason = cause instanceof Error ? cause.message : String(cause)
  const message = `store file ${path} cannot be read at byte ${offset} (${reason})`
  return new HBaseError('IO', message, { detail: { path, offset }, cause })
}

/**
 * A store file whose faults are logged once: the first read that fails, by the disk's error or by damage, writes a line at
 * level error. Later ones are answered only, or a client that tries again would fill the log. The file is reported as damaged
 * until each of its faults is over.
 */
export class FaultLoggingFile implements ReadableFile {
  readonly path: string
  readonly #file: ReadableFile
  readonly #log: NativeLog
  readonly #table: string
  readonly #damage: KnownDamage
  /** The opener of the file logs the faults of that. */
  #isOpened = false
  #isFaultReported = false
  #refusal: HBaseError | undefined
  /** How to find out that a fault is over, by the offset that failed. */
  readonly #faults = new Map<unknown, IsOver>()

  constructor(file: ReadableFile, table: string, log: NativeLog, damage: KnownDamage) {
    this.path = file.path
    this.#file = file
    this.#table = table
    this.#log = log
    this.#damage = damage
  }

  /** Throws IO, which names the file and the offset, where the disk does not give the bytes; CORRUPTION where the file is gone. */
  read(target: Buffer, offset: number, length: number, position: number): number {
    if (this.#refusal !== undefined) throw this.#refusal
    try {
      return this.#file.read(target, offset, length, position)
    } catch (cause) {
      const error = readFault(this.path, position, cause)
      // The check that a reader of blocks has left for this offset looks at more bytes.
      this.#report(error, this.#faults.get(position) ?? ((): boolean => this.#isGiven(position)), position)
      throw error
    }
  }

  /** Whether the disk gives a byte that it did not give. Throws where it still does not. */
  #isGiven(position: number): boolean {
    return this.#file.read(Buffer.alloc(1), 0, 1, position) === 1
  }

  /** From now on faults are logged. */
  opened(): void {
    this.#isOpened = true
  }

  /** Reports a fault that a reader of the file has found in its bytes. */
  readonly report = (error: HBaseError, isOver: IsOver): void => {
    this.#report(error, isOver, error.detail?.['offset'])
  }

  /** Reports a fault of the file's name: readers go on with the open file. */
  tellReadOn(error: HBaseError, isOver: IsOver): void {
    this.#report(error, isOver, 'name', '')
  }

  /** From now on reads throw this error, as its bytes are another file's. The caller reports it. */
  refuse(error: HBaseError): void {
    this.#refusal = error
    this.#damage.delete(this)
  }

  get isRefused(): boolean {
    return this.#refusal !== undefined
  }

  #report(
    error: HBaseError,
    isOver: IsOver,
    offset: unknown,
    effect = `: reads of ${this.#table} fail where they need it`,
  ): void {
    if (!this.#isOpened || this.#refusal !== undefined) return
    this.#faults.set(offset, isOver)
    const damage = { path: this.path, table: this.#table, reason: error.message }
    this.#damage.add(
      this,
      damage,
      () => this.#areOver(),
      () => [...this.#faults.keys()].filter((each) => typeof each === 'number'),
    )
    if (this.#isFaultReported) return
    this.#isFaultReported = true
    this.#log('error', `${error.message}${effect}`, {
      path: this.path,
      ...error.detail,
    })
  }

  #areOver(): boolean {
    try {
      for (const [offset, isOver] of this.#faults) {
        if (!isOver()) return false
        this.#faults.delete(offset)
      }
    } catch {
      return false
    }
    this.#isFaultReported = false
    return true
  }

  size(): number {
    return this.#file.size()
  }

  close(): void {
    this.#damage.delete(this)
    this.#file.close()
  }
}

/** Logs of a restored store behind those of its backup. */

import type { LogRecord } from '../manifest/manifest-edit.ts'
import type { FileSystem, OpenFile } from '../platform/file-system.ts'
import { LOG_NAME, logName } from '../wal/log-list.ts'
import { encodeLogHeader, LOG_HEADER_BYTES, recordBytesAt, recordSequenceId } from '../wal/wal-format.ts'

/** A start reads each log whole. */
const LOG_BYTES_MAX = 64 * 1024 * 1024
/** Ends the name of a log that is being written. */
const DRAFT = '.new'

interface Log {
  readonly number: number
  readonly file: OpenFile
  bytes: number
}

export class LaterLogs {
  readonly #fileSystem: FileSystem
  readonly #folder: string
  readonly #bytesMax: number
  readonly #logs: LogRecord[]
  #current: Log | undefined

  /** `ofBackup`: its logs. What else an earlier run has left in the folder is removed. */
  constructor(
    fileSystem: FileSystem,
    folder: string,
    ofBackup: readonly LogRecord[],
    bytesMax: number = LOG_BYTES_MAX,
  ) {
    this.#fileSystem = fileSystem
    this.#folder = folder
    this.#bytesMax = bytesMax
    this.#logs = ofBackup.toSorted((a, b) => a.number - b.number)
    fileSystem.makeDirectory(folder)
    const names = new Set(ofBackup.map(({ number }) => logName(number)))
    for (const name of fileSystem.list(folder)) {
      const isLog = LOG_NAME.test(name) || name.endsWith(`.log${DRAFT}`)
      if (isLog && !names.has(name)) fileSystem.remove(`${folder}/${name}`)
    }
  }

  async append(records: readonly Buffer[]): Promise<void> {
    if (records.length === 0) return
    const log = this.#current ?? this.#begin()
    log.file.append(records)
    for (const { length } of records) log.bytes += length
    if (log.bytes >= this.#bytesMax) await this.#end(log)
  }

  #begin(): Log {
    const number = (this.#logs.at(-1)?.number ?? 0) + 1
    const file = this.#fileSystem.open(this.#pathOf(number) + DRAFT, 'create')
    this.#current = { number, file, bytes: LOG_HEADER_BYTES }
    file.append([encodeLogHeader(number)])
    return this.#current
  }

  async #end({ number, file, bytes }: Log): Promise<void> {
    await file.sync()
    this.close()
    this.#fileSystem.rename(this.#pathOf(number) + DRAFT, this.#pathOf(number))
    this.#logs.push({ number, bytes })
  }

  /** Resolves to all logs, the backup's among them, once they are on disk. */
  async end(): Promise<readonly LogRecord[]> {
    if (this.#current !== undefined) await this.#end(this.#current)
    await this.#fileSystem.syncDirectory(this.#folder)
    return this.#logs
  }

  /** Lets go of the log that is being written. */
  close(): void {
    this.#current?.file.close()
    this.#current = undefined
  }

  #pathOf(number: number): string {
    return `${this.#folder}/${logName(number)}`
  }
}

/** The last sequence id in logs; 0 where they have no records. Of a damaged log those before the damage count. */
export function lastSequenceIdOf(fileSystem: FileSystem, folder: string, logs: readonly LogRecord[]): number {
  for (const { number } of logs.toSorted((a, b) => b.number - a.number)) {
    const path = `${folder}/${logName(number)}`
    const last = fileSystem.exists(path) ? lastIn(fileSystem, path) : 0
    if (last > 0) return last
  }
  return 0
}

function lastIn(fileSystem: FileSystem, path: string): number {
  const file = fileSystem.open(path, 'read')
  try {
    const log = Buffer.allocUnsafeSlow(file.size())
    file.read(log, 0, log.length, 0)
    let last = 0
    for (let at = LOG_HEADER_BYTES, bytes = 0; at < log.length; at += bytes) {
      bytes = recordBytesAt(log, at)
      if (bytes === 0) break
      last = Math.max(last, recordSequenceId(log, at))
    }
    return last
  } finally {
    file.close()
  }
}

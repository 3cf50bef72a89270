/** The access log: a line of JSON for each request of every door. Without one no door does anything for it. */

import { type Logger, pino } from 'pino'
import { ABBREVIATED_BYTES, abbreviated } from '../model/bytes.ts'
import { reasonOf } from '../model/error-reason.ts'
import { IncidentLog } from './incident-log.ts'
import { LineFile } from './line-file.ts'
import { houseError } from './metrics.ts'

/** One request. No row key is in it but in `asked`, which is there only where somebody wants it. */
export interface Access {
  readonly door: string
  readonly client: string | undefined
  /** The user that the client has named. */
  readonly principal: string | undefined
  /** The HTTP method, or the Thrift service. */
  readonly method: string
  /** The resource, or the Thrift method. */
  readonly call: string
  readonly table: string | undefined
  /** Of HTTP. */
  readonly status?: number | undefined
  /** The error's code (docs/metrics.md); undefined where the request succeeded. */
  readonly exception: string | undefined
  readonly bytesIn: number
  readonly bytesOut: number
  readonly ms: number
  /** The row or the path. */
  readonly asked?: string | undefined
}

export interface AccessLogOptions {
  /** A file, to which lines are added, or `-` for stdout. */
  readonly destination: string
  /** Lines show row keys. */
  readonly showsRows: boolean
  /** The number of this process, where several write to the destination; undefined: there is but this one. */
  readonly process?: number | undefined
}

export class AccessLog {
  readonly showsRows: boolean
  readonly #lines: Logger
  readonly #file: LineFile
  readonly #incidents: IncidentLog

  private constructor({ showsRows, process }: AccessLogOptions, file: LineFile, incidents: IncidentLog) {
    this.showsRows = showsRows
    this.#file = file
    this.#incidents = incidents
    const { isoTime } = pino.stdTimeFunctions
    this.#lines = pino(
      {
        base: process === undefined ? null : { process },
        timestamp: isoTime,
        formatters: { level: () => ({ log: 'access' }) },
      },
      file,
    )
  }

  /** Throws the system's error where the file cannot be opened. `logger`: hears of lines that are lost. */
  static async open(options: AccessLogOptions, logger: Logger): Promise<AccessLog> {
    const { destination, process } = options
    const incidents = new IncidentLog(logger)
    const lost = (reason: unknown): void =>
      incidents.report({
        key: 'lost',
        level: 'warn',
        message: `lines of the access log ${destination} are lost: ${reasonOf(reason)}; requests are served all the same`,
        over: `lines of the access log ${destination} are lost`,
      })
    const file =
      destination === '-'
        ? LineFile.ofStdout(lost, process !== undefined)
        : await LineFile.open(destination, lost)
    return new AccessLog(options, file, incidents)
  }

  write(access: Access): void {
    this.#lines.info(access)
  }

  /** Resolves once all lines are with the system, or cannot be. */
  async close(): Promise<void> {
    await this.#file.close()
    this.#incidents.close()
  }
}

/** A row or path in a line: as it is, or its begin and its end where it is long, as in the reasons of failures. */
export function shownBytes(bytes: Buffer, encoding: 'latin1' | 'utf8'): string {
  return bytes.length > ABBREVIATED_BYTES ? abbreviated(bytes) : bytes.toString(encoding)
}

/** The word for an error in a line. */
export function exceptionOf(error: unknown): string {
  return houseError(error)?.code ?? 'INTERNAL'
}

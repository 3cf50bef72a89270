/** A log of its own, beside the server's: lines of JSON with the time and the log's name. */

import { type Logger, pino } from 'pino'
import { boundedFields } from '../../../model/bounded-text.ts'
import { reasonOf } from '../../../model/error-reason.ts'
import { IncidentLog } from './incident-log.ts'
import { LineFile } from './line-file.ts'

export interface LineLogOptions {
  /** What each line says it is of: `access`. */
  readonly name: string
  /** A file, to which lines are added, or `-` for stdout. */
  readonly destination: string
  /** The number of this process, where several write to the destination; undefined: there is but this one. */
  readonly process?: number | undefined
  /** Rights of a file that is made; undefined: those that the umask leaves. One that is there keeps its own. */
  readonly mode?: number | undefined
}

export class LineLog {
  readonly #lines: Logger
  readonly #file: LineFile
  readonly #incidents: IncidentLog

  private constructor({ name, process }: LineLogOptions, file: LineFile, incidents: IncidentLog) {
    this.#file = file
    this.#incidents = incidents
    const { isoTime } = pino.stdTimeFunctions
    this.#lines = pino(
      {
        base: process === undefined ? null : { process },
        timestamp: isoTime,
        formatters: { level: () => ({ log: name }) },
      },
      file,
    )
  }

  /** Throws the system's error where the file cannot be opened. `logger`: hears of lines that are lost. */
  static async open(options: LineLogOptions, logger: Logger): Promise<LineLog> {
    const { name, destination, process, mode } = options
    const incidents = new IncidentLog(logger)
    const lost = (reason: unknown): void =>
      incidents.report({
        key: 'lost',
        level: 'warn',
        message: `lines of the ${name} log ${destination} are lost: ${reasonOf(reason)}; requests are served all the same`,
        over: `lines of the ${name} log ${destination} are lost`,
      })
    const file =
      destination === '-'
        ? LineFile.ofStdout(lost, process !== undefined)
        : await LineFile.open(destination, lost, mode)
    return new LineLog(options, file, incidents)
  }

  write(line: object): void {
    this.#lines.info(boundedFields(line))
  }

  /** Resolves once all lines are with the system, or cannot be. */
  async close(): Promise<void> {
    await this.#file.close()
    this.#incidents.close()
  }
}

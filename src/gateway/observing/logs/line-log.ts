/** A log beside the server's own: lines of JSON with the time and the name of the log. */

import { type Logger, pino } from 'pino'
import { boundedFields } from '../../../model/bounded-text.ts'
import { reasonOf } from '../../../model/error-reason.ts'
import { IncidentLog } from './incident-log.ts'
import { LineFile } from './line-file.ts'

export interface LineLogOptions {
  /** The name of the log, which is in each line: `access`. */
  readonly name: string
  /** The path of a file to which lines are appended, or `-` for stdout. */
  readonly destination: string
  /** The number of this process, where several write to the destination; undefined: there is only this one. */
  readonly process?: number | undefined
  /** The number of this thread, where several of the process write to the destination; undefined: this is the main one. */
  readonly thread?: number | undefined
  /** True: another process or thread writes to the destination, too. Absent: true for those that have a number. */
  readonly isShared?: boolean | undefined
  /** The mode of a new file; undefined: the mode that the umask leaves. An existing file keeps its own. */
  readonly mode?: number | undefined
}

export class LineLog {
  readonly #lines: Logger
  readonly #file: LineFile
  readonly #incidents: IncidentLog

  private constructor({ name, process, thread }: LineLogOptions, file: LineFile, incidents: IncidentLog) {
    this.#file = file
    this.#incidents = incidents
    const { isoTime } = pino.stdTimeFunctions
    this.#lines = pino(
      {
        base: baseOf({ process, thread }),
        timestamp: isoTime,
        formatters: { level: () => ({ log: name }) },
      },
      file,
    )
  }

  /** Throws the system's error where the file cannot be opened. `logger`: logs that lines are lost. */
  static async open(options: LineLogOptions, logger: Logger): Promise<LineLog> {
    const { name, destination, process, thread, mode } = options
    const { isShared = process !== undefined || thread !== undefined } = options
    const incidents = new IncidentLog(logger)
    const lost = (reason: unknown): void =>
      incidents.report({
        key: 'lost',
        level: 'warn',
        message: `lines of the ${name} log ${destination} are lost: ${reasonOf(reason)}; requests are served all the same`,
        over: `lines of the ${name} log ${destination} are lost`,
      })
    const file =
      destination === '-' ? LineFile.ofStdout(lost, isShared) : await LineFile.open(destination, lost, mode)
    return new LineLog(options, file, incidents)
  }

  write(line: object): void {
    this.#lines.info(boundedFields(line))
  }

  /** Resolves once all lines are written, or are lost. */
  async close(): Promise<void> {
    await this.#file.close()
    this.#incidents.close()
  }
}

/** The fields of every line. */
function baseOf({ process, thread }: Pick<LineLogOptions, 'process' | 'thread'>): object | null {
  if (thread !== undefined) return { thread }
  return process === undefined ? null : { process }
}

/** The audit log: who did what through which door, and whether he might. No value and no row key is in it. */

import type { Logger } from 'pino'
import { LineLog, type LineLogOptions } from '../logs/line-log.ts'

const FILE_MODE = 0o640

export interface Audit {
  readonly door: string
  /** Undefined where the client has named nobody. */
  readonly user: string | undefined
  /** The user that a refused certificate names: its sender may be another. */
  readonly claimedUser?: string | undefined
  /** Who acts for the user, where another does. */
  readonly realUser?: string | undefined
  /** Where the client connects from. */
  readonly address: string | undefined
  /** `login`, or a method of the store. */
  readonly action: string
  /** The table, namespace or other thing that it is done to. */
  readonly scope?: string | undefined
  /** The actions, labels or limits that it gives or takes. */
  readonly details?: string | undefined
  readonly allowed: boolean
  /** Why it is not allowed. */
  readonly reason?: string | undefined
  /** The error's code, where it was allowed and failed. */
  readonly failure?: string | undefined
}

export class AuditLog {
  readonly #lines: LineLog

  private constructor(lines: LineLog) {
    this.#lines = lines
  }

  /** As LineLog.open. Strangers to the file's owner and group need not know who does what. */
  static async open(options: Omit<LineLogOptions, 'name'>, logger: Logger): Promise<AuditLog> {
    return new AuditLog(await LineLog.open({ name: 'audit', mode: FILE_MODE, ...options }, logger))
  }

  write(audit: Audit): void {
    this.#lines.write(audit)
  }

  /** Resolves once all lines are with the system, or cannot be. */
  close(): Promise<void> {
    return this.#lines.close()
  }
}

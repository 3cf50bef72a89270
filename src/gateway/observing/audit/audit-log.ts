/** The audit log: which user did which action through which door, and whether it was allowed. It has no values and no row keys. */

import type { Logger } from 'pino'
import { LineLog, type LineLogOptions } from '../logs/line-log.ts'

const FILE_MODE = 0o640

export interface Audit {
  readonly door: string
  /** The user; undefined where the client has named none. */
  readonly user: string | undefined
  /** The user that a refused certificate names: the sender may be another user. */
  readonly claimedUser?: string | undefined
  /** The user who acts for `user`; undefined where none does. */
  readonly realUser?: string | undefined
  /** The client's address. */
  readonly address: string | undefined
  /** `login`, or the name of a method of the store. */
  readonly action: string
  /** The object of the action: a table, a namespace, a user. */
  readonly scope?: string | undefined
  /** The permissions, labels or limits that the action sets or removes. */
  readonly details?: string | undefined
  readonly allowed: boolean
  /** The reason for a refusal. */
  readonly reason?: string | undefined
  /** The code of the error where an allowed action failed. */
  readonly failure?: string | undefined
}

export class AuditLog {
  readonly #lines: LineLog

  private constructor(lines: LineLog) {
    this.#lines = lines
  }

  /** Opens the log like LineLog.open. Users outside the file's owner and group cannot read it. */
  static async open(options: Omit<LineLogOptions, 'name'>, logger: Logger): Promise<AuditLog> {
    return new AuditLog(await LineLog.open({ name: 'audit', mode: FILE_MODE, ...options }, logger))
  }

  write(audit: Audit): void {
    this.#lines.write(audit)
  }

  /** Resolves once all lines are written, or are lost. */
  close(): Promise<void> {
    return this.#lines.close()
  }
}

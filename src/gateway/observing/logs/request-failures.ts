/** Logs the requests of a door that do not succeed. */

import type { Logger } from 'pino'
import { errorFields, reasonOf, systemCodeOf } from '../../../model/error-reason.ts'
import { ERROR_TRAITS, type ErrorCode, type HBaseError } from '../../../model/errors.ts'
import { houseError } from '../metrics.ts'
import { IncidentLog } from './incident-log.ts'

/** Fields that name the request: method, path, table. */
export type Asked = Readonly<Record<string, unknown>>

/** Advice for operators, by codes for which the store or the server is at fault. It fits the embedded engine and a cluster. */
const REMEDIES: Partial<Readonly<Record<ErrorCode, string>>> = {
  OVERLOADED: 'requests have all the memory or places that they may have: see docs/limits.md',
  NOT_SERVING_REGION:
    'clients try again; if it lasts, list_regions shows which regions of the table are not open',
  REGION_TOO_BUSY: 'flushes do not keep up with writes: see how busy or full the disk is',
  UNAVAILABLE: '/health shows whether the store serves, and why not',
  TIMEOUT: 'see how busy the store is; clients may also state a longer time',
  CORRUPTION: 'tidegate check names what is damaged, docs/tools.md says how to repair it',
  IO: 'see the disk or the server that the reason names',
}

export interface RequestFailuresOptions {
  /** See IncidentLogOptions. */
  readonly now?: () => number
  /** Errors that are a part of the door's protocol and no failures. */
  readonly usual?: readonly ErrorCode[]
}

export class RequestFailures {
  readonly #door: string
  readonly #logger: Logger
  readonly #incidents: IncidentLog
  readonly #usual: readonly ErrorCode[]

  constructor(door: string, logger: Logger, { now, usual = [] }: RequestFailuresOptions = {}) {
    this.#door = door
    this.#logger = logger
    this.#usual = usual
    this.#incidents = new IncidentLog(logger, { now })
  }

  /** A request got an error for an answer, or no answer. Any error but an HBaseError is a bug. */
  failed(error: unknown, asked: Asked): void {
    const known = houseError(error)
    if (known === undefined) this.#bug(error instanceof Error ? error : new Error(String(error)), asked)
    else if (ERROR_TRAITS[known.code].fault === 'client' || this.#usual.includes(known.code))
      this.#refused(known, asked)
    else this.#broken(known, asked)
  }

  /** Bytes that are no request of the protocol. `kind`: one of a few words. `message`: also says what the door does. */
  malformed(kind: string, message: string, fields: Asked): void {
    this.#incidents.report({
      key: `malformed ${kind}`,
      level: 'warn',
      message,
      fields: { door: this.#door, ...fields },
    })
  }

  close(): void {
    this.#incidents.close()
  }

  #refused({ code, message }: HBaseError, asked: Asked): void {
    if (!this.#logger.isLevelEnabled('debug')) return
    this.#logger.debug({ door: this.#door, code, reason: message, ...asked }, 'a request was refused')
  }

  #broken(error: HBaseError, asked: Asked): void {
    const { code, detail } = errorFields(error)
    const door = this.#door
    const reason = reasonOf(error)
    const remedy = REMEDIES[error.code]
    this.#incidents.report({
      // A full disk shows in errors of several kinds.
      key: systemCodeOf(error) ?? error.code,
      level: 'warn',
      message: `${door}: requests fail with ${error.code}: ${reason}${remedy === undefined ? '' : `; ${remedy}`}`,
      fields: { door, code, reason, ...(detail !== undefined && { detail }), ...asked },
      over: `${door}: requests fail with ${error.code}`,
    })
  }

  #bug(bug: Error, asked: Asked): void {
    const door = this.#door
    this.#incidents.report({
      key: `bug ${bug.name} ${bug.message}`,
      level: 'error',
      message: `${door}: a bug in Tidegate: ${bug.message}; please report it with its stack`,
      fields: { door, err: bug, ...asked },
    })
  }
}

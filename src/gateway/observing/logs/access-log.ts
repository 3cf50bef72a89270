/** The access log: a line of JSON for each request of every door. Without one no door does anything for it. */

import type { Logger } from 'pino'
import { ABBREVIATED_BYTES, abbreviated } from '../../../model/bytes.ts'
import type { OpenSpan } from '../../../store/span-recorder.ts'
import { houseError } from '../metrics.ts'
import { LineLog, type LineLogOptions } from './line-log.ts'

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

/** A request whose calls of the store carry a trace. */
export interface TracedRequest {
  /** For `Call.trace`. */
  readonly trace: string
  /** Undefined: this server does not record the trace. */
  readonly span: OpenSpan | undefined
}

/** Hears of every request of every door. */
export interface RequestLog {
  /** Wants the row keys. */
  readonly showsRows: boolean
  /** A request begins. `trace`: the one that its client has sent. Undefined where nobody traces, or not this request. */
  begin?(trace: string | undefined): TracedRequest | undefined
  /** A request has ended; `traced`: as it has begun. */
  write(access: Access, traced?: TracedRequest): void
}

export interface AccessLogOptions extends Omit<LineLogOptions, 'name'> {
  /** Lines show row keys. */
  readonly showsRows: boolean
}

export class AccessLog implements RequestLog {
  readonly showsRows: boolean
  readonly #lines: LineLog

  private constructor(showsRows: boolean, lines: LineLog) {
    this.showsRows = showsRows
    this.#lines = lines
  }

  /** As LineLog.open. */
  static async open({ showsRows, ...options }: AccessLogOptions, logger: Logger): Promise<AccessLog> {
    return new AccessLog(showsRows, await LineLog.open({ name: 'access', ...options }, logger))
  }

  write(access: Access): void {
    this.#lines.write(access)
  }

  /** Resolves once all lines are with the system, or cannot be. */
  close(): Promise<void> {
    return this.#lines.close()
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

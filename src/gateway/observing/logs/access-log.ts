/** The access log: a line of JSON for each request of every door. It costs nothing while it is off. */

import type { Logger } from 'pino'
import { ABBREVIATED_BYTES, abbreviated } from '../../../model/bytes.ts'
import type { OpenSpan } from '../../../store/span-recorder.ts'
import { houseError } from '../metrics.ts'
import { LineLog, type LineLogOptions } from './line-log.ts'

/** One request. Row keys are in `asked` alone, which is there only where the operator asks for it. */
export interface Access {
  readonly door: string
  readonly client: string | undefined
  /** The user that the client acts as; undefined without a login. */
  readonly principal: string | undefined
  /** The HTTP method, or the Thrift service. */
  readonly method: string
  /** The resource, or the Thrift method. */
  readonly call: string
  readonly table: string | undefined
  /** The status of an HTTP answer; undefined for other protocols, and where none was sent. */
  readonly status?: number | undefined
  /** The code of the error (docs/metrics.md); undefined where the request succeeded. */
  readonly exception: string | undefined
  readonly bytesIn: number
  readonly bytesOut: number
  readonly ms: number
  /** The row key or the path; undefined unless lines show them. */
  readonly asked?: string | undefined
}

/** The trace of a request, which its calls to the store carry. */
export interface TracedRequest {
  /** The value of `Call.trace`. */
  readonly trace: string
  /** The span of the request; undefined where this server does not record the trace. */
  readonly span: OpenSpan | undefined
}

/** Receives every request of every door. */
export interface RequestLog {
  /** True where `asked` is wanted. */
  readonly showsRows: boolean
  /** A request begins. `trace`: the one that its client has sent. Returns undefined where the request is not traced. */
  begin?(trace: string | undefined): TracedRequest | undefined
  /** A request has ended. `traced`: the value that `begin` returned. */
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

  /** Opens the log like LineLog.open. */
  static async open({ showsRows, ...options }: AccessLogOptions, logger: Logger): Promise<AccessLog> {
    return new AccessLog(showsRows, await LineLog.open({ name: 'access', ...options }, logger))
  }

  write(access: Access): void {
    this.#lines.write(access)
  }

  /** Resolves once all lines are written, or are lost. */
  close(): Promise<void> {
    return this.#lines.close()
  }
}

/** The text of a row key or path in a line. Of a long one only the beginning and the end are shown, as in the reasons of failures. */
export function shownBytes(bytes: Buffer, encoding: 'latin1' | 'utf8'): string {
  return bytes.length > ABBREVIATED_BYTES ? abbreviated(bytes) : bytes.toString(encoding)
}

/** The code of an error in a line. */
export function exceptionOf(error: unknown): string {
  return houseError(error)?.code ?? 'INTERNAL'
}

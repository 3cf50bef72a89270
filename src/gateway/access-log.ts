/** The access log: a line of JSON for each request of every door. Without one no door does anything for it. */

import type { Logger } from 'pino'
import { ABBREVIATED_BYTES, abbreviated } from '../model/bytes.ts'
import { LineLog, type LineLogOptions } from './line-log.ts'
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

export interface AccessLogOptions extends Omit<LineLogOptions, 'name'> {
  /** Lines show row keys. */
  readonly showsRows: boolean
}

export class AccessLog {
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

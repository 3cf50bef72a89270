/** One server of HBase's REST interface: requests, attempts, and errors of its answers. */

import { type ErrorCode, HBaseError } from '../../../src/model/errors.ts'
import type { Call } from '../../../src/store/call.ts'
import type { StoreReach } from '../../../src/store/store-reach.ts'
import { type HttpAnswer, HttpClient, type HttpRequest } from '../http-client.ts'
import { javaErrorIn } from '../java-errors.ts'
import { passwordHint } from '../login-hint.ts'
import { Retries } from '../retries.ts'
import type { ServerOptions } from '../server-options.ts'

export const REST_REACH: StoreReach = {
  protocol: 'REST',
  readsMarkers: false,
  writesAllMarkers: false,
  splitsNewTables: false,
  dropsEnabledTables: true,
}

export const PROTOBUF = 'application/x-protobuf'

export interface RestRequest {
  /** For messages: `put to t1`. */
  readonly operation: string
  readonly method: HttpRequest['method']
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** Protobuf. */
  readonly body?: Buffer
  /** Done twice is as done once; absent: it is. */
  readonly isRepeatable?: boolean
  readonly isTriedOnce?: boolean
  /** Statuses beside those of success that are answers. */
  readonly answers?: readonly number[]
}

/** The error of a status that comes without a class of Java. */
const BY_STATUS: ReadonlyMap<number, ErrorCode> = new Map([
  [400, 'ILLEGAL_ARGUMENT'],
  [401, 'ACCESS_DENIED'],
  [403, 'ACCESS_DENIED'],
  [405, 'UNSUPPORTED'],
  [406, 'UNSUPPORTED'],
  [413, 'TOO_LARGE'],
  [415, 'UNSUPPORTED'],
  [429, 'THROTTLED'],
  [501, 'UNSUPPORTED'],
  [502, 'UNAVAILABLE'],
  [503, 'UNAVAILABLE'],
  [504, 'TIMEOUT'],
])

export class RestServer {
  readonly #http: HttpClient
  readonly #retries: Retries

  constructor(options: ServerOptions) {
    this.#http = new HttpClient(options)
    this.#retries = new Retries(options)
  }

  /** Throws HBaseErrors. */
  ask(request: RestRequest, call: Call): Promise<HttpAnswer> {
    const { operation, method, path, headers, body, isRepeatable = true, isTriedOnce, answers = [] } = request
    const sent: HttpRequest = {
      method,
      path,
      headers: {
        Accept: PROTOBUF,
        ...(body !== undefined && { 'Content-Type': PROTOBUF }),
        ...headers,
      },
      body,
    }
    return this.#retries.retrying({ name: operation, isRepeatable, isTriedOnce, call }, async (timeoutMs) => {
      const answer = await this.#http.ask(sent, call, timeoutMs)
      const { status } = answer
      if ((status >= 200 && status < 300) || answers.includes(status)) return answer
      throw this.#failure(answer, operation)
    })
  }

  close(): void {
    this.#retries.close()
    this.#http.close()
  }

  #failure({ status, headers, body }: HttpAnswer, operation: string): HBaseError {
    const text = body.toString()
    const code = BY_STATUS.get(status) ?? 'REFUSED'
    // The class tells more than the status.
    const told = javaErrorIn(text, code)
    const wait = /^\d{1,5}$/.test(headers['retry-after'] ?? '')
      ? Number(headers['retry-after']) * 1000
      : undefined
    const detail = { ...told?.detail, status, ...(wait !== undefined && { waitMs: wait }) }
    if (told !== undefined) {
      const { message, javaClass } = told
      return new HBaseError(told.code, message, { javaClass, detail })
    }
    const [line = ''] = text.trim().split(/\r?\n/)
    const words = `${operation}: ${this.#http.place} answered ${status}${line === '' ? '' : ` ${line.slice(0, 200)}`}`
    const hint = status === 401 ? passwordHint(headers) : ''
    return new HBaseError(code, `${words}${hint}`, { detail })
  }
}

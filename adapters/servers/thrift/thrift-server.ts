/** One server of HBase's Thrift 2: sends calls, retries them, and turns its answers into errors. */

import { reasonOf } from '../../../src/model/error-reason.ts'
import { HBaseError, isHBaseError } from '../../../src/model/errors.ts'
import type { Call } from '../../../src/store/call.ts'
import type { StoreReach } from '../../../src/store/store-reach.ts'
import {
  type ClientCall,
  ThriftApplicationError,
  ThriftClientCodec,
} from '../../../src/wire/thrift/client-codec.ts'
import { loadSchema } from '../../../src/wire/thrift/idl-files.ts'
import { ThriftException } from '../../../src/wire/thrift/thrift-exception.ts'
import { HttpClient } from '../requests/http-client.ts'
import { javaErrorIn } from '../requests/java-errors.ts'
import { loginHint } from '../requests/login-hint.ts'
import { Retries, UNHEARD } from '../requests/retries.ts'
import type { ServerOptions } from '../requests/server-options.ts'
import { ThriftConnection } from './thrift-connection.ts'

/** How messages of Thrift go to a server: bare, each behind its length, or each as the body of a POST. */
export type ThriftTransport = 'buffered' | 'framed' | 'http'

export const THRIFT_REACH: StoreReach = {
  protocol: 'Thrift',
  readsMarkers: true,
  writesAllMarkers: true,
  splitsNewTables: true,
  dropsEnabledTables: false,
}

export interface ThriftOptions extends ServerOptions {
  readonly transport: ThriftTransport
}

export interface ThriftCall extends ClientCall {
  /** The operation's name in messages: `get of t1`. */
  readonly operation: string
  /** False: repeating the call is not safe; absent: it is safe. */
  readonly isRepeatable?: boolean
  readonly isTriedOnce?: boolean
}

const HTTP_TYPE = 'application/x-thrift'

export class ThriftServer {
  readonly #options: ThriftOptions
  readonly #codec = new ThriftClientCodec(loadSchema('thrift2').services.get('THBaseService')!)
  readonly #retries: Retries
  readonly #http: HttpClient | undefined
  readonly #idle: ThriftConnection[] = []
  readonly #connections = new Set<ThriftConnection>()
  /** True once the server has answered a call. */
  #hasAnswered = false

  constructor(options: ThriftOptions) {
    this.#options = options
    this.#retries = new Retries(options)
    this.#http = options.transport === 'http' ? new HttpClient(options) : undefined
  }

  /** Makes a call. Throws HBaseErrors. */
  ask<T>(thriftCall: ThriftCall, call: Call): Promise<T> {
    const { operation: name, isRepeatable = true, isTriedOnce } = thriftCall
    const message = this.#codec.writeCall(thriftCall)
    return this.#retries.retrying({ name, isRepeatable, isTriedOnce, call }, async (timeoutMs) => {
      const answer = await this.#exchange(message, call, timeoutMs)
      try {
        return this.#codec.readReply(thriftCall, answer) as T
      } catch (error) {
        throw errorFields(error, thriftCall, this.#isStranger)
      }
    })
  }

  /** True where the server gets no login. */
  get #isStranger(): boolean {
    const { credentials, ticket } = this.#options
    return credentials === undefined && ticket === undefined
  }

  close(): void {
    this.#retries.close()
    this.#http?.close()
    for (const connection of this.#connections) connection.close()
    this.#connections.clear()
  }

  async #exchange(message: Buffer, call: Call, timeoutMs: number): Promise<Buffer> {
    if (this.#http !== undefined) return this.#post(this.#http, message, call, timeoutMs)
    const connection = this.#connection()
    try {
      const answer = await connection.exchange(message, call, timeoutMs)
      this.#hasAnswered = true
      this.#idle.push(connection)
      return answer
    } catch (error) {
      connection.close()
      this.#connections.delete(connection)
      throw this.#hasAnswered ? error : withTransports(error, this.#isStranger)
    }
  }

  #connection(): ThriftConnection {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      if (idle.isOpen) return idle
      this.#connections.delete(idle)
    }
    const made = new ThriftConnection(this.#options, this.#options.transport === 'framed')
    this.#connections.add(made)
    return made
  }

  async #post(http: HttpClient, body: Buffer, call: Call, timeoutMs: number): Promise<Buffer> {
    const headers = { 'Content-Type': HTTP_TYPE, Accept: HTTP_TYPE }
    const answer = await http.ask({ method: 'POST', path: '/', headers, body }, call, timeoutMs)
    const { status } = answer
    if (status === 200) return answer.body
    const code =
      status === 401 || status === 403 ? 'ACCESS_DENIED' : status === 503 ? 'UNAVAILABLE' : 'REFUSED'
    const hint = status === 401 ? loginHint(answer) : ''
    throw new HBaseError(code, `${http.place} answered ${status} over HTTP${hint}`)
  }
}

/** The error with advice on transports. A server of another transport closes the connection or waits for more bytes, and would do so again. */
function withTransports(error: unknown, isStranger: boolean): unknown {
  if (!isHBaseError(error) || error.detail?.[UNHEARD] === true) return error
  const { code, message, detail } = error
  if (code !== 'TIMEOUT' && code !== 'UNAVAILABLE') return error
  const login = isStranger ? '; or does it ask for a login? (tidegate: --user NAME)' : ''
  const words = `${message}: is its transport another one? thrift:HOST:PORT, thrift:HOST:PORT/framed or thrift:HOST:PORT/http${login}`
  return new HBaseError(code === 'TIMEOUT' ? 'REFUSED' : code, words, { detail, cause: error })
}

/** A server's exception as the store's error. */
function errorFields(error: unknown, { operation }: ThriftCall, isStranger: boolean): unknown {
  if (isHBaseError(error)) return error
  if (error instanceof ThriftException) {
    const { struct, fields } = error
    const mayLogIn = /log in: .*a user and a password/.test(error.message)
    const hint = isStranger && mayLogIn ? ' (tidegate: --user NAME)' : ''
    const message = `${error.message}${hint}`
    if (struct === 'TIllegalArgument') {
      const isOfScanner = /scanner id/i.test(message)
      return new HBaseError(isOfScanner ? 'UNKNOWN_SCANNER' : 'ILLEGAL_ARGUMENT', message, { cause: error })
    }
    // `canRetry` is set for failures after which a client should retry.
    const otherwise = fields['canRetry'] === true ? 'IO' : 'DO_NOT_RETRY'
    return (
      javaErrorIn(message, otherwise) ??
      new HBaseError(otherwise, message, { cause: error, detail: { isPlain: true } })
    )
  }
  if (error instanceof ThriftApplicationError) {
    return (
      javaErrorIn(error.message, 'REFUSED') ??
      new HBaseError('REFUSED', `${operation}: ${error.message}`, { cause: error })
    )
  }
  return new HBaseError('REFUSED', `${operation}: the server's answer cannot be read: ${reasonOf(error)}`, {
    cause: error,
  })
}

import {
  exceptionOf,
  type RequestLog,
  shownBytes,
  type TracedRequest,
} from '../../../gateway/observing/logs/access-log.ts'
import type { Call } from '../../../store/call.ts'
import type { ProtocolName } from '../../../wire/thrift/protocol.ts'
import type { Caller, Session } from './caller.ts'
import type { LengthsOfReplies } from './reply-lengths.ts'

/** Wraps the caller of one call. The call gets a line in the access log when it ends. */
export class NotedCaller implements Caller {
  readonly protocol: ProtocolName
  readonly lengths: LengthsOfReplies
  readonly session: Session
  readonly call: Call
  readonly #caller: Caller
  readonly #log: RequestLog
  readonly #name: string
  readonly #bytesIn: number
  readonly #since: number = performance.now()
  readonly #traced: TracedRequest | undefined
  #service: string | undefined
  #table: string | undefined
  #row: string | undefined
  #exception: string | undefined

  /** `name`: the method's name as the client sends it. `bytes`: length of the message. */
  constructor(caller: Caller, log: RequestLog, name: string, bytes: number) {
    this.protocol = caller.protocol
    this.lengths = caller.lengths
    this.session = caller.session
    this.#traced = log.begin?.(caller.call.trace)
    const trace = this.#traced?.trace
    this.call = trace === undefined ? caller.call : { ...caller.call, trace }
    this.#caller = caller
    this.#log = log
    this.#name = name
    this.#bytesIn = bytes
  }

  began(service: string, args: Readonly<Record<string, unknown>>): void {
    this.#service = service
    this.#table = tableOf(args)
    if (this.#log.showsRows) this.#row = rowOf(args)
  }

  failed(error: unknown): void {
    this.#exception = exceptionOf(error)
  }

  /** The call is answered with a TApplicationException: for a broken protocol, unless an error was reported before. */
  refused(): void {
    this.#exception ??= 'PROTOCOL'
  }

  takeMemory(bytes: number): void {
    this.#caller.takeMemory(bytes)
  }

  settle(reply: Buffer | undefined): void {
    this.#write(reply?.length ?? 0)
    this.#caller.settle(reply)
  }

  fail(error: unknown): void {
    this.refused()
    this.#write(0)
    this.#caller.fail(error)
  }

  #write(bytesOut: number): void {
    const { client, principal } = this.call
    const access = {
      door: 'thrift',
      client,
      principal: principal?.user,
      method: this.#service ?? 'none',
      call: this.#name,
      table: this.#table,
      exception: this.#exception,
      bytesIn: this.#bytesIn,
      bytesOut,
      ms: Math.round((performance.now() - this.#since) * 1000) / 1000,
      asked: this.#row,
    }
    this.#log.write(access, this.#traced)
  }
}

/** The table that the arguments name; undefined where they name none, such as those of a scanner. */
function tableOf(args: Readonly<Record<string, unknown>>): string | undefined {
  const name = args['tableName'] ?? args['table'] ?? args['tableNameOrRegionName']
  if (Buffer.isBuffer(name) || typeof name === 'string') return String(name)
  const { ns, qualifier } = (name ?? {}) as { readonly ns?: unknown; readonly qualifier?: unknown }
  if (qualifier === undefined) return undefined
  return Buffer.isBuffer(ns) && ns.length > 0 ? `${String(ns)}:${text(qualifier)}` : text(qualifier)
}

/** The row of a call about one row; undefined for other calls. */
function rowOf(args: Readonly<Record<string, unknown>>): string | undefined {
  for (const value of [args, ...Object.values(args)]) {
    const row = (value as { readonly row?: unknown } | undefined)?.row
    if (row !== undefined) return Buffer.isBuffer(row) ? shownBytes(row, 'latin1') : undefined
  }
  return undefined
}

function text(value: unknown): string | undefined {
  return Buffer.isBuffer(value) ? value.toString('latin1') : undefined
}

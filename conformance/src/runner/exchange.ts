/** Runs the requests of a case, and prints the requests and answers as text. */

import type { StructSchema, ThriftType } from '../../../src/wire/thrift/schema.ts'
import type { ThriftObject } from '../../../src/wire/thrift/value-codec.ts'
import {
  LAST_SCANNER,
  Mistyped,
  type Request,
  type RestRequest,
  type Scenario,
  type ThriftRequest,
} from './case.ts'
import { dropStackTrace, normalise, sayClassOnce } from './normalise.ts'
import { ownNamesOf, ownNamesOnly } from './own-names.ts'
import { quoted } from './print-bytes.ts'
import { bracketed } from './print-lines.ts'
import { printRestAnswer, printRestRequest } from './print-rest.ts'
import { indent } from './recording.ts'
import { RestClient } from './rest-client.ts'
import { RpcExchanger, type RpcTarget } from './rpc-exchange.ts'
import { methodSchema, type ThriftAnswer, ThriftClient } from './thrift-client.ts'

/** Where a server under test listens. */
export interface Target {
  readonly rest: string
  readonly thrift1: { readonly host: string; readonly port: number }
  readonly thrift2: { readonly host: string; readonly port: number }
  /** Undefined: the cases of native RPC are left out. */
  readonly rpc?: RpcTarget | undefined
}

/** The clients of one target, and the values that a scenario remembers between its requests. */
export class Exchanger {
  readonly #rest: RestClient
  readonly #thrift1: ThriftClient
  readonly #thrift2: ThriftClient
  readonly #rpc: RpcExchanger | undefined
  readonly #scenario: Scenario
  #scannerPath = '/no/scanner/open'
  #scannerId = -1

  constructor(target: Target, timeoutMs: number, scenario: Scenario) {
    this.#scenario = scenario
    this.#rest = new RestClient(target.rest, timeoutMs)
    this.#thrift1 = new ThriftClient(target.thrift1, timeoutMs)
    this.#thrift2 = new ThriftClient(target.thrift2, timeoutMs)
    this.#rpc =
      target.rpc === undefined ? undefined : new RpcExchanger(target.rpc, timeoutMs, ownNamesOf(scenario))
  }

  close(): void {
    this.#rest.close()
    this.#thrift1.close()
    this.#thrift2.close()
    this.#rpc?.close()
  }

  /** Rejects where the server does not answer as its protocol asks. */
  async send(request: Request): Promise<string> {
    if (request.door === 'rest') return this.#sendRest(request)
    if (request.door !== 'rpc') return this.#sendThrift(request)
    if (this.#rpc === undefined) throw new Error('no address of native RPC is known')
    return this.#rpc.send(request)
  }

  async #sendRest(request: RestRequest): Promise<string> {
    const path = request.path.replace('{scanner}', this.#scannerPath)
    const answer = await this.#rest.send({ ...request, path })
    const location = answer.headers.get('location')
    if (location?.includes('/scanner/') === true) this.#scannerPath = new URL(location).pathname
    return `${printRestRequest(request)}\n${printRestAnswer(request, answer, this.#scenario)}`
  }

  async #sendThrift(request: ThriftRequest): Promise<string> {
    const client = request.door === 'thrift1' ? this.#thrift1 : this.#thrift2
    const args: ThriftObject = substituteAll(request.args, this.#scannerId)
    const answer = await client.call(request, args)
    if (answer.kind === 'result' && typeof answer.value === 'number') this.#scannerId = answer.value
    const asked = printStruct(methodSchema(request).args, request.args)
    const answered = printThriftAnswer(request, answer, this.#scenario)
    return `> ${request.door} ${request.method}${indent(`\n${asked}`)}\n${answered}`
  }
}

function printThriftAnswer(request: ThriftRequest, answer: ThriftAnswer, scenario: Scenario): string {
  switch (answer.kind) {
    case 'application':
      return `< TApplicationException ${answer.type}\n${indent(normalise(quoted(Buffer.from(dropStackTrace(answer.message)))))}`
    case 'exception': {
      const schema = answer.method.throws.find(
        ({ type }) => type.kind === 'struct' && type.struct.name === answer.name,
      )!.type
      return `< ${answer.name}\n${indent(normalise(printValue(schema, answer.fields)))}`
    }
    case 'result': {
      const type = answer.method.result
      if (type === undefined || answer.value === undefined) return '< nothing'
      if (isScannerId(request.method)) return '< <scanner id>'
      const value = ownNamesOnly(request, type, answer.value, ownNamesOf(scenario))
      return `< ${normalise(printValue(type, value)).replaceAll('\n', '\n  ')}`
    }
  }
}

function isScannerId(method: string): boolean {
  return method.startsWith('scannerOpen') || method === 'openScanner'
}

function substituteAll(args: Readonly<Record<string, unknown>>, scannerId: number): ThriftObject {
  return Object.fromEntries(Object.entries(args).map(([key, value]) => [key, substitute(value, scannerId)]))
}

function substitute(value: unknown, scannerId: number): unknown {
  return value === LAST_SCANNER ? scannerId : value
}

/** A value as the IDL types it: one line where it is short, one line an element or field where it is not. */
function printValue(type: ThriftType, value: unknown): string {
  if (value === LAST_SCANNER) return '<scanner id>'
  if (value instanceof Mistyped) return `<${value.type.kind} ${printValue(value.type, value.value)}>`
  switch (type.kind) {
    case 'string':
      return quoted(Buffer.from(sayClassOnce(dropStackTrace(value as string))))
    case 'binary':
      return quoted(typeof value === 'string' ? Buffer.from(value) : (value as Buffer))
    case 'enum':
      return [...type.enum.members].find(([, number]) => number === value)?.[0] ?? String(value)
    case 'struct':
      return printStruct(type.struct, value as ThriftObject)
    case 'list':
    case 'set':
      return bracketed(
        '[',
        (value as readonly unknown[]).map((each) => printValue(type.element, each)),
        ']',
      )
    case 'map': {
      const pairs = [...(value as Iterable<readonly [unknown, unknown]>)].map(
        ([key, each]) => `${printValue(type.key, key)}: ${printValue(type.value, each)}`,
      )
      return bracketed('{', pairs.sort(), '}')
    }
    case 'bool':
    case 'i8':
    case 'i16':
    case 'i32':
    case 'i64':
    case 'double':
      return String(value)
  }
}

function printStruct(schema: StructSchema, value: ThriftObject): string {
  const fields = schema.fields
    .filter(({ name }) => value[name] !== undefined)
    .map(({ name, type }) => `${name}=${printValue(type, value[name])}`)
  return bracketed('(', fields, ')')
}

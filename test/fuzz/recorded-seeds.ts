/** The requests that the conformance suite recorded a real HBase answering, as bytes. */

import type { Request, RestRequest, ThriftRequest } from '../../conformance/src/runner/case.ts'
import { LAST_SCANNER } from '../../conformance/src/runner/case.ts'
import { methodSchema } from '../../conformance/src/runner/thrift-client.ts'
import { writeArguments } from '../../conformance/src/runner/write-arguments.ts'
import { SCENARIOS } from '../../conformance/src/scenarios.ts'
import { BinaryWriter } from '../../src/wire/thrift/binary-writer.ts'
import { CompactWriter } from '../../src/wire/thrift/compact-writer.ts'
import { Output } from '../../src/wire/thrift/output.ts'
import { MessageType, type ProtocolWriter } from '../../src/wire/thrift/protocol.ts'

const SEED_BYTES_MAX = 20_000
/** Of the many recorded calls, which differ little. */
const CALLS_MAX = 2000

function recordedRequests(): readonly Request[] {
  return SCENARIOS.flatMap(({ cases }) => cases.flatMap(({ requests }) => requests))
}

function restRequests(): readonly RestRequest[] {
  return recordedRequests().filter((request): request is RestRequest => request.door === 'rest')
}

/** The bodies whose content type has these words. */
export function restBodies(type: string): readonly Buffer[] {
  return distinct(
    restRequests().flatMap(({ headers, body }) => {
      const isOfType = Object.entries(headers).some(
        ([name, value]) => name.toLowerCase() === 'content-type' && value.includes(type),
      )
      return isOfType && body !== undefined ? [body] : []
    }),
  )
}

/** Paths with their queries. */
export function restPaths(): readonly string[] {
  return [...new Set(restRequests().map(({ path }) => path))]
}

/** Whole HTTP requests. */
export function httpRequests(): readonly Buffer[] {
  return distinct(restRequests().map(httpRequest))
}

function httpRequest({ method, path, headers, body }: RestRequest): Buffer {
  const lines = Object.entries({ host: 'localhost', connection: 'close', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  const length = body === undefined ? '' : `content-length: ${body.length}\r\n`
  const head = `${method} ${path} HTTP/1.1\r\n${lines.join('')}${length}\r\n`
  return Buffer.concat([Buffer.from(head, 'latin1'), body ?? Buffer.alloc(0)])
}

/** Whole messages, without frames. */
export function thriftMessages(protocol: 'binary' | 'compact'): readonly Buffer[] {
  const calls = recordedRequests().filter(
    (request): request is ThriftRequest => request.door === 'thrift1' || request.door === 'thrift2',
  )
  const output = new Output()
  const writer = protocol === 'binary' ? new BinaryWriter(output) : new CompactWriter(output)
  return distinct(
    someOf(calls, CALLS_MAX).map((call) => {
      writeCall(writer, call)
      return Buffer.from(output.take())
    }),
  )
}

function writeCall(writer: ProtocolWriter, call: ThriftRequest): void {
  const { name, args } = methodSchema(call)
  writer.writeMessageBegin(name, MessageType.CALL, 1)
  const given = Object.entries(call.args).map(([key, value]) => [key, value === LAST_SCANNER ? 0 : value])
  writeArguments(writer, args, Object.fromEntries(given))
}

/** So many of the values, from all over their list. */
export function someOf<T>(values: readonly T[], countMax: number): readonly T[] {
  const step = Math.ceil(values.length / countMax)
  return values.filter((_, i) => i % step === 0)
}

/** Filters in the filter language. */
export function filterStrings(): readonly Buffer[] {
  const texts = JSON.stringify(recordedRequests(), forFilters)
  return distinct(
    [...texts.matchAll(/"filterString":"((?:[^"\\]|\\.)*)"/g)].map(([, text]) => unquoted(text!)),
  )
}

function forFilters(key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  const { type, data } = (value ?? {}) as { readonly type?: unknown; readonly data?: readonly number[] }
  return type === 'Buffer' && data !== undefined ? Buffer.from(data).toString('latin1') : value
}

function unquoted(text: string): Buffer {
  return Buffer.from(JSON.parse(`"${text}"`) as string, 'latin1')
}

function distinct(seeds: readonly Buffer[]): readonly Buffer[] {
  const small = seeds.filter(({ length }) => length > 0 && length <= SEED_BYTES_MAX)
  return [...new Map(small.map((seed) => [seed.toString('latin1'), seed])).values()]
}

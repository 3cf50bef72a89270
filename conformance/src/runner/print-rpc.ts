/** Requests and answers of native RPC as text: fields by the names of idl/rpc, cells one a line. */

import { type DescField, type DescMessage, isFieldSet, type Message } from '@bufbuild/protobuf'
import type { GenericExceptionMessage } from '../../../src/wire/rpc/gen/error-handling_pb.ts'
import type { ExceptionResponse } from '../../../src/wire/rpc/gen/rpc_pb.ts'
import {
  LAST_SCANNER,
  RegionInfoOf,
  RegionOf,
  type RpcFields,
  type RpcRelease,
  type RpcRequest,
} from './case.ts'
import { dropStackTrace, normalise, sayClassOnce } from './normalise.ts'
import { quoted } from './print-bytes.ts'
import { bracketed } from './print-lines.ts'
import { printProtobuf } from './print-protobuf.ts'
import { indent } from './recording.ts'
import { decodeCells, printCell } from './rpc-cells.ts'
import { type RpcAnswer, rpcMethod } from './rpc-client.ts'

/** By `Message.field`: what a server chooses by itself, and a name for it. */
const CHOSEN: Readonly<Record<string, string>> = {
  'ScanResponse.scanner_id': '<scanner id>',
  'ScanResponse.mvcc_read_point': '<read point>',
  'Scan.mvcc_read_point': '<read point>',
  'MultiResponse.regionStatistics': '<load>',
  'ResultOrException.loadStats': '<load>',
  // Of the server's cache.
  'CacheEvictionStats.evicted_blocks': '<blocks>',
  'CacheEvictionStats.max_cache_size': '<size>',
  'ServerName.host_name': '<host>',
  'ServerName.port': '<port>',
  'ServerName.start_code': '<start code>',
}

/** The same of the elements of lists, whose number counts. */
const CHOSEN_OF_EACH: Readonly<Record<string, string>> = {
  'GetStoreFileResponse.store_file': '<path>',
}

export function printRpcRequest(request: RpcRequest): string {
  const { service, method, message, cells = [], withoutCodec = false, release } = request
  const asked = printFields(rpcMethod(request).input, message)
  const lines = cells.map((cell) => `cell ${printCell(cell)}`)
  const codec = withoutCodec ? ' without a codec' : ''
  const by = release === undefined ? '' : ` by ${releaseWords(release)}`
  return `> rpc ${service} ${method}${codec}${by}${indent(`\n${[asked, ...lines].join('\n')}`)}`
}

function releaseWords(release: RpcRelease): string {
  if (release === 'none') return 'a client of no stated release'
  const { version, major = 'none', minor = 'none' } = release
  const fields = release.major === undefined && release.minor === undefined ? '' : ` (${major}, ${minor})`
  return `a client of release ${quoted(Buffer.from(version))}${fields}`
}

export function printRpcAnswer(answer: RpcAnswer): string {
  if (answer.kind === 'exception') return printException(answer.exception)
  const { schema, message, cells } = answer
  const lines = decodeCells(cells).map((cell) => `cell ${printCell(cell)}`)
  const text = [printMessage(schema, message), ...lines].join('\n')
  return `< ${normalise(text).replaceAll('\n', '\n  ')}`
}

/** How a master's procedure has ended: with the class and the first line of its failure. */
export function printProcedureEnd(isKnown: boolean, failure: GenericExceptionMessage | undefined): string {
  if (!isKnown) return 'a procedure that is not known'
  if (failure === undefined) return 'its procedure is done'
  const [said] = failure.message.split('\n')
  return `its procedure fails: ${failure.className} ${normalise(quoted(Buffer.from(said!)))}`
}

function printException(exception: ExceptionResponse): string {
  const { exceptionClassName, stackTrace, doNotRetry } = exception
  const message = quoted(Buffer.from(sayClassOnce(dropStackTrace(stackTrace))))
  const retry = doNotRetry ? 'do not retry' : 'retry'
  return `< ${exceptionClassName}, ${retry}\n${indent(normalise(message))}`
}

function printMessage(schema: DescMessage, message: Message): string {
  const values = message as unknown as Readonly<Record<string, unknown>>
  return printSet(schema, values, (field) => isFieldSet(message, field))
}

/** Fields of a request, which may be placeholders. */
function printFields(schema: DescMessage, fields: RpcFields): string {
  const known = new Set(schema.fields.map(({ localName }) => localName))
  const strange = Object.keys(fields).find((name) => !known.has(name))
  if (strange !== undefined) throw new Error(`${schema.name} has no field ${strange}`)
  return printSet(schema, fields, ({ localName }) => fields[localName] !== undefined)
}

function printSet(
  schema: DescMessage,
  values: Readonly<Record<string, unknown>>,
  isSet: (field: DescField) => boolean,
): string {
  const parts = schema.fields
    .filter(isSet)
    .map((field) => `${field.name}=${printField(schema, field, values[field.localName])}`)
  return bracketed('(', parts, ')')
}

function printField(schema: DescMessage, field: DescField, value: unknown): string {
  const chosen = field.name === 'proc_id' ? '<procedure>' : CHOSEN[`${schema.name}.${field.name}`]
  if (chosen !== undefined) return chosen
  if (field.fieldKind !== 'list') return printValue(schema, field, value)
  const ofEach = CHOSEN_OF_EACH[`${schema.name}.${field.name}`]
  const elements = (value as readonly unknown[]).map((each) => ofEach ?? printValue(schema, field, each))
  // HBase keeps attributes in a HashMap, in no order.
  return bracketed('[', field.name === 'attributes' ? elements.toSorted() : elements, ']')
}

function regionWords({ row, replica }: RegionOf | RegionInfoOf): string {
  return `${replica === 0 ? '' : `replica ${replica} of the `}region of ${quoted(row)}`
}

function printValue(schema: DescMessage, field: DescField, value: unknown): string {
  if (value === LAST_SCANNER) return '<scanner id>'
  if (value instanceof RegionInfoOf) return `<info of the ${regionWords(value)}>`
  if (value instanceof RegionOf) return `<${value.isEncoded ? 'encoded ' : ''}${regionWords(value)}>`
  if (field.enum !== undefined) {
    return field.enum.values.find(({ number }) => number === value)?.name ?? String(value)
  }
  if (field.message !== undefined) {
    const inner = value as Message
    return '$typeName' in inner
      ? printMessage(field.message, inner)
      : printFields(field.message, value as RpcFields)
  }
  if (!(value instanceof Uint8Array)) {
    return typeof value === 'string' ? quoted(Buffer.from(value)) : String(value)
  }
  const own = schema.name === 'CoprocessorServiceCall' ? printProtobuf(Buffer.from(value)) : undefined
  if (own) return `{${indent(`\n${own}`)}\n}`
  // An exception of one action is a class and the text of its stack.
  const isException = schema.name === 'NameBytesPair' && Buffer.from(value).includes('\n\tat ')
  const text = Buffer.from(value)
  return quoted(isException ? Buffer.from(sayClassOnce(dropStackTrace(text.toString()))) : text)
}

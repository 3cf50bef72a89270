/** One call of a Thrift service as data, and what came of it as text. */

import { bigintOf, int64, thriftPackage } from '../../clients/thrift-package.ts'

export interface ThriftCall {
  readonly method: string
  /** In the order of the IDL. A bigint is an i64, a plain object a struct, text UTF-8. */
  readonly args: readonly unknown[]
  /** Tidegate's own answer, and why it is not HBase's. */
  readonly differs?: { readonly answer: string; readonly why: string }
  /** Not sent to HBase: its gateway would not answer for minutes. */
  readonly tidegateOnly?: boolean
}

/** In an argument: the id of the scanner that was opened last. */
export const LAST_SCANNER: unique symbol = Symbol('last scanner')

export function call(method: string, ...args: unknown[]): ThriftCall {
  return { method, args }
}

/** A call that Tidegate answers otherwise on purpose. */
export function differs(why: string, answer: string, { method, args }: ThriftCall): ThriftCall {
  return { method, args, differs: { answer, why } }
}

/** As `differs`, of a call that HBase's gateway retries for minutes, or for ever. */
export function hangs(why: string, answer: string, { method, args }: ThriftCall): ThriftCall {
  return { method, args, differs: { answer, why }, tidegateOnly: true }
}

/** What the stubs take: bigints as Int64, the last scanner's id in its place. */
export function prepared(value: unknown, lastScanner: number): unknown {
  if (value === LAST_SCANNER) return lastScanner
  if (typeof value === 'bigint') return int64(value)
  if (Array.isArray(value)) return value.map((each) => prepared(each, lastScanner))
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, prepared(each, lastScanner)]))
}

const DAY_MS = 86_400_000n

/** What a server chooses for itself, by the field that it stands in. */
const CHOSEN: Readonly<Record<string, string>> = {
  port: 'PORT',
  hostName: 'HOST',
  serverName: 'HOST',
  startCode: 'START',
  id: 'REGION_ID',
}

/** An answer as text, without what differs from server to server. */
export function answerText(value: unknown, field = ''): string {
  if (value === null || value === undefined) return 'nothing'
  const chosen = CHOSEN[field]
  if (chosen !== undefined && !(typeof value === 'object' && 'hostName' in value)) return chosen
  if (Buffer.isBuffer(value)) return JSON.stringify(withoutRegionId(value.toString('latin1')))
  if (value instanceof thriftPackage.Int64) return timeText(bigintOf(value))
  if (value instanceof Error) return errorText(value)
  if (Array.isArray(value)) return `[${value.map((each) => answerText(each)).join(', ')}]`
  if (typeof value === 'bigint' || typeof value === 'symbol') return value.toString()
  if (typeof value !== 'object') return JSON.stringify(value)
  const fields = Object.entries(value)
    .filter(([, each]) => each !== null && typeof each !== 'function')
    .map(([key, each]) => `${key}: ${answerText(each, key)}`)
  return `{${fields.sort().join(', ')}}`
}

function timeText(value: bigint): string {
  const now = BigInt(Date.now())
  return value > now - DAY_MS && value < now + DAY_MS ? 'NOW' : String(value)
}

function withoutRegionId(text: string): string {
  return text.replace(/,\d{13}\.[0-9a-f]{32}\./, ',REGION_ID.HASH.')
}

interface ThriftError extends Error {
  readonly type?: number
  readonly canRetry?: boolean | null
}

/**
 * HBase's class names come and go with the place at which a call fails, and are repeated where one process quotes
 * another: only the text after them is compared, and of it the first line.
 */
function errorText(error: ThriftError): string {
  if (error.type !== undefined) {
    return `${error.name} ${error.type}: ${error.message.replace(/^(Internal error processing \w+).*/s, '$1')}`
  }
  const message = error.message
    .split('\n')[0]!
    .replace(/\b(?:java|org)\.[\w.]+(?:Exception|Error): /g, '')
    .replace(/(Column family .*? does not exist).*/, '$1')
    .replace(/(?:: \d+ times?, )?servers with issues.*/, '')
  const retry = error.canRetry === undefined ? '' : ` canRetry=${String(error.canRetry)}`
  return `${error.name}${retry}: ${message}`
}

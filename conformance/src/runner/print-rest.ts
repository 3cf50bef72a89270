/** How an HTTP exchange looks in a recording. */

import { gunzipSync } from 'node:zlib'
import type { RestRequest, Scenario } from './case.ts'
import { dropStackTrace, normalise } from './normalise.ts'
import { printBody } from './print-bytes.ts'
import { printProtobuf } from './print-protobuf.ts'
import { indent } from './recording.ts'
import type { RestAnswer } from './rest-client.ts'
import { hideFacts } from './server-facts.ts'

/** Headers that belong to the connection or the server's make, not to the answer. */
const PASSED_OVER: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'link',
  'server',
  'transfer-encoding',
  'vary',
  'x-content-type-options',
  'x-frame-options',
  'x-xss-protection',
])

/** Headers that describe a body. */
const OF_BODY: ReadonlySet<string> = new Set(['cache-control', 'content-encoding', 'content-type'])

/** How HBase's own error texts begin. */
const HBASE_WORDS =
  /^(?:Bad request|Gone|Invalid check value|Namespace|No rows found|Not found|Unavailable)\b/
/** Exceptions that show a fault in the server's own code, not of the request. */
const OWN_FAULT =
  /^Bad request\r\njava\.lang\.(?:(?:Array)?IndexOutOfBounds|ClassCast|NullPointer)Exception\b/

const ASKED_CHARACTERS_MAX = 4000

export function printRestRequest({ method, path, headers, body }: RestRequest): string {
  const lowered = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  const lines = [...lowered].map(([name, value]) => `  ${name}: ${value}`)
  const text = body === undefined ? '' : elided(printTyped(lowered, body))
  return [`> ${method} ${printable(path)}`, ...lines].join('\n') + (text === '' ? '' : `\n\n${indent(text)}`)
}

/** Raw bytes of a path as \xHH. */
function printable(path: string): string {
  return path.replace(/[\x7f-\xff]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16)}`)
}

function elided(text: string): string {
  if (text.length <= ASKED_CHARACTERS_MAX) return text
  return `${text.slice(0, 100)} ... ${text.length} characters`
}

export function printRestAnswer(request: RestRequest, answer: RestAnswer, scenario: Scenario): string {
  const headers = withoutRange(request, answer.headers)
  const isPage = isServersPage(request, answer)
  const lines = [...headers]
    .filter(([name]) => !(PASSED_OVER.has(name) || (isPage && OF_BODY.has(name))))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `  ${name}: ${normalise(name === 'allow' ? sortedList(value) : value)}`)
  const text = isPage
    ? '<page of the server>'
    : normalise(hideFacts(request.path, textOfBody(headers, answer), scenario))
  return [`< ${answer.status}`, ...lines].join('\n') + (text === '' ? '' : `\n\n${indent(text)}`)
}

/**
 * True for an error that HBase does not word itself: its servlet container writes a page of HTML or nothing at all, so
 * only the status counts. The same holds for errors about HBase's own code.
 */
function isServersPage({ method }: RestRequest, { status, body }: RestAnswer): boolean {
  if (status < 400) return false
  const text = body.toString('latin1', 0, 80)
  return method === 'HEAD' || !HBASE_WORDS.test(text) || OWN_FAULT.test(text)
}

/** HBase's scans copy the range that a client accepts, if it accepts anything, as the type of an answer in protobuf. */
function withoutRange(
  { headers: asked }: RestRequest,
  headers: RestAnswer['headers'],
): RestAnswer['headers'] {
  const type = headers.get('content-type')
  const isRange = asked['Accept']?.includes('*') === true && /^(?:application|\*)\/\*$/.test(type ?? '')
  return isRange ? new Map(headers).set('content-type', 'application/x-protobuf') : headers
}

/** The text of an error up to its stack, without the end of its last line. */
function textOfBody(headers: RestAnswer['headers'], { status, body }: RestAnswer): string {
  const bytes = status < 400 ? body : Buffer.from(dropStackTrace(body.toString()).trimEnd())
  return printTyped(headers, bytes)
}

function sortedList(value: string): string {
  return value
    .split(',')
    .map((each) => each.trim())
    .sort()
    .join(', ')
}

/** Unzips zipped bodies: each server compresses in its own way. */
function printTyped(headers: ReadonlyMap<string, string>, body: Buffer): string {
  const zipped = headers.get('content-encoding') === 'gzip' && body.length > 0
  const bytes = zipped ? unzipped(body) : body
  const type = headers.get('content-type') ?? ''
  const message = type.includes('protobuf') ? printProtobuf(bytes) : undefined
  return message ?? printBody(bytes)
}

/** Cases send broken gzip too, which is printed as it stands. */
function unzipped(body: Buffer): Buffer {
  try {
    return gunzipSync(body)
  } catch {
    return body
  }
}

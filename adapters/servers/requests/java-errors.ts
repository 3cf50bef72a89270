/** Errors of HBase's servers in texts: classes of Java, their messages, and stack traces after them. */

import { ERROR_TRAITS, type ErrorCode, HBaseError } from '../../../src/model/errors.ts'
import { MAY_BE_DONE } from './retries.ts'

const PACKAGE = 'org.apache.hadoop.hbase'

/** The codes of classes that are not the main class of any code. */
const OTHERS: readonly (readonly [string, ErrorCode])[] = [
  [`${PACKAGE}.regionserver.WrongRegionException`, 'NOT_SERVING_REGION'],
  [`${PACKAGE}.exceptions.RegionMovedException`, 'NOT_SERVING_REGION'],
  [`${PACKAGE}.exceptions.RegionOpeningException`, 'NOT_SERVING_REGION'],
  [`${PACKAGE}.ipc.CallTimeoutException`, 'TIMEOUT'],
  ['java.net.SocketTimeoutException', 'TIMEOUT'],
  ['java.net.ConnectException', 'UNAVAILABLE'],
  [`${PACKAGE}.MasterNotRunningException`, 'UNAVAILABLE'],
  [`${PACKAGE}.PleaseHoldException`, 'UNAVAILABLE'],
  [`${PACKAGE}.UnknownRegionException`, 'DO_NOT_RETRY'],
  [`${PACKAGE}.client.RowTooBigException`, 'DO_NOT_RETRY'],
  [`${PACKAGE}.regionserver.RowTooBigException`, 'DO_NOT_RETRY'],
  [`${PACKAGE}.security.visibility.InvalidLabelException`, 'DO_NOT_RETRY'],
  [`${PACKAGE}.quotas.QuotaExceededException`, 'DO_NOT_RETRY'],
  [`${PACKAGE}.quotas.SpaceLimitingException`, 'DO_NOT_RETRY'],
]

/** Classes that wrap the actual exception. */
const WRAPPERS: ReadonlySet<string> = new Set([
  `${PACKAGE}.client.RetriesExhaustedException`,
  `${PACKAGE}.client.RetriesExhaustedWithDetailsException`,
  'org.apache.hadoop.ipc.RemoteException',
  'java.io.IOException',
  'java.io.InterruptedIOException',
  'java.lang.RuntimeException',
  'java.util.concurrent.ExecutionException',
])

const CODES: ReadonlyMap<string, ErrorCode> = codesByClass()

/** Codes by their classes. The first of several codes with one class counts, as the least specific one. */
function codesByClass(): Map<string, ErrorCode> {
  const codes = new Map<string, ErrorCode>(OTHERS)
  for (const [code, { javaClass }] of Object.entries(ERROR_TRAITS))
    if (!codes.has(javaClass)) codes.set(javaClass, code as ErrorCode)
  return codes
}

const CLASS = /(?:[a-z]\w*\.){2,}[A-Z]\w*/g
/** Matches where a gateway of HBase has made several attempts at a region server. HBase: RetriesExhaustedException. */
const SEVERAL_ATTEMPTS = /\bfailed after attempts=(?!1\b)\d/i
/** The most characters of a text to search. */
const TEXT_MAX = 16_384

/** The error that a text describes; undefined where it names no class of Java. `otherwise`: the code of an unknown class. */
export function javaErrorIn(text: string, otherwise: ErrorCode): HBaseError | undefined {
  const beforeTrace = text.slice(0, TEXT_MAX).split(/\n\s+at /)[0]!
  const named = [...beforeTrace.matchAll(CLASS)].filter(([name]) => /(?:Exception|Error)$/.test(name))
  const [first] = named
  if (first === undefined) return undefined
  const found = named.find(([name]) => !WRAPPERS.has(name) && CODES.has(name)) ?? first
  const [javaClass] = found
  const code = WRAPPERS.has(javaClass) ? otherwise : (CODES.get(javaClass) ?? otherwise)
  return new HBaseError(code, messageBehind(beforeTrace, found.index + javaClass.length), {
    javaClass,
    detail: { javaClass, ...(SEVERAL_ATTEMPTS.test(beforeTrace) && { [MAY_BE_DONE]: true }) },
  })
}

/** The rest of the line after the class, without the count of attempts that HBase's clients append. */
function messageBehind(text: string, at: number): string {
  const line = text.slice(at).split(/\r?\n/)[0]!
  return line.replace(/^: /, '').replace(/: \d+ times?, servers with issues:.*$/, '')
}

/** Errors of HBase's servers as they stand in texts: classes of Java, their messages, and stack traces behind them. */

import { ERROR_TRAITS, type ErrorCode, HBaseError } from '../../src/model/errors.ts'
import { MAY_BE_DONE } from './retries.ts'

const PACKAGE = 'org.apache.hadoop.hbase'

/** Classes that no code has as its own. */
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

/** Classes that wrap what has happened. */
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

/** Of several codes with one class the first counts: it says the least. */
function codesByClass(): Map<string, ErrorCode> {
  const codes = new Map<string, ErrorCode>(OTHERS)
  for (const [code, { javaClass }] of Object.entries(ERROR_TRAITS))
    if (!codes.has(javaClass)) codes.set(javaClass, code as ErrorCode)
  return codes
}

const CLASS = /(?:[a-z]\w*\.){2,}[A-Z]\w*/g
/** A gateway of HBase has asked a region server more than once. HBase: RetriesExhaustedException. */
const SEVERAL_ATTEMPTS = /\bfailed after attempts=(?!1\b)\d/i
/** An error's words stand before its stack trace. */
const TEXT_MAX = 16_384

/** The error that a text tells; undefined where it names no class of Java. `otherwise`: the code of a class that is not known. */
export function javaErrorIn(text: string, otherwise: ErrorCode): HBaseError | undefined {
  const told = text.slice(0, TEXT_MAX).split(/\n\s+at /)[0]!
  const named = [...told.matchAll(CLASS)].filter(([name]) => /(?:Exception|Error)$/.test(name))
  const [first] = named
  if (first === undefined) return undefined
  const found = named.find(([name]) => !WRAPPERS.has(name) && CODES.has(name)) ?? first
  const [javaClass] = found
  const code = WRAPPERS.has(javaClass) ? otherwise : (CODES.get(javaClass) ?? otherwise)
  return new HBaseError(code, messageBehind(told, found.index + javaClass.length), {
    javaClass,
    detail: { javaClass, ...(SEVERAL_ATTEMPTS.test(told) && { [MAY_BE_DONE]: true }) },
  })
}

/** The first line behind the class, without the count of attempts that clients of HBase put there. */
function messageBehind(text: string, at: number): string {
  const line = text.slice(at).split(/\r?\n/)[0]!
  return line.replace(/^: /, '').replace(/: \d+ times?, servers with issues:.*$/, '')
}

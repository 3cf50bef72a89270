/**
 * Rules for faults: which calls to the store fail, when and how. As JSON:
 *
 *     { "on": ["write"], "table": "ns:t", "after": 2, "times": 1, "delayMs": 50, "error": "RegionTooBusy" }
 */

import type { ErrorCode } from '../../../model/errors.ts'
import { arrayOf, numberOf, objectOf, textOf, wrong } from './json-object.ts'

const OPERATIONS = ['get', 'scan', 'next', 'write'] as const
/** The operations that a rule can name. `next`: a further batch of an open scanner. */
export type Operation = (typeof OPERATIONS)[number]

/** The failures that clients of HBase must handle, by the names of its exceptions. */
const ERRORS = {
  NotServingRegion: 'NOT_SERVING_REGION',
  RegionTooBusy: 'REGION_TOO_BUSY',
  CallQueueTooBig: 'OVERLOADED',
  RpcThrottling: 'THROTTLED',
  RegionServerStopped: 'UNAVAILABLE',
  Timeout: 'TIMEOUT',
  AccessDenied: 'ACCESS_DENIED',
  IO: 'IO',
} as const satisfies Readonly<Record<string, ErrorCode>>
const ERROR_NAMES = Object.keys(ERRORS) as readonly (keyof typeof ERRORS)[]

/** The moment when the client's connection ends without an answer: before the call is made, or after it. */
const HANG_UPS = ['before', 'after'] as const
export type HangUp = (typeof HANG_UPS)[number]

export interface Fault {
  readonly delayMs?: number
  readonly error?: { readonly code: ErrorCode; readonly name: string }
  /** Only each n-th mutation of a batch fails with the error; the others are applied. Undefined: the whole call fails. */
  readonly failEach?: number
  /** The scanner is closed, as if its lease had expired. */
  readonly loseScanner: boolean
  readonly hangUp?: HangUp
}

export interface FaultRule extends Fault {
  readonly on: readonly Operation[]
  /** The table; undefined: any. */
  readonly table?: string
  /** Calls that pass before the first fault. */
  readonly after: number
  /** Faults after which the rule has no effect; Infinity: it never ends. */
  readonly times: number
}

const KEYS = ['on', 'table', 'after', 'times', 'delayMs', 'error', 'failEach', 'loseScanner', 'hangUp']
const DELAY_MS_MAX = 3_600_000

/** Reads an array of rules. Throws ILLEGAL_ARGUMENT where it is none. */
export function parseFaultRules(json: unknown): readonly FaultRule[] {
  return arrayOf(json, 'the rules').map((rule, i) => parseRule(rule, `rule ${i + 1}`))
}

function parseRule(json: unknown, where: string): FaultRule {
  const given = objectOf(json, where, KEYS)
  const on = arrayOf(given['on'], `"on" of ${where}`).map((value) =>
    oneOf(OPERATIONS, value, `"on" of ${where}`),
  )
  const { table, after = 0, times, delayMs, error, failEach, loseScanner = false, hangUp } = given
  if (typeof loseScanner !== 'boolean') throw wrong(`"loseScanner" of ${where}`, 'true or false', loseScanner)
  const rule: FaultRule = {
    on: on.length === 0 ? OPERATIONS : on,
    after: numberOf(after, `"after" of ${where}`, 0),
    times: times === undefined ? Number.POSITIVE_INFINITY : numberOf(times, `"times" of ${where}`, 1),
    loseScanner,
    ...(table !== undefined && { table: textOf(table, `"table" of ${where}`) }),
    ...(delayMs !== undefined && {
      delayMs: Math.min(numberOf(delayMs, `"delayMs" of ${where}`, 1), DELAY_MS_MAX),
    }),
    ...(error !== undefined && { error: errorOf(error, where) }),
    ...(failEach !== undefined && { failEach: numberOf(failEach, `"failEach" of ${where}`, 1) }),
    ...(hangUp !== undefined && { hangUp: oneOf(HANG_UPS, hangUp, `"hangUp" of ${where}`) }),
  }
  if (rule.failEach !== undefined && (rule.error === undefined || !isFor(rule, 'write')))
    throw wrong(where, 'for writes and have an "error", if it has "failEach"', json)
  if (rule.loseScanner && !isFor(rule, 'next'))
    throw wrong(where, 'for "next", if it has "loseScanner"', json)
  if (delayMs === undefined && error === undefined && hangUp === undefined && !rule.loseScanner)
    throw wrong(where, 'a fault: delayMs, error, loseScanner or hangUp', json)
  return rule
}

function isFor({ on }: FaultRule, operation: Operation): boolean {
  return on.length === 1 && on[0] === operation
}

function errorOf(value: unknown, where: string): NonNullable<Fault['error']> {
  const name = oneOf(ERROR_NAMES, value, `"error" of ${where}`)
  return { code: ERRORS[name], name }
}

function oneOf<Name extends string>(names: readonly Name[], value: unknown, where: string): Name {
  const known = names.find((name) => name === value)
  if (known === undefined) throw wrong(where, `one of ${names.join(', ')}`, value)
  return known
}

/** The present rules, and how many calls each has matched. */
export class FaultRules {
  #rules: readonly { readonly rule: FaultRule; met: number }[] = []

  set(rules: readonly FaultRule[]): void {
    this.#rules = rules.map((rule) => ({ rule, met: 0 }))
  }

  /** The number of faults of each rule, in the order of the rules. */
  get made(): readonly number[] {
    return this.#rules.map(({ rule, met }) => Math.max(0, Math.min(met - rule.after, rule.times)))
  }

  /** The fault of the first rule that has one for this call. Each rule that matches the call counts it. */
  faultFor(operation: Operation, table: string | undefined): Fault | undefined {
    let fault: Fault | undefined
    for (const state of this.#rules) {
      const { rule } = state
      if (!rule.on.includes(operation) || (rule.table !== undefined && rule.table !== table)) continue
      if (fault !== undefined) continue
      state.met++
      if (state.met > rule.after && state.met <= rule.after + rule.times) fault = rule
    }
    return fault
  }
}

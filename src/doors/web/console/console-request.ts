import type { Logger } from 'pino'
import type { MemoryBudget } from '../../../gateway/limits/memory-budget.ts'
import { HBaseError } from '../../../model/errors.ts'
import type { Call } from '../../../store/call.ts'
import type { Store } from '../../../store/store.ts'
import type { ServerFacts } from '../status/server-facts.ts'

/** A request for the console's data, with the parts of the server that answers need. */
export interface ConsoleRequest {
  readonly store: Store
  readonly call: Call
  readonly facts: ServerFacts
  readonly memory: MemoryBudget
  readonly logger: Logger
  readonly uptimeSeconds: number
  readonly query: URLSearchParams
}

/** A required parameter. */
export function named({ query }: ConsoleRequest, name: string): string {
  const value = query.get(name)
  if (value === null || value === '') throw refused(`the parameter ${name} is missing`)
  return value
}

/** The bytes of a parameter in base64; undefined where the query lacks it. */
export function bytesNamed({ query }: ConsoleRequest, name: string): Buffer | undefined {
  const text = query.get(name)
  return text === null ? undefined : bytesOf(text, name)
}

/** Decodes base64, also the URL-safe one. */
export function bytesOf(text: unknown, name: string): Buffer {
  if (typeof text === 'string' && /^[A-Za-z0-9+/_-]*={0,2}$/.test(text)) return Buffer.from(text, 'base64')
  throw refused(`${name} is not base64`)
}

/** A timestamp as decimal text: JavaScript's numbers would round it. */
export function int64Of(text: string, name: string): bigint {
  if (/^\d{1,19}$/.test(text) && BigInt(text) <= 0x7fffffffffffffffn) return BigInt(text)
  throw refused(`${name} must be a timestamp, a whole number from 0 to 9223372036854775807`)
}

/** A whole number from 1 to `max`; `otherwise` for an empty or missing parameter. */
export function countOf(text: string | null, name: string, otherwise: number, max: number): number {
  if (text === null || text === '') return otherwise
  const count = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (count >= 1 && count <= max) return count
  throw refused(`${name} must be a whole number from 1 to ${max}`)
}

export function refused(reason: string): HBaseError {
  return new HBaseError('ILLEGAL_ARGUMENT', reason)
}

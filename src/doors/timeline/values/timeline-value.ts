/** The values of events, filters and other information: what JSON can say, with Java's types of numbers. */

/** A Double of Java's: 2.0 is another value than 2. */
export class JavaDouble {
  readonly value: number

  constructor(value: number) {
    this.value = value
  }
}

/** A `number` is a whole one, an Integer or a Long of Java's; a `bigint` is one that no `number` has exactly. */
export type TimelineValue =
  | null
  | boolean
  | string
  | number
  | bigint
  | JavaDouble
  | readonly TimelineValue[]
  | ReadonlyMap<string, TimelineValue>

export function isList(value: TimelineValue): value is readonly TimelineValue[] {
  return Array.isArray(value)
}

/** The number of a JSON number's digits: whole, unless it has a fraction or an exponent. */
export function numberOf(digits: string): number | bigint | JavaDouble {
  if (/[.eE]/.test(digits)) return new JavaDouble(Number(digits))
  return wholeNumber(BigInt(digits))
}

/** A number of more digits takes long to read, and nobody means one. */
export const DIGITS_MAX = 1000

export function wholeNumber(value: bigint): number | bigint {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

/** Java's equals. */
export function equalValues(a: TimelineValue, b: TimelineValue): boolean {
  if (a === b) return true
  if (a instanceof JavaDouble) return b instanceof JavaDouble && Object.is(a.value, b.value)
  if (a instanceof Map) {
    if (!(b instanceof Map) || a.size !== b.size) return false
    return [...a].every(([name, value]) => b.has(name) && equalValues(value, b.get(name)))
  }
  if (a === null || b === null || !isList(a) || !isList(b)) return false
  return a.length === b.length && a.every((value, index) => equalValues(value, b[index]!))
}

/** The values of events, filters and other information: JSON values, with Java's types of numbers. */

/** A Java Double: 2.0 and 2 are different values. */
export class JavaDouble {
  readonly value: number

  constructor(value: number) {
    this.value = value
  }
}

/** A `number` is a whole one, Java's Integer or Long. A `bigint` is one that a `number` cannot hold exactly. */
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

/** The number of a JSON number's text: a whole one, or a Double if it has a fraction or an exponent. */
export function numberOf(digits: string): number | bigint | JavaDouble {
  if (/[.eE]/.test(digits)) return new JavaDouble(Number(digits))
  return wholeNumber(BigInt(digits))
}

/** The most digits of a number. Longer ones take too long to parse. */
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

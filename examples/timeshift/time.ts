/** Years as HBase's times, milliseconds since 1970, and the years that stand 50,000 later for the same. */

/** 125 times the 400 years after which the calendar repeats itself: the same for each day. */
export const SHIFT_YEARS = 50_000
export const SHIFT: number = (SHIFT_YEARS / 400) * 146_097 * 86_400_000

/** The largest time of 64 bits, as text: no JavaScript number is equal to it. */
export const END_OF_TIME = '9223372036854775807'

/** The first millisecond of a year. */
export function year(number: number): number {
  return Date.UTC(number, 0, 1)
}

/** Where the label of a year lies. It is still far below 2^53, so that JavaScript's numbers are exact. */
export function shifted(number: number): number {
  return year(number) + SHIFT
}

export function yearOf(timestamp: number): number {
  return new Date(timestamp).getUTCFullYear()
}

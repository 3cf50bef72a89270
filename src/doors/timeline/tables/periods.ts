/** Periods: the entities that start in one lie in tables of their own, so that old ones are dropped as a whole. */

/** YARN's names of them. */
export const ROLLING_PERIODS = ['DAILY', 'HALF_DAILY', 'QUARTER_DAILY', 'HOURLY', 'MINUTELY'] as const
export type RollingPeriod = (typeof ROLLING_PERIODS)[number]

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

const LENGTHS: Readonly<Record<RollingPeriod, number>> = {
  DAILY: 24 * HOUR_MS,
  HALF_DAILY: 12 * HOUR_MS,
  QUARTER_DAILY: 6 * HOUR_MS,
  HOURLY: HOUR_MS,
  MINUTELY: 5 * MINUTE_MS,
}

/** Letters of `2026-11-21T22:05` that a name has. */
const NAME_LENGTHS: Readonly<Record<RollingPeriod, number>> = {
  DAILY: 10,
  HALF_DAILY: 13,
  QUARTER_DAILY: 13,
  HOURLY: 13,
  MINUTELY: 16,
}

const NAME = /^(\d{4})-(\d\d)-(\d\d)(?:-(\d\d)(?:-(\d\d))?)?$/

/** When the period begins that the time lies in, in milliseconds since 1970. */
export function periodStart(time: number, period: RollingPeriod): number {
  return Math.floor(time / LENGTHS[period]) * LENGTHS[period]
}

/** When the period after it begins. */
export function periodEnd(start: number, period: RollingPeriod): number {
  return periodStart(start, period) + LENGTHS[period]
}

/** `2026-11-21-22`: the start in GMT. */
export function periodName(start: number, period: RollingPeriod): string {
  return new Date(start).toISOString().slice(0, NAME_LENGTHS[period]).replace(/[T:]/g, '-')
}

/** The start of a period by a name of any length; undefined for what is no such name. */
export function startOfName(name: string): number | undefined {
  const [, year, month, day, hour = '00', minute = '00'] = NAME.exec(name) ?? []
  if (year === undefined) return undefined
  const start = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:00Z`)
  return Number.isNaN(start) ? undefined : start
}

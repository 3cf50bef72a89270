/** Periods of time. The entities that start in a period have tables of their own, so that old periods can be dropped as a whole. */

/** YARN's names for the lengths of periods. */
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

/** The number of characters of `2026-11-21T22:05` in a period's name. */
const NAME_LENGTHS: Readonly<Record<RollingPeriod, number>> = {
  DAILY: 10,
  HALF_DAILY: 13,
  QUARTER_DAILY: 13,
  HOURLY: 13,
  MINUTELY: 16,
}

const NAME = /^(\d{4})-(\d\d)-(\d\d)(?:-(\d\d)(?:-(\d\d))?)?$/

/** The start of the period that contains the time, in milliseconds since 1970. */
export function periodStart(time: number, period: RollingPeriod): number {
  return Math.floor(time / LENGTHS[period]) * LENGTHS[period]
}

/** The end of a period, exclusive, in milliseconds since 1970. */
export function periodEnd(start: number, period: RollingPeriod): number {
  return periodStart(start, period) + LENGTHS[period]
}

/** The name of a period, which is its start in GMT: `2026-11-21-22`. */
export function periodName(start: number, period: RollingPeriod): string {
  return new Date(start).toISOString().slice(0, NAME_LENGTHS[period]).replace(/[T:]/g, '-')
}

/** The start of a period from its name, of any length; undefined for other names. */
export function startOfName(name: string): number | undefined {
  const [, year, month, day, hour = '00', minute = '00'] = NAME.exec(name) ?? []
  if (year === undefined) return undefined
  const start = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:00Z`)
  return Number.isNaN(start) ? undefined : start
}

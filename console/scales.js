/** The axes of plots: round steps of values and of time. */

const STEPS_S = [10, 30, 60, 120, 300, 600, 900, 1800]

/**
 * Round values from 0 up to the least that is not below `max`, at most five.
 *
 * @param {number} max
 * @param {'whole' | 'bytes' | 'any'} kind of the values
 */
export function valueTicks(max, kind) {
  const least = Math.max(max, Number.MIN_VALUE, kind === 'any' ? 0 : 4) / 4
  // Of bytes: round in KB, MB or GB.
  const unit = kind === 'bytes' ? 1024 ** Math.floor(Math.log(least) / Math.log(1024)) : 1
  const power = 10 ** Math.floor(Math.log10(least / unit))
  const parts = power < 10 && kind !== 'any' ? [1, 2, 5] : [1, 2, 2.5, 5]
  const step = (parts.find((part) => part * power * unit >= least) ?? 10) * power * unit
  const count = Math.ceil(max / step - 1e-9)
  return Array.from({ length: Math.max(1, count) + 1 }, (_, index) => index * step)
}

/**
 * Full minutes and the like between two moments.
 *
 * @param {number} from milliseconds since 1970
 * @param {number} to
 * @param {number} most the number of ticks that have room
 */
export function timeTicks(from, to, most) {
  const seconds = (to - from) / 1000
  const step = (STEPS_S.find((each) => seconds / each <= most) ?? 3600) * 1000
  const ticks = []
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) ticks.push(at)
  return ticks
}

/** The time of day of a tick. @param {number} at @param {boolean} hasSeconds */
export function clock(at, hasSeconds) {
  const date = new Date(at)
  const parts = [date.getHours(), date.getMinutes(), ...(hasSeconds ? [date.getSeconds()] : [])]
  return parts.map((part) => String(part).padStart(2, '0')).join(':')
}

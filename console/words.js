/** Prints numbers, sizes and times for users. */

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB']

/** @param {number} value */
export function size(value) {
  let unit = 0
  let rest = value
  while (rest >= 1024 && unit < UNITS.length - 1) {
    rest /= 1024
    unit++
  }
  return `${rest >= 100 || unit === 0 ? Math.round(rest) : rest.toFixed(1)} ${UNITS[unit]}`
}

/**
 * A size that HBase counts in whole megabytes, where 1 is also less than one.
 *
 * @param {number} value
 */
export function sizeOfMB(value) {
  if (value === 0) return '0 B'
  return value === 1 ? '≤ 1 MB' : size(value * 1024 * 1024)
}

/** @param {number | undefined} ms */
export function duration(ms) {
  if (ms === undefined) return '-'
  if (ms < 1) return `${Math.round(ms * 1000)} µs`
  if (ms < 1000) return `${ms.toFixed(ms < 10 ? 1 : 0)} ms`
  return `${(ms / 1000).toFixed(1)} s`
}

/** @param {number} value */
export function count(value) {
  return value.toLocaleString('en')
}

/** @param {number} perSecond */
export function rate(perSecond) {
  if (perSecond > 0 && perSecond < 1) return String(Number(perSecond.toPrecision(2)))
  return perSecond < 10 ? perSecond.toFixed(1) : count(Math.round(perSecond))
}

/** @param {number} seconds */
export function uptime(seconds) {
  const days = Math.floor(seconds / 86400)
  const clock = new Date((seconds % 86400) * 1000).toISOString().slice(11, 19)
  return days === 0 ? clock : `${days} d ${clock}`
}

/**
 * A cell's timestamp as a date; empty where it is not between 2000 and 2100 in milliseconds since 1970, and so is probably no time.
 *
 * @param {string} timestamp
 */
export function time(timestamp) {
  const ms = Number(timestamp)
  return ms > 946684800000 && ms < 4102444800000
    ? new Date(ms).toISOString().replace('T', ' ').replace('Z', '')
    : ''
}

/** @param {number} number */
function two(number) {
  return String(number).padStart(2, '0')
}

/** @param {number} ms milliseconds since 1970 */
export function localTime(ms) {
  const date = new Date(ms)
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}

/** @param {number} ms how long ago */
export function ago(ms) {
  const seconds = Math.round(ms / 1000)
  if (seconds < 0) return 'in the future'
  if (seconds < 60) return `${seconds} s ago`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`
  if (seconds < 172_800) return `${Math.floor(seconds / 3600)} h ago`
  return `${Math.floor(seconds / 86_400)} days ago`
}

/** @param {number} part from 0 to 1 */
export function percent(part) {
  return `${(part * 100).toFixed(part < 0.1 ? 1 : 0)} %`
}

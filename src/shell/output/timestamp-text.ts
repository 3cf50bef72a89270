/** Times as HBase's shell prints them, in the zone of the machine: Java's LocalDateTime.toString, for any 64-bit number. */

const DAY_MS = 86_400_000n
/** The limit of JavaScript's dates. Beyond it, the zone's offset is that of the last date. */
const DATE_MS_MAX = 8_640_000_000_000_000n

/** A time as `2026-11-25T10:18:51.565`, without seconds and their fraction where these are zero. */
export function localDateTime(timestamp: bigint): string {
  const local = timestamp - zoneOffsetMs(timestamp)
  const days = floorDivide(local, DAY_MS)
  const { year, month, day } = civilDate(days)
  const ofDay = Number(local - days * DAY_MS)
  const [seconds, millis] = [Math.floor(ofDay / 1000), ofDay % 1000]
  const date = `${yearText(year)}-${two(month)}-${two(day)}`
  const time = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}`
  const second = seconds % 60
  if (second === 0 && millis === 0) return `${date}T${time}`
  const fraction = millis === 0 ? '' : `.${String(millis).padStart(3, '0')}`
  return `${date}T${time}:${two(second)}${fraction}`
}

/** A time as Ruby prints it, `2026-11-25 10:19:22 +0000`. */
export function rubyTime(millis: number): string {
  const offset = -new Date(millis).getTimezoneOffset()
  const local = new Date(millis + offset * 60_000).toISOString()
  const sign = offset < 0 ? '-' : '+'
  const minutes = Math.abs(offset)
  return `${local.slice(0, 10)} ${local.slice(11, 19)} ${sign}${two(Math.floor(minutes / 60))}${two(minutes % 60)}`
}

function zoneOffsetMs(timestamp: bigint): bigint {
  const magnitude = timestamp < 0n ? -timestamp : timestamp
  const bounded = magnitude > DATE_MS_MAX ? (timestamp < 0n ? -DATE_MS_MAX : DATE_MS_MAX) : timestamp
  return BigInt(Math.round(new Date(Number(bounded)).getTimezoneOffset() * 60_000))
}

function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b
  return a % b < 0n ? quotient - 1n : quotient
}

/** The date of the Gregorian calendar `days` days after 1970-01-01. The calculation counts years from the first of March. */
function civilDate(days: bigint): { readonly year: bigint; readonly month: number; readonly day: number } {
  const shifted = days + 719_468n
  const era = floorDivide(shifted, 146_097n)
  const ofEra = Number(shifted - era * 146_097n)
  const yearOfEra = Math.floor(
    (ofEra - Math.floor(ofEra / 1460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / 146_096)) / 365,
  )
  const ofYear = ofEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const fromMarch = Math.floor((5 * ofYear + 2) / 153)
  const day = ofYear - Math.floor((153 * fromMarch + 2) / 5) + 1
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
  return { year: BigInt(yearOfEra) + era * 400n + (month <= 2 ? 1n : 0n), month, day }
}

/** ISO 8601: four digits, and a sign before longer or earlier years. */
function yearText(year: bigint): string {
  if (year > 9999n) return `+${year}`
  return year < 0n ? `-${String(-year).padStart(4, '0')}` : String(year).padStart(4, '0')
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}

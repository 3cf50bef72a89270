/** Numbers as Java prints them. */

/** A double or float that a server has told: whole numbers have a zero behind the point. */
export function floatText(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity'
  return Number.isInteger(value)
    ? value.toFixed(1)
    : String(Math.fround(value) === value ? shortest(value) : value)
}

/** The fewest digits that are still the same float of 32 bits. */
function shortest(value: number): number {
  for (let digits = 1; digits < 9; digits++) {
    const text = Number(value.toPrecision(digits))
    if (Math.fround(text) === value) return text
  }
  return value
}

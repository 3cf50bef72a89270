/** Numbers as Java prints them. */

/** A double or float from a server: whole numbers get a zero after the point. */
export function floatText(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity'
  return Number.isInteger(value)
    ? value.toFixed(1)
    : String(Math.fround(value) === value ? shortest(value) : value)
}

/** The number with the fewest digits that is the same 32-bit float. */
function shortest(value: number): number {
  for (let digits = 1; digits < 9; digits++) {
    const text = Number(value.toPrecision(digits))
    if (Math.fround(text) === value) return text
  }
  return value
}

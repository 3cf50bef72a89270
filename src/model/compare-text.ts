/** The order by UTF-16 code units: negative, zero or positive. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

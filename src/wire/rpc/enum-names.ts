/** The name of a number in an enumeration of a protocol; the number itself where it has no name. */
export function nameIn(enumeration: Readonly<Record<string, number>>, value: number): string {
  return Object.entries(enumeration).find(([, each]) => each === value)?.[0] ?? String(value)
}

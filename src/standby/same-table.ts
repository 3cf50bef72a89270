import type { Attributes, TableDescriptor } from '../model/descriptor.ts'

/** Whether two tables have the same families, attributes and settings. */
export function isSameTable(one: TableDescriptor, other: TableDescriptor): boolean {
  return textOf(one) === textOf(other)
}

function textOf({ attributes, families, ...more }: TableDescriptor): string {
  const ofFamilies = families
    .map(({ name, attributes: each, configuration }) => [
      name.toString('base64'),
      sorted(each),
      sorted(configuration ?? new Map()),
    ])
    .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))
  return JSON.stringify([more.name, sorted(attributes), ofFamilies])
}

function sorted(attributes: Attributes): (readonly [string, string])[] {
  return [...attributes].sort(([a], [b]) => (a < b ? -1 : 1))
}

/** The entity of the example: a house's rate, year by year, and what it is called. */

import type { Cell, NewCell } from '../shared/rest-table.ts'
import { yearOf } from './time.ts'

export const ENTITY = 'e'
export const RATE = 't:v'
export const LABEL = 'm:label'

/** The versions that a family keeps: enough for a long series. */
export function family(name: string, attributes: object = {}): object {
  return { name, VERSIONS: '1000', ...attributes }
}

export const RATES: readonly (readonly [year: number, rate: string])[] = [
  [2009, '0.98'],
  [2010, '1.02'],
  [2011, '0.93'],
  [2012, '0.87'],
  [2013, '1.09'],
]

export function newCell(column: string, value: string, timestamp: number, key: string = ENTITY): NewCell {
  return { key, column, $: value, timestamp }
}

/** How the parts show a cell. */
export function shown({ timestamp, column, $ }: Cell): string {
  return `${String(yearOf(timestamp)).padStart(5)}  ${column.padEnd(8)} ${$}`
}

export function valuesOf(cells: readonly Cell[]): string[] {
  return cells.map(({ $ }) => $)
}

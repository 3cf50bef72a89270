/** Rows and cells of OpenTSDB as people read them. */

import type { Cell } from '../shared/rest-table.ts'
import type { Dictionary } from './dictionary.ts'
import { pointOf } from './query.ts'
import { decodeRowKey, hex } from './row-format.ts'

/** The key's bytes in their parts, and what they stand for. */
export function describedKey(key: string, names: Dictionary): string {
  const { metric, hour, tags } = names.namesOf(key)
  const bytes = [key.slice(0, 3), key.slice(3, 7), ...(key.slice(7).match(/[^]{6}/g) ?? [])].map(hex)
  const tagged = Object.entries(tags).map(([name, value]) => `${name}=${value}`)
  return `${bytes.join(' ')}  ${metric} ${new Date(hour * 1000).toISOString().slice(0, 16)} ${tagged.join(' ')}`
}

/** A cell's qualifier and value, and the point that they are. */
export function describedCell(cell: Cell): string {
  const { time, value } = pointOf(cell)
  const offset = (time / 1000 - decodeRowKey(cell.key).hour).toFixed(3)
  return `  ${hex(cell.column.slice('t:'.length)).padEnd(8)} ${hex(cell.$).padEnd(4)}  +${offset} s = ${value}`
}

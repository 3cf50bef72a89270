import { isHBaseError } from '../../model/errors.ts'
import { plainMessage } from '../../model/plain-message.ts'

/** HBase's message describes the whole table behind this. */
const FAMILY = /Column family (.*?) does not exist in region /s

export interface ImportTarget {
  readonly table: string
  /** Whether the command makes a missing table. */
  readonly create?: boolean
}

/** The reason why a store refuses an import, with the remedy where it is a missing table or family. */
export function importRefusal(error: unknown, { table, create = false }: ImportTarget): string {
  if (!isHBaseError(error)) return (error as Error).message
  if (error.code === 'TABLE_NOT_FOUND' && !create)
    return `there is no table ${table}: create it first, or let --create make it`
  if (error.code === 'NO_SUCH_COLUMN_FAMILY') {
    const family = FAMILY.exec(error.message)?.[1]
    const lack = family === undefined ? 'lacks a family of these cells' : `has no family ${family}`
    const how = family === undefined ? 'alter' : `alter '${table}', '${family}'`
    return `the table ${table} ${lack}: add it in the shell (${how}), or correct the names of the columns`
  }
  return plainMessage(error)
}

import { HBaseError } from '../../../model/errors.ts'
import { parseTableName, type TableName } from '../../../model/table-name.ts'
import { Refusal } from '../http/errors.ts'

/** Throws Refusal 500 for a name that no table can have: for some resources HBase parses it too late to say better. */
export function lateTableName(text: string): TableName {
  try {
    return parseTableName(text)
  } catch (error) {
    throw error instanceof HBaseError ? new Refusal(500, error.message) : error
  }
}

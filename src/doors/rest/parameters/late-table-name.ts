import { isHBaseError } from '../../../model/errors.ts'
import { parseTableName, type TableName } from '../../../model/table-name.ts'
import { withStatus } from '../http/errors.ts'

/**
 * Throws StatusError 500 for a name that no table can have.
 * QUIRK rest-schema-read-bad-bang-name-exists: some resources parse the name too late to answer 400.
 */
export function lateTableName(text: string): TableName {
  try {
    return parseTableName(text)
  } catch (error) {
    throw isHBaseError(error) ? withStatus(500, error, error.message) : error
  }
}

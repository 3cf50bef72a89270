import { isHBaseError } from '../../../model/errors.ts'
import { parseTableName, type TableName } from '../../../model/table-name.ts'
import { withStatus } from '../http/errors.ts'

/**
 * Parses a table name. Throws StatusError 500 for an invalid name.
 * QUIRK rest-schema-read-bad-bang-name-exists: some resources of HBase parse the name too late to answer 400.
 */
export function lateTableName(text: string): TableName {
  try {
    return parseTableName(text)
  } catch (error) {
    throw isHBaseError(error) ? withStatus(500, error, error.message) : error
  }
}

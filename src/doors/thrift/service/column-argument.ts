import { EMPTY } from '../../../model/bytes.ts'
import { splitColumn } from '../../../model/column-name.ts'
import { HBaseError } from '../../../model/errors.ts'

/** Parses `family:qualifier`. Throws ILLEGAL_ARGUMENT for a family alone. */
export function parseWholeColumn(column: Buffer = EMPTY): {
  readonly family: Buffer
  readonly qualifier: Buffer
} {
  const { family, qualifier } = splitColumn(column)
  if (qualifier === undefined) {
    throw new HBaseError(
      'ILLEGAL_ARGUMENT',
      `a column must be given as family:qualifier, not "${family.toString()}"`,
    )
  }
  return { family, qualifier }
}

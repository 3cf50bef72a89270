import { EMPTY } from '../../../model/bytes.ts'
import { splitColumn } from '../../../model/column-name.ts'
import { HBaseError } from '../../../model/errors.ts'

/** For methods to which a family alone means nothing. Throws ILLEGAL_ARGUMENT. */
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

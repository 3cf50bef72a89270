import { splitColumn } from '../../../model/column-name.ts'
import { HBaseError } from '../../../model/errors.ts'
import { required } from './required.ts'

/** Parses `family:qualifier`. Throws ILLEGAL_ARGUMENT for a family without a qualifier. */
export function parseWholeColumn(column: Buffer | undefined): {
  readonly family: Buffer
  readonly qualifier: Buffer
} {
  const { family, qualifier } = splitColumn(required(column, 'the column'))
  if (qualifier === undefined) {
    throw new HBaseError(
      'ILLEGAL_ARGUMENT',
      `a column must be given as family:qualifier, not "${family.toString()}"`,
    )
  }
  return { family, qualifier }
}

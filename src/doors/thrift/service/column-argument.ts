import { EMPTY } from '../../../model/bytes.ts'
import { HBaseError } from '../../../model/errors.ts'
import { type Columns, ColumnsBuilder } from '../../../model/query.ts'

/** A column as Thrift 1 writes it: `family:qualifier`, split at the first colon. */
export interface ColumnArgument {
  readonly family: Buffer
  /** Undefined where there is no colon: the whole family. EMPTY for `family:`, the column with the empty qualifier. */
  readonly qualifier: Buffer | undefined
}

const COLON = 0x3a

export function parseColumn(column: Buffer = EMPTY): ColumnArgument {
  const colon = column.indexOf(COLON)
  if (colon < 0) return { family: column, qualifier: undefined }
  return { family: column.subarray(0, colon), qualifier: column.subarray(colon + 1) }
}

/** For methods to which a family alone means nothing. Throws ILLEGAL_ARGUMENT. */
export function parseWholeColumn(column: Buffer | undefined): {
  readonly family: Buffer
  readonly qualifier: Buffer
} {
  const { family, qualifier } = parseColumn(column)
  if (qualifier === undefined) {
    throw new HBaseError(
      'ILLEGAL_ARGUMENT',
      `a column must be given as family:qualifier, not "${family.toString()}"`,
    )
  }
  return { family, qualifier }
}

export function columnsOf(columns: readonly Buffer[] | undefined): Columns {
  const builder = new ColumnsBuilder()
  for (const column of columns ?? []) {
    const { family, qualifier } = parseColumn(column)
    if (qualifier === undefined) builder.addFamily(family)
    else builder.addColumn(family, qualifier)
  }
  return builder.build()
}

import { type Columns, ColumnsBuilder } from '../../../model/query.ts'

const COLON = 0x3a

export interface ColumnParts {
  readonly family: Buffer
  /** Undefined for a whole family. */
  readonly qualifier: Buffer | undefined
}

/** `family` or `family:qualifier`, split at the first colon. HBase: CellUtil.parseColumn. */
export function splitColumn(column: Buffer): ColumnParts {
  const colon = column.indexOf(COLON)
  if (colon < 0) return { family: column, qualifier: undefined }
  return { family: column.subarray(0, colon), qualifier: column.subarray(colon + 1) }
}

export function columnsOf(columns: readonly Buffer[]): Columns {
  const builder = new ColumnsBuilder()
  for (const column of columns) {
    const { family, qualifier } = splitColumn(column)
    if (qualifier === undefined) builder.addFamily(family)
    else builder.addColumn(family, qualifier)
  }
  return builder.build()
}

import { type Columns, ColumnsBuilder } from './query.ts'
import type { Steps } from './steps.ts'

const COLON = 0x3a

/** A column as REST and Thrift 1 write it: `family` or `family:qualifier`. */
export interface ColumnName {
  readonly family: Buffer
  /** Undefined where there is no colon: the whole family. EMPTY for `family:`, the column with the empty qualifier. */
  readonly qualifier: Buffer | undefined
}

/** Splits at the first colon; the parts share the name's bytes. HBase: CellUtil.parseColumn. */
export function splitColumn(column: Buffer): ColumnName {
  const colon = column.indexOf(COLON)
  if (colon < 0) return { family: column, qualifier: undefined }
  return { family: column.subarray(0, colon), qualifier: column.subarray(colon + 1) }
}

/** The families and columns with these names; every column, if there are no names. */
export function columnsNamed(columns: readonly Buffer[]): Columns {
  const builder = new ColumnsBuilder()
  for (const column of columns) addNamed(builder, column)
  return builder.build()
}

function addNamed(builder: ColumnsBuilder, column: Buffer): void {
  const { family, qualifier } = splitColumn(column)
  if (qualifier === undefined) builder.addFamily(family)
  else builder.addColumn(family, qualifier)
}

/** Names that are added in a step. */
const STEP_NAMES = 256

/** As columnsNamed. */
export function* columnsNamedInSteps(columns: readonly Buffer[]): Steps<Columns> {
  const builder = new ColumnsBuilder()
  for (let i = 0; i < columns.length; i++) {
    if (i % STEP_NAMES === STEP_NAMES - 1) yield
    addNamed(builder, columns[i]!)
  }
  const rest = builder.settle()
  if (rest !== undefined) yield* rest
  return builder.build()
}

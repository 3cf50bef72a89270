/** A filter's answer for a cell. HBase: Filter.ReturnCode. */
export const FilterCode = {
  Include: 0,
  /** Include, and on to the next column. */
  IncludeAndNextColumn: 1,
  Skip: 2,
  NextColumn: 3,
  /** On to the next row, in this family: the scan still asks about the row's cells in other families. */
  NextRow: 4,
  /** On to the cell that `nextCellHint` names. */
  SeekNextUsingHint: 5,
  IncludeAndSeekNextRow: 6,
} as const

export type FilterCode = (typeof FilterCode)[keyof typeof FilterCode]

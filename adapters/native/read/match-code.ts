/** Decides whether to include a cell, and where to go next. The including codes come first: `code <= IncludeAndNextRow`. */
export const MatchCode = {
  Include: 0,
  IncludeAndNextColumn: 1,
  IncludeAndNextRow: 2,
  /** On to the next cell. */
  Skip: 3,
  /** On to the next wanted column, over the older versions of this one. */
  NextColumn: 4,
  NextRow: 5,
  /** On to the cell of the filter's hint. */
  SeekHint: 6,
  /** The filter lets nothing through any more. */
  Done: 7,
} as const
export type MatchCode = (typeof MatchCode)[keyof typeof MatchCode]

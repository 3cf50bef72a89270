/** What to do with a cell and where to go from it. The including codes come first: `code <= IncludeAndNextRow`. */
export const MatchCode = {
  Include: 0,
  IncludeAndNextColumn: 1,
  IncludeAndNextRow: 2,
  /** On to the next cell. */
  Skip: 3,
  /** To the next column that is wanted, over the older versions of this one. */
  NextColumn: 4,
  NextRow: 5,
  /** To where the filter's hint leads. */
  SeekHint: 6,
  /** The filter lets nothing through any more. */
  Done: 7,
} as const
export type MatchCode = (typeof MatchCode)[keyof typeof MatchCode]

/** Time as an argument, so that tests can move it. */
export interface Time {
  /** Milliseconds that only grow, from any beginning. */
  now(): number
  /** Milliseconds since 1970: callers tell their deadlines in these. The clock may be set anew meanwhile. */
  epochMs(): number
  /** Calls `callback` once after so many milliseconds, unless the function that it returns is called before. */
  after(ms: number, callback: () => void): () => void
}

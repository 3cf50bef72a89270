/** Time as an argument, so that tests can move it. */
export interface Time {
  /** Monotonic milliseconds, from any origin. */
  now(): number
  /** Milliseconds since 1970, the unit of callers' deadlines. The clock may be set meanwhile. */
  epochMs(): number
  /** Calls `callback` once after `ms` milliseconds, unless the returned function is called before. */
  after(ms: number, callback: () => void): () => void
}

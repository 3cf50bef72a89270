/** Calls `wake` every so many milliseconds until the returned function is called. */
export type WakeUps = (wake: () => void, everyMs: number) => () => void

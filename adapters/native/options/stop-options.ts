export interface StopOptions {
  /** So many regions are flushed however little they hold. */
  readonly smallRegionsMax: number
  /** More than those only where they hold so much: the replay of it takes about as long as its file. */
  readonly worthBytes: number
  /** After so long no more flush begins, and those that run end: the log has their rows. The whole stop has 9 s. */
  readonly flushMsMax: number
}

export const DEFAULT_STOP_OPTIONS: StopOptions = {
  smallRegionsMax: 64,
  worthBytes: 128 * 1024,
  flushMsMax: 2500,
}

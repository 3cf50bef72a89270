export interface WalOptions {
  /** A file of this size is closed and the next one begun. */
  readonly logBytesMax: number
  /** Bytes after which a sync in the background begins, so that a roll never waits long. */
  readonly syncEveryBytes: number
}

export const DEFAULT_WAL_OPTIONS: WalOptions = {
  logBytesMax: 64 * 1024 * 1024,
  syncEveryBytes: 8 * 1024 * 1024,
}

/** What the write-ahead log is made of, and its sizes. */

import type { NativeLog } from '../native-options.ts'
import type { FileSystem } from '../platform/file-system.ts'
import type { LostAndFound } from '../platform/lost-and-found.ts'
import type { LogRegistry } from './log-files.ts'

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

export interface WalEvents {
  /** Of all writes, those that skip the log included. */
  lastSequenceId(): number
  /** At each commit, before its writers are answered: reads may see the writes up to the sequence id. */
  onCommit(sequenceId: number): void
  /** After the log has gone on to the next file. */
  onRoll(): void
  /** After the pending records were dropped: their cells must go from the memstores. */
  onFailure(): void
  /** After a failure, when records are taken again. Store files should soon have what the older logs have. */
  onRestart(): void
}

/** Where the log finds its files, and tells of them. */
export interface WalParts {
  readonly fileSystem: FileSystem
  readonly directory: string
  readonly registry: LogRegistry
  readonly lost: LostAndFound
  readonly log: NativeLog
  readonly events: WalEvents
  readonly options?: WalOptions
}

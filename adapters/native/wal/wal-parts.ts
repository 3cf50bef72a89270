/** Collaborators and events of the write-ahead log. */

import type { LogRegistry } from '../manifest/log-registry.ts'
import type { WalOptions } from '../options/wal-options.ts'
import type { FileSystem } from '../platform/file-system.ts'
import type { LostAndFound } from '../platform/lost-and-found.ts'
import type { NativeLog } from '../platform/native-log.ts'
import type { RemovalHolds } from '../platform/removal-holds.ts'
import type { LogKeeping } from './log-keeping.ts'

export interface WalEvents {
  /** The last sequence id of all writes, those that skip the log included. */
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

/** Collaborators of the log. */
export interface WalParts {
  readonly fileSystem: FileSystem
  readonly directory: string
  readonly registry: LogRegistry
  readonly lost: LostAndFound
  readonly log: NativeLog
  readonly events: WalEvents
  readonly options?: WalOptions
  /** Logs that stay for readers of changes; undefined: none does. */
  readonly keeping?: LogKeeping
  /** Keeps files that are not needed any more; undefined: they go at once. */
  readonly holds?: RemovalHolds
  /** Whether a log that the store does not need stays, for one who follows it; undefined: none does. */
  readonly isFollowed?: (number: number) => boolean
}

import type { LogKeepingRecord, LogRecord } from './manifest-edit.ts'

/** The list of logs that the manifest keeps. */
export interface LogRegistry {
  /** The logs there must be; undefined in a store of the time before they were recorded. */
  readonly logs: readonly LogRecord[] | undefined
  /** The part of the log that is kept for readers of changes; undefined: nothing is. */
  readonly keeping?: LogKeepingRecord | undefined
  /** Sequence ids up to this one have been used; undefined: it is not known. */
  readonly lastSequenceId?: number | undefined
  /** Resolves once the list is on disk. Throws IO or UNAVAILABLE where it is not, or not for sure: see isInDoubt. */
  recordLogs(logs: readonly LogRecord[], keeping?: LogKeepingRecord): Promise<void>
  /** Runs a task that undoes what a list was to record, which was refused with the error: once it is known not to be on disk. */
  undo(error: unknown, task: () => void): void
}

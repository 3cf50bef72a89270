/** Logs as the registry has them. */

import type { LogRecord } from '../manifest/manifest-edit.ts'
import { firstIdOf, type LogFile } from './current-log.ts'

/** The file name of a log. */
export const LOG_NAME: RegExp = /^\d{10}\.log$/

export function logName(number: number): string {
  return `${String(number).padStart(10, '0')}.log`
}

export function recordOf({ number, bytes, isOpenEnded = false }: LogFile): LogRecord {
  return isOpenEnded ? { number } : { number, bytes }
}

/** The log without its tail, which the next one has. */
export function endedLog(log: LogFile, tail: Buffer | undefined): LogFile {
  const next = tail && firstIdOf(tail)
  if (tail === undefined || next === undefined) return { ...log, bytes: log.bytes - (tail?.length ?? 0) }
  return { ...log, bytes: log.bytes - tail.length, lastSequenceId: Math.min(log.lastSequenceId, next - 1) }
}

/** See WriteAheadLog.trim. */
export type FlushedUpTo = (region: number) => number

export function isFlushed(log: LogFile, flushedUpTo: FlushedUpTo): boolean {
  for (const [region, sequenceId] of log.regions) if (flushedUpTo(region) < sequenceId) return false
  return true
}

/** A store's log in the server's: each line has the cause and the remedy, and a repeated failure has one line. */

import type { Logger } from 'pino'
import { IncidentLog } from '../../gateway/observing/logs/incident-log.ts'
import { reasonOf, systemCodeOf } from '../../model/error-reason.ts'

export type StoreLog = (
  level: 'debug' | 'info' | 'warn' | 'error',
  message: string,
  fields?: Readonly<Record<string, unknown>>,
) => void

/** The system's codes that are about the whole disk: all failures with one of them are one incident. */
const OF_THE_DISK: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EROFS'])
/** Flushes are tried again each 10 s: an incident of theirs is over when several attempts have brought no failure. */
const QUIET_MS = 60_000

/** The remedy, by the system's code of the cause. */
const REMEDIES: Readonly<Record<string, string>> = {
  ENOSPC: 'free space on the disk of the store, nothing else is needed',
  EDQUOT: "raise this user's quota of the disk, or free space",
  EIO: "the disk may be failing: see the system's log (dmesg), and save a copy of the folder",
  EROFS: "the system has made the disk read-only: see the system's log (dmesg)",
  EACCES: "give this server's user the right to write there",
  EPERM: "give this server's user the right to write there",
  EMFILE: 'raise the limit of open files (ulimit -n 65536; LimitNOFILE= of a systemd service)',
  ENFILE: 'the machine may not open more files: close other programs, or raise fs.file-max',
}

/** `context`: fields of every line. */
export function storeLog(logger: Logger, context: Readonly<Record<string, unknown>> = {}): StoreLog {
  const incidents = new IncidentLog(logger, { quietMs: QUIET_MS })
  return (level, message, fields = {}) => {
    const allFields = { ...context, ...fields }
    if (level === 'info' || level === 'debug') logger[level](allFields, message)
    else incidents.report({ ...incidentOf(message, fields), level, fields: allFields })
  }
}

/** An outage, when no writes are taken any more, is an incident of its own. */
function incidentOf(
  message: string,
  { error, outage }: Readonly<Record<string, unknown>>,
): { readonly key: string; readonly message: string } {
  const code = systemCodeOf(error)
  const isOfTheDisk = code !== undefined && OF_THE_DISK.has(code) && outage === undefined
  const key = isOfTheDisk ? code : message
  return { key, message: withCause(message, error) }
}

function withCause(message: string, error: unknown): string {
  if (error === undefined) return message
  const reason = reasonOf(error)
  const remedy = REMEDIES[systemCodeOf(error) ?? '']
  const because = message.includes(reason) ? message : `${message}: ${reason}`
  return remedy === undefined ? because : `${because}; ${remedy}`
}

/** A store's log in the server's: with the cause and what to do in each line, and one line for what happens again and again. */

import type { Logger } from 'pino'
import { IncidentLog } from '../gateway/incident-log.ts'
import { reasonOf, systemCodeOf } from '../model/error-reason.ts'

export type StoreLog = (
  level: 'debug' | 'info' | 'warn' | 'error',
  message: string,
  fields?: Readonly<Record<string, unknown>>,
) => void

/** What to do, by the system's code of the cause. */
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
  const incidents = new IncidentLog(logger)
  return (level, message, fields = {}) => {
    const told = { ...context, ...fields }
    if (level === 'info' || level === 'debug') logger[level](told, message)
    else incidents.report({ key: message, level, message: withCause(message, fields['error']), fields: told })
  }
}

function withCause(message: string, error: unknown): string {
  if (error === undefined) return message
  const reason = reasonOf(error)
  const remedy = REMEDIES[systemCodeOf(error) ?? '']
  const because = message.includes(reason) ? message : `${message}: ${reason}`
  return remedy === undefined ? because : `${because}; ${remedy}`
}

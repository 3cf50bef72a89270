/** Why an attempt to send has failed, for operators. */

import { reasonOf } from '../model/error-reason.ts'
import { type ErrorCode, isHBaseError } from '../model/errors.ts'

/** Of a peer that is away. One that goes down answers with several reasons within a second. */
const AWAY: ReadonlySet<ErrorCode> = new Set(['UNAVAILABLE', 'TIMEOUT'])

/** `cause`: equal for failures that are one trouble to an operator. */
export function failureAtPeer(error: unknown): { readonly reason: string; readonly cause: string } {
  const text = reasonOf(error)
  if (!isHBaseError(error)) return of(`a bug in Tidegate: ${text}`)
  if (error.code === 'TABLE_NOT_FOUND') {
    return of(
      `the peer lacks a table: ${text}. All tables wait for it: make it there, as enable_table_replication does, or exclude it with append_peer_exclude_tableCFs`,
    )
  }
  if (error.code === 'NO_SUCH_COLUMN_FAMILY') {
    return of(
      `the peer lacks a column family: ${text}. All tables wait for it: add it there, or exclude it with append_peer_exclude_tableCFs`,
    )
  }
  return { reason: text, cause: AWAY.has(error.code) ? 'away' : text }
}

function of(reason: string): { readonly reason: string; readonly cause: string } {
  return { reason, cause: reason }
}

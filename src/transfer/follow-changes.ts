/** The changes of a table as lines of text, from a token on. */

import { HBaseError, isHBaseError } from '../model/errors.ts'
import type { TableName } from '../model/table-name.ts'
import type { Call } from '../store/call.ts'
import type { Changes, PartOfChanges } from '../store/changes.ts'
import { writeChangeLine } from '../wire/changes/change-lines.ts'
import { type ChangeTokens, type FeedPlace, placeBehind } from '../wire/changes/change-token.ts'
import { ChangedRows, familiesOf, type WantedCells } from '../wire/changes/changed-rows.ts'
import { OutputBuffer } from '../wire/rest/output-buffer.ts'

const READ_BYTES = 1024 * 1024
const CHUNK_BYTES = 64 * 1024
/** The wait of a call for changes: a server waits no longer in one call, and the caller learns after each that it is still there. */
const WAIT_MS = 1000
/** The pause before a server is asked again that was away for longer than its client waits. */
const PAUSE_MS = 1000
const LINE_END = Buffer.from('\n')

export interface FollowParts {
  readonly changes: Changes
  readonly tokens: ChangeTokens
  readonly table: TableName
  readonly wanted: WantedCells
  /** A token, `now` or `oldest`. */
  readonly from: string
  /** False: only the changes that there are at the begin. */
  readonly follows: boolean
  readonly call: Call
  /** Called after each read, before its changes are used. Throws where it may have come from another store than the reads before, or the table has gone. */
  readonly afterRead: () => Promise<void>
  readonly pause: (ms: number) => Promise<void>
  /** Gets the reason why a server did not answer, before it is asked again. */
  readonly failed: (reason: string) => void
}

/**
 * Whole lines: of the token where it begins, of changes, and, where it does not follow, of the token where it ends. Each change comes once, also
 * where the server is away meanwhile. Throws as Changes, and ILLEGAL_ARGUMENT for a token that is none of the store's.
 */
export async function* followChanges(parts: FollowParts): AsyncGenerator<Buffer> {
  const { changes, tokens, table, wanted, call, follows } = parts
  const rows = new ChangedRows(wanted, await placeFrom(parts))
  const until = follows ? Number.POSITIVE_INFINITY : await changes.lastChange(call)
  const families = familiesOf(wanted)
  const asked = { table, ...(families && { families }), bytes: READ_BYTES, waitMs: follows ? WAIT_MS : 0 }
  // The first read, before any line, refuses what cannot be read.
  let part = await readFrom(rows.place.position, { ...asked, waitMs: 0 }, parts)
  yield tokenLine(tokens.text(rows.place))
  const out = new OutputBuffer()
  for (;;) {
    for (const change of part.changes) {
      if (change.sequenceId > until) break
      for (const { cells, place } of rows.of(change)) {
        writeChangeLine(out, 'text', cells, tokens.text(place))
        out.append(LINE_END)
        if (out.length >= CHUNK_BYTES) yield out.take()
      }
    }
    if (out.length > 0) yield out.take()
    rows.passed(Math.min(part.position, until))
    const isAll = part.left === 0 && part.changes.length === 0
    // A sequence id may be of no record.
    if (!follows && (isAll || rows.place.position >= until)) break
    part = await readFrom(rows.place.position, asked, parts)
  }
  yield tokenLine(tokens.text(rows.place))
}

function tokenLine(token: string): Buffer {
  return Buffer.from(`${JSON.stringify({ heartbeat: true, token })}\n`)
}

async function placeFrom({ from, changes, tokens, call }: FollowParts): Promise<FeedPlace> {
  if (from === 'now') return placeBehind(await changes.lastChange(call))
  if (from === 'oldest') return placeBehind(await changes.firstPosition(call))
  const read = tokens.read(from)
  if (read.kind === 'place') return read.place
  if (read.kind === 'malformed')
    throw new HBaseError(
      'ILLEGAL_ARGUMENT',
      'the token is malformed: give one as a line of the changes has it',
    )
  throw new HBaseError(
    'ILLEGAL_ARGUMENT',
    'this token is not of this store: another one gave it, or this one did before it was restored from a backup. To go on, begin anew: get a new token by --from now, then read the whole table (tidegate export), then go on from the new token',
  )
}

async function readFrom(
  position: number,
  wanted: Parameters<Changes['readChanges']>[1],
  { changes, call, follows, afterRead, pause, failed }: FollowParts,
): Promise<PartOfChanges> {
  for (;;) {
    try {
      const part = await changes.readChanges(position, wanted, call)
      await afterRead()
      return part
    } catch (error) {
      if (!follows || !isHBaseError(error) || !error.mayRetry) throw error
      failed(error.message)
      await pause(PAUSE_MS)
    }
  }
}

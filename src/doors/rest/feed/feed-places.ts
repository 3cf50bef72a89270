/** Where feeds begin: tokens of clients, and the reasons why one cannot be continued. */

import { type HBaseError, isHBaseError } from '../../../model/errors.ts'
import type { Call } from '../../../store/call.ts'
import type { Changes } from '../../../store/changes.ts'
import { type ChangeTokens, type FeedPlace, placeBehind } from '../../../wire/changes/change-token.ts'
import { Refusal } from '../http/errors.ts'

const BEGIN_ANEW =
  'begin anew: get a new token by an empty one (?changes=), then read the whole table, then go on from the new token'

/** `from`: a token, `now` or `oldest`. Throws Refusal 400 and 409, and as Changes. */
export async function placeFrom(
  from: string,
  changes: Changes,
  tokens: ChangeTokens,
  call: Call,
): Promise<FeedPlace> {
  if (from === 'now') return placeBehind(await changes.lastChange(call))
  if (from === 'oldest') return placeBehind(await changes.firstPosition(call))
  const read = tokens.read(from)
  if (read.kind === 'place') return read.place
  if (read.kind === 'foreign')
    throw new Refusal(
      409,
      `this token is not of this store: another one gave it, or this one did before it was restored from a backup. To go on, ${BEGIN_ANEW}`,
    )
  throw new Refusal(
    400,
    'the token is malformed: send one as the feed has given it, or an empty one to begin with the next change, or "oldest"',
  )
}

/** The error of a read from the position, as the client gets it: 410 for a position that the log has lost, 409 for one that it has not reached. */
export async function explained(
  error: unknown,
  position: number,
  changes: Changes,
  call: Call,
): Promise<unknown> {
  if (!isHBaseError(error) || error.code !== 'DO_NOT_RETRY') return error
  if (position < (await changes.firstPosition(call))) return gone(error)
  if (position <= (await changes.lastChange(call))) return error
  return new Refusal(
    409,
    `this token is of changes that this store does not have: its data folder was probably put back to an earlier state. To go on, ${BEGIN_ANEW}`,
  )
}

function gone({ message }: HBaseError): Refusal {
  return new Refusal(
    410,
    `the changes behind the token are not kept any more (${message}). To go on, ${BEGIN_ANEW}`,
  )
}

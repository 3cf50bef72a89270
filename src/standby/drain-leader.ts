/** Before a promotion: the leader takes no more changes, and its standby applies all that it has. */

import { reasonOf } from '../model/error-reason.ts'
import { HBaseError, isHBaseError } from '../model/errors.ts'
import { OWN_CALL } from '../store/call.ts'
import type { Store } from '../store/store.ts'
import type { Follower } from './follower.ts'
import { leaderOf } from './leader-store.ts'

/** A server of the pair that is asked for its state has so long to answer. */
export const ASK_MS = 5000

export interface PairParts {
  /** The address of this server. */
  readonly address: string
  readonly now: () => number
  /** Opens a server of this pair; its calls fail soon where it is away. */
  readonly openServer: (address: string) => Promise<Store>
}

interface Drain {
  /** Of the promotion. */
  readonly epoch: number
  readonly leader: string
  readonly waitMs: number
}

/** Runs the work with a connection of its own. */
export async function atServer<Result>(
  { openServer }: Pick<PairParts, 'openServer'>,
  address: string,
  work: (server: ReturnType<typeof leaderOf>) => Promise<Result>,
): Promise<Result> {
  const store = await openServer(address)
  try {
    return await work(leaderOf(store))
  } finally {
    await store.close()
  }
}

/**
 * True: all is here. A text: the reason why the leader could not be asked. Throws DO_NOT_RETRY where it lasted too long; the leader then leads on as soon
 * as it can be reached.
 */
export async function drainLeader(
  parts: PairParts,
  follower: Follower,
  drain: Drain,
): Promise<true | string> {
  follower.isDraining = true
  try {
    return await drained(parts, follower, drain)
  } catch (error) {
    follower.isDraining = false
    throw error
  }
}

async function drained(parts: PairParts, follower: Follower, drain: Drain): Promise<true | string> {
  const { epoch, leader, waitMs } = drain
  const until = parts.now() + waitMs
  let position: number
  try {
    position = await atServer(parts, leader, ({ standby }) =>
      standby.stepDown(epoch, parts.address, { ...OWN_CALL, deadline: until }),
    )
  } catch (error) {
    if (!isHBaseError(error)) throw error
    if (error.code === 'ACCESS_DENIED' || error.code === 'DO_NOT_RETRY') throw error
    if (await answers(parts, leader))
      return giveUp(parts, follower, drain, `it has not stepped down: ${reasonOf(error)}`)
    return reasonOf(error)
  }
  if (await follower.drainedTo(position, until)) return true
  return giveUp(parts, follower, drain, `its changes were not all applied within ${waitMs} ms`)
}

function answers(parts: PairParts, address: string): Promise<boolean> {
  const deadline = parts.now() + ASK_MS
  return atServer(parts, address, ({ standby }) => standby.standbyState({ ...OWN_CALL, deadline })).then(
    () => true,
    () => false,
  )
}

/** Has the leader lead again. Throws DO_NOT_RETRY. */
async function giveUp(
  parts: PairParts,
  follower: Follower,
  { epoch, leader }: Drain,
  reason: string,
): Promise<never> {
  let now = `${leader} leads still`
  try {
    await atServer(parts, leader, ({ standby }) => standby.takeBack(epoch, OWN_CALL))
  } catch (error) {
    now = `${leader} takes no changes until this standby reaches it (${reasonOf(error)}), or is promoted`
    follower.reconnect()
  }
  throw new HBaseError('DO_NOT_RETRY', `nothing was promoted, and ${now}: ${reason}`)
}

/** The answers to probes: `/health`, liveness and readiness. */

import type { PairFacts, ServerLife } from '../../../gateway/server-life.ts'
import {
  type OpeningProgress,
  progressSentence,
  type ShownProgress,
  shownProgress,
} from '../../../store/opening-progress.ts'
import type { StoreDamage } from '../../../store/store.ts'

export interface Health {
  readonly status: 'ok' | 'live' | 'degraded' | 'starting' | 'stopping' | 'unavailable'
  readonly reason?: string
  /** Of a start whose work lasts. */
  readonly progress?: ShownProgress
  readonly damagedFiles?: number
  readonly damage?: readonly StoreDamage[]
  /** A sentence for each failure beside the store's outage. */
  readonly troubles?: readonly string[]
  /** The server's part in a pair of leader and standby: its role, and how far a standby is. */
  readonly standby?: PairFacts
  /** A sentence for each setting that lets clients of other machines in without a check. */
  readonly insecure?: readonly string[]
}

/** The process answers. Failures of the store do not count: a restart because of them would only lengthen an outage. */
export const LIVE: Health = { status: 'live' }

/** Readiness for clients. A degraded server is ready, because its sound tables still work. */
export async function readiness(life: ServerLife): Promise<Health> {
  const { phase, store } = life
  if (phase === 'stopping') return { status: 'stopping', reason: 'the server stops' }
  if (store === undefined) return opening(life.opening)
  const reason = await store.outage()
  if (reason !== undefined) {
    // A login that has ended may be the cause of the outage.
    const { troubles } = life
    return { status: 'unavailable', reason, ...(troubles.length > 0 && { troubles }) }
  }
  const damage = await store.damage()
  const troubles = [...(await store.troubles()), ...life.troubles]
  const { pair } = life
  const standby = pair && { standby: pair }
  if (damage.length === 0 && troubles.length === 0) return { status: 'ok', ...standby }
  return {
    status: 'degraded',
    ...standby,
    ...(damage.length > 0 && { damagedFiles: damage.length, damage }),
    ...(troubles.length > 0 && { troubles }),
  }
}

/** The health of a server whose store is not open yet. */
export function opening(progress: OpeningProgress | undefined): Health & { readonly reason: string } {
  if (progress === undefined) return { status: 'starting', reason: 'the store is being opened' }
  return {
    status: 'starting',
    reason: `the store is being opened: ${progressSentence(progress)}`,
    progress: shownProgress(progress),
  }
}

/** The first of these statuses that any process reports is the status of all. */
const WORST_FIRST: readonly Health['status'][] = ['unavailable', 'stopping', 'starting', 'degraded', 'ok']

/** The worst health of processes that serve together: a client may reach any of them. */
export function worst(each: readonly Health[], processes: number): Health {
  const reported = WORST_FIRST.map((status) => each.find((health) => health.status === status))
  const health = reported.find((one) => one !== undefined)
  if (health === undefined) return { status: 'starting', reason: 'no process serves' }
  const missing = processes - each.length
  if (missing <= 0 || healthStatus(health) !== 200) return health
  const trouble = `${missing} of ${processes} processes do not answer; the server replaces processes that ended`
  return { ...health, status: 'degraded', troubles: [...(health.troubles ?? []), trouble] }
}

export function healthStatus({ status }: Health): 200 | 503 {
  return status === 'ok' || status === 'live' || status === 'degraded' ? 200 : 503
}

/** What probes ask: `/health`, and life and readiness apart. */

import type { ServerLife } from '../../../gateway/server-life.ts'
import type { StoreDamage } from '../../../store/store.ts'

export interface Health {
  readonly status: 'ok' | 'live' | 'degraded' | 'starting' | 'stopping' | 'unavailable'
  readonly reason?: string
  readonly damagedFiles?: number
  readonly damage?: readonly StoreDamage[]
  /** Failures of the server and its store, while they serve. */
  readonly troubles?: readonly string[]
  /** What the settings leave open to others than this machine. */
  readonly insecure?: readonly string[]
}

/** The process answers. A supervisor that restarts a server because of its store or its cluster would only lengthen an outage. */
export const LIVE: Health = { status: 'live' }

/** Whether clients are to be sent here. A load balancer that took a degraded server away would take the sound tables away, too. */
export async function readiness(life: ServerLife): Promise<Health> {
  const { phase, store } = life
  if (phase === 'stopping') return { status: 'stopping', reason: 'the server stops' }
  if (store === undefined) {
    return { status: 'starting', reason: 'the store is being opened, which may replay its log' }
  }
  const reason = await store.outage()
  if (reason !== undefined) return { status: 'unavailable', reason }
  const damage = await store.damage()
  const troubles = [...(await store.troubles()), ...life.troubles]
  if (damage.length === 0 && troubles.length === 0) return { status: 'ok' }
  return {
    status: 'degraded',
    ...(damage.length > 0 && { damagedFiles: damage.length, damage }),
    ...(troubles.length > 0 && { troubles }),
  }
}

/** The first of these that a process tells is told of all of them. */
const WORST_FIRST: readonly Health['status'][] = ['unavailable', 'stopping', 'starting', 'degraded', 'ok']

/** The health of processes that serve together: clients get to any of them. */
export function worst(each: readonly Health[], processes: number): Health {
  const told = WORST_FIRST.map((status) => each.find((health) => health.status === status))
  const health = told.find((one) => one !== undefined)
  if (health === undefined) return { status: 'starting', reason: 'no process serves' }
  const missing = processes - each.length
  if (missing <= 0 || healthStatus(health) !== 200) return health
  const trouble = `${missing} of ${processes} processes do not answer: they are replaced where they have ended`
  return { ...health, status: 'degraded', troubles: [...(health.troubles ?? []), trouble] }
}

export function healthStatus({ status }: Health): 200 | 503 {
  return status === 'ok' || status === 'live' || status === 'degraded' ? 200 : 503
}

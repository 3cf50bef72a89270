/** The part of each of several processes, so that all together keep the stated limits. */

import type { Limits } from '../../gateway/limits/limits.ts'
import { UsageError } from '../failures/usage-error.ts'
import { requestsMemory } from '../machine/memory-shares.ts'
import type { DoorName, PortSetting } from '../settings/door-ports.ts'
import type { ServeSettings } from '../settings/serve-options.ts'
import type { WorkerPlace } from './messages.ts'

/** Limits of all clients together; the others are of one request, or of one connection. */
const SHARED: Readonly<Partial<Record<keyof Limits, string>>> = {
  connectionsMax: '--connections-max',
  scannersMax: '--scanners-max',
  clientScannersMax: '--client-scanners-max',
  changeFeedsMax: '--change-feeds-max',
  sessionsMax: '--sessions-max',
}
/** The process that looks after the others. */
const PARENT_BYTES = 64 * 1024 * 1024

/** Throws UsageError for a limit of which not every process gets a part, StartError where the memory is too little. */
export function checkShares({ processes, limits, memoryBytesMax }: ServeSettings): void {
  for (const [name, flag] of Object.entries(SHARED)) {
    const limit = limits[name as keyof Limits]
    if (limit < processes) {
      throw new UsageError(
        `${flag} ${limit} is less than --processes ${processes}: each process needs a part of it.`,
      )
    }
  }
  requestsMemory(memoryOfWorker(memoryBytesMax, processes), undefined, processes)
}

function memoryOfWorker(memoryBytesMax: number, processes: number): number {
  return Math.floor((memoryBytesMax - PARENT_BYTES) / processes)
}

/** The settings of one process. The first one alone logs warnings about the settings. */
export function settingsOfWorker(settings: ServeSettings, place: WorkerPlace): ServeSettings {
  const { processes, limits, memoryBytesMax, ports, unread } = settings
  const parts = Object.keys(SHARED).map((name) => [
    name,
    share(limits[name as keyof Limits], processes, place.number),
  ])
  const chosen = place.ports as Readonly<Partial<Record<DoorName, PortSetting>>> | undefined
  return {
    ...settings,
    guard: withCookieSecret(settings.guard, place),
    limits: { ...limits, ...(Object.fromEntries(parts) as Partial<Limits>) },
    memoryBytesMax: memoryOfWorker(memoryBytesMax, processes),
    ports: { ...ports, ...chosen },
    unread: place.number === 1 ? unread : { defined: [], ofFile: [] },
  }
}

/** Each process takes the cookies of the others. */
function withCookieSecret(
  guard: ServeSettings['guard'],
  { cookieSecret }: WorkerPlace,
): ServeSettings['guard'] {
  const { kerberos } = guard ?? {}
  if (guard === undefined || kerberos === undefined || kerberos.cookie.secretFile !== undefined) return guard
  return { ...guard, kerberos: { ...kerberos, cookie: { ...kerberos.cookie, secretFile: cookieSecret } } }
}

/** The first processes take what cannot be divided. */
function share(limit: number, processes: number, number: number): number {
  return Math.floor(limit / processes) + (number <= limit % processes ? 1 : 0)
}

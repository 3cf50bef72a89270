/** The part of each thread, so that all together keep the stated limits. */

import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import { MOVING_VERSIONS, movesConnections } from '../../../gateway/connections/moving-sockets.ts'
import type { Limits } from '../../../gateway/limits/limits.ts'
import { UsageError } from '../../failures/usage-error.ts'
import { DOOR_NAMES, type Ports } from '../../settings/door-ports.ts'
import type { ServeSettings } from '../../settings/serve-options.ts'

/** Limits of all clients together that each thread keeps a part of. The main thread counts the connections of all. */
const SHARED: Readonly<Partial<Record<keyof Limits, string>>> = {
  scannersMax: '--scanners-max',
  clientScannersMax: '--client-scanners-max',
  changeFeedsMax: '--change-feeds-max',
}
/** The doors whose connections threads serve. */
const DOORS: ReadonlySet<string> = new Set(['rest', 'thrift', 'rpc'])

/** The number of threads that this Node can have. Warns where that is less than stated. `canMove`: it moves connections to threads. */
export function statedThreads(
  threads: number,
  logger: Pick<Logger, 'warn'>,
  canMove: boolean = movesConnections(),
): number {
  if (threads === 0 || canMove) return threads
  logger.warn(
    `--threads ${threads} needs ${MOVING_VERSIONS}, and this is ${process.versions.node}: one thread serves all connections`,
  )
  return 0
}

/** The settings of threads that serve the same ports, the main one among them: each takes the TLS tickets and the cookies of the others. */
export function withSharedSecrets(settings: ServeSettings): ServeSettings {
  const { tls, guard } = settings
  const { kerberos } = guard ?? {}
  const secret = randomBytes(32)
  return {
    ...settings,
    ...(tls && { tls: { ...tls, ticketSecret: randomBytes(32) } }),
    ...(kerberos && {
      guard: { ...guard!, kerberos: { ...kerberos, cookie: { ...kerberos.cookie, secret } } },
    }),
  }
}

/** The limits of the main thread (0), or of another one. Throws UsageError for a limit of which not every thread gets a part. */
export function limitsOfThread(limits: Limits, threads: number, number: number): Limits {
  const parts = Object.entries(SHARED).map(([name, flag]) => {
    const limit = limits[name as keyof Limits]
    if (limit <= threads) {
      throw new UsageError(
        `${flag} ${limit} is too little for --threads ${threads}: they and the main thread need a part of it each.`,
      )
    }
    return [name, share(limit, threads + 1, number)] as const
  })
  const connectionsMax = number === 0 ? limits.connectionsMax : Number.POSITIVE_INFINITY
  return { ...limits, ...(Object.fromEntries(parts) as Partial<Limits>), connectionsMax }
}

/** The first threads take what cannot be divided. */
function share(limit: number, threads: number, number: number): number {
  return Math.floor(limit / threads) + (number < limit % threads ? 1 : 0)
}

/** The ports of the doors that threads serve; the others are off. `open`: the ports of the open doors. */
export function portsOfThreads(open: ReadonlyMap<string, { readonly port: number }>): Ports {
  const ports = DOOR_NAMES.map((door) => [door, DOORS.has(door) ? (open.get(door)?.port ?? 'off') : 'off'])
  return Object.fromEntries(ports) as Ports
}

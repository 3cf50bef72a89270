import type { Logger } from 'pino'
import type { ServerName } from '../model/server-name.ts'
import type { AdvertisedStore } from './catalog/advertised.ts'
import type { Handover } from './connections/handover.ts'
import type { Incoming } from './connections/incoming.ts'
import type { Guard } from './identity/guard/guard.ts'
import type { TrustedProxies } from './identity/proxies/trusted-proxies.ts'
import type { Certificates } from './identity/tls/certificates.ts'
import type { Limits } from './limits/limits.ts'
import type { MemoryBudget } from './limits/memory-budget.ts'
import type { AuditLog } from './observing/audit/audit-log.ts'
import type { RequestLog } from './observing/logs/access-log.ts'
import type { DoorCounters } from './observing/metrics.ts'
import type { DecodeThreads } from './requests/decoding/decode-threads.ts'
import type { Siblings } from './siblings/siblings.ts'

/** The server name that clients get: of this server. The native RPC door sets the port that it listens on. */
export type OwnServer = ServerName & { port: number }

/** The context that every door gets. */
export interface DoorContext {
  readonly store: AdvertisedStore
  readonly server: OwnServer
  readonly limits: Limits
  /** The memory that the clients of all doors share. */
  readonly memory: MemoryBudget
  /** Decodes large bodies; undefined: the door decodes them itself. */
  readonly decoding?: DecodeThreads | undefined
  /** The number of open files and connections of the process at which doors take no more connections; undefined: no limit. */
  readonly descriptorsMax?: number | undefined
  /** The certificates of encrypted connections; undefined: none are encrypted. */
  readonly certificates?: Certificates | undefined
  /** Checks logins; undefined: clients need none. */
  readonly guard?: Guard | undefined
  /** Proxies that may name the client of an HTTP request; undefined: none may. */
  readonly trustedProxies?: TrustedProxies | undefined
  readonly logger: Logger
  /** Receives each request; undefined: there is no log of requests. */
  readonly access?: RequestLog | undefined
  /** Receives logins and the users' actions; undefined: there is no audit log. */
  readonly audit?: AuditLog | undefined
  /** Adds a listener that runs whenever a test has emptied the store; undefined unless the server is in test mode. */
  readonly onReset?: ((listener: ResetListener) => void) | undefined
  /** The other processes or threads that serve the same ports; undefined: there are none. */
  readonly siblings?: Siblings | undefined
  /** Threads that take connections of doors for rows; undefined: there are none. */
  readonly handover?: Handover | undefined
  /** Brings connections in a thread whose doors do not listen themselves; undefined: they listen. */
  readonly incoming?: Incoming | undefined
}

/** The reset waits for the listener and fails with it. */
export type ResetListener = () => Promise<void>

export interface DoorAddress {
  readonly host: string
  /** 0: a free port. */
  readonly port: number
}

/** A door that listens. */
export interface Door {
  /** The port on which it listens. */
  readonly port: number
  readonly counters: DoorCounters
  /** Takes no more requests, finishes the running ones, ends its connections. */
  close(): Promise<void>
}

import type { Logger } from 'pino'
import type { ServerName } from '../model/server-name.ts'
import type { AdvertisedStore } from './catalog/advertised.ts'
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

/** The server that clients are told: this one. The native RPC door sets the port that it listens on. */
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
  /** From this number of open files and connections of the process on no door takes a connection; undefined: no limit. */
  readonly descriptorsMax?: number | undefined
  /** Connections are encrypted; undefined: none are. */
  readonly certificates?: Certificates | undefined
  /** Who may come in; undefined: anybody. */
  readonly guard?: Guard | undefined
  /** Whose word counts about where requests of HTTP come from; undefined: nobody's. */
  readonly trustedProxies?: TrustedProxies | undefined
  readonly logger: Logger
  /** Hears of each request; undefined: nobody wants to. */
  readonly access?: RequestLog | undefined
  /** Hears of logins, and of who does what; undefined: nobody wants to know. */
  readonly audit?: AuditLog | undefined
  /** In test mode: runs the listener whenever tests have emptied the store; undefined: nobody may empty it. */
  readonly onReset?: ((listener: ResetListener) => void) | undefined
  /** The processes that serve the same ports; undefined: there are no others. */
  readonly siblings?: Siblings | undefined
}

/** A reset succeeds once it has resolved. */
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
  /** Takes no more requests, finishes those in flight, ends its connections. */
  close(): Promise<void>
}

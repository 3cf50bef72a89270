import type { Logger } from 'pino'
import type { AdvertisedStore } from './advertised.ts'
import type { Limits } from './limits.ts'
import type { DoorCounters } from './metrics.ts'

/** What every door is given. */
export interface DoorContext {
  readonly store: AdvertisedStore
  readonly limits: Limits
  readonly logger: Logger
}

export interface DoorAddress {
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
}

/** A door that listens. */
export interface Door {
  /** The port that it has got. */
  readonly port: number
  readonly counters: DoorCounters
  /** Takes no more work, finishes what is in flight, ends its connections. */
  close(): Promise<void>
}

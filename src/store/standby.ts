/**
 * A server and the standby that follows it: which of the two leads. The remarks of upkeep.ts on exceptions count here, too.
 *
 * Each promotion has an epoch, which is greater than those before it. Of two servers with the same data the one with the greater epoch leads.
 */

import type { Call } from './call.ts'

/** `retired`: another server leads since it was promoted; this one takes no changes. */
export type StandbyRole = 'leader' | 'standby' | 'retired'

export interface StandbyState {
  readonly role: StandbyRole
  readonly epoch: number
  readonly clusterId: string
  /** The address of the server that leads, as far as this one knows; undefined: it leads itself. */
  readonly leader: string | undefined
  /** Of a standby: the leader's changes up to this sequence id are applied. Else 0. */
  readonly position: number
  /** Of a standby: everything that the leader had at that time is applied, about: milliseconds since 1970. Else 0. */
  readonly asOf: number
}

/** A standby, as it states itself to its leader. */
export interface KnownStandby {
  /** A UUID, which its hold on the log is named after. */
  readonly id: string
  /** Where the leader reaches it: HOST:PORT of native RPC. */
  readonly address: string
}

export interface PromotionOptions {
  /** The store keeps the id of the leader's cluster, and its replication peers stay enabled. */
  readonly keepsIdentity: boolean
  /** Before it, the leader takes no more changes, and all that it has are applied, for so many milliseconds; 0: the leader is not asked. */
  readonly waitMs: number
}

export interface Promotion {
  readonly state: StandbyState
  /** True: the leader took no more changes, and all that it had are here. */
  readonly isWhole: boolean
  /** A sentence about what may be lost, or that nothing is. */
  readonly loss: string
  /** The replication peers that are disabled now. */
  readonly disabledPeers: readonly string[]
}

export interface Standby {
  standbyState(call: Call): Promise<StandbyState>
  /** A standby says that it follows. Throws DO_NOT_RETRY where this server does not lead. */
  followedBy(standby: KnownStandby, call: Call): Promise<StandbyState>
  /**
   * Takes no changes from now on, for a server at `leader` with a greater epoch. Resolves to the sequence id of the last change once no change is under
   * way. Throws DO_NOT_RETRY where the epoch is not greater.
   */
  stepDown(epoch: number, leader: string, call: Call): Promise<number>
  /** Undoes `stepDown` for the same epoch: that server was not promoted. Does nothing else. */
  takeBack(epoch: number, call: Call): Promise<void>
  /** Makes a standby, or a retired server, lead. Throws DO_NOT_RETRY where it leads, and where the leader could not be drained in time. */
  promote(options: PromotionOptions, call: Call): Promise<Promotion>
}

/**
 * Backups of a whole store while it serves: its files as they were at one moment, for a client that copies them away. The remarks of upkeep.ts on
 * exceptions count here, too.
 */

import type { Call } from './call.ts'

/** A moment of the store, kept in a folder of the server's until the client ends it, or has not asked for anything for some minutes. */
export interface KeptMoment {
  /** Names the moment for the other calls. No other moment of any server has it. */
  readonly id: string
  /** Path of the folder on the server's machine. */
  readonly folder: string
  /** The name of the file in the folder that says what else is in it: see kept-moment.ts. */
  readonly list: string
}

/** The longest part of a file that one call reads: a server that sends it must not keep its other clients waiting. */
export const BACKUP_READ_BYTES_MAX: number = 1024 * 1024

export interface Backups {
  /** Keeps this moment: all that was acknowledged before the call is in it. Throws IO where the disk has no room. */
  beginBackup(call: Call): Promise<KeptMoment>
  /**
   * Up to `length` bytes of a file of the moment's folder from `offset` on; fewer only at its end. Throws DO_NOT_RETRY for a moment that is
   * not kept any more, ILLEGAL_ARGUMENT for a file that it does not have and for more than BACKUP_READ_BYTES_MAX.
   */
  readBackup(id: string, file: string, offset: number, length: number, call: Call): Promise<Buffer>
  /** Lets go of the moment. Does nothing for one that is not kept any more. `isMade`: the client has a whole backup of it. */
  endBackup(id: string, isMade: boolean, call: Call): Promise<void>
}

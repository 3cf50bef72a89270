/**
 * Processes or threads that serve the same ports together. Each has a slot, a number that no later one of this server gets while
 * a client may still use its ids. The ids of scanners begin with the slot, and thus name the process that has the scanner.
 */

import { statSync } from 'node:fs'
import type { Server } from 'node:net'
import { join } from 'node:path'

/** The first and the last id that a process may give out. */
export interface IdRange {
  readonly first: number
  readonly last: number
}

/** Ids are positive int32s: 9 bits for the slot, and the others for the scanners of that process. */
const COUNTER_BITS = 22
export const SLOTS: IdRange = { first: 1, last: 2 ** (31 - COUNTER_BITS) - 1 }

/** The doors whose clients hold scanners. */
export type ScannerDoor = 'rest' | 'thrift' | 'rpc'

export interface SiblingsParts {
  readonly slot: number
  /** The start of the server in milliseconds since 1970, the same for all its processes. */
  readonly startedAt: number
  /** The folder of the private listeners, which only this server's user may enter. */
  readonly folder: string
  /** The slot of the one that answers for the master; undefined: each of them does. */
  readonly mainSlot?: number | undefined
}

export class Siblings {
  readonly slot: number
  readonly startedAt: number
  /** The ids of this process, for scanners and other things that clients use by a number. */
  readonly scannerIds: IdRange
  readonly #folder: string
  readonly #mainSlot: number

  constructor({ slot, startedAt, folder, mainSlot = slot }: SiblingsParts) {
    this.slot = slot
    this.startedAt = startedAt
    this.#folder = folder
    this.#mainSlot = mainSlot
    const first = slot * 2 ** COUNTER_BITS
    this.scannerIds = { first, last: first + 2 ** COUNTER_BITS - 1 }
  }

  /** The path at which the process that gave out the id listens; undefined where this process did, or no sibling can have. */
  holderOf(scannerId: number, door: ScannerDoor): string | undefined {
    const slot = scannerId >>> COUNTER_BITS
    const isSibling = scannerId > 0 && slot !== this.slot && slot >= SLOTS.first && slot <= SLOTS.last
    return isSibling ? this.#path(slot, door) : undefined
  }

  /** The path at which the one listens that answers for the master; undefined where this one does. */
  get master(): string | undefined {
    return this.#mainSlot === this.slot ? undefined : this.#path(this.#mainSlot, 'rpc')
  }

  /**
   * Lets the server listen where siblings forward calls to this process. Any user that a sibling names is trusted, so that no other
   * process may reach the listener: throws where other users may enter the folder.
   */
  async listen(server: Server, door: ScannerDoor): Promise<void> {
    checkIsPrivate(this.#folder)
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      // Exclusive: the siblings do not share this address.
      server.listen({ path: this.#path(this.slot, door), exclusive: true }, () => {
        server.off('error', reject)
        resolve()
      })
    })
  }

  #path(slot: number, door: ScannerDoor): string {
    return process.platform === 'win32'
      ? `\\\\.\\pipe\\${this.#folder.replaceAll(/[\\/:]/g, '-')}-${slot}-${door}`
      : join(this.#folder, `${slot}-${door}`)
  }
}

/** The bits of a mode that give rights to users other than the owner. */
const OTHERS = 0o077

/** Throws where users other than this process's may enter the folder. Windows has no such modes, and its pipes have no folder. */
export function checkIsPrivate(folder: string): void {
  if (process.getuid === undefined) return
  const { mode, uid } = statSync(folder)
  if (uid !== process.getuid()) throw new Error(`${folder} belongs to another user than this process's`)
  if ((mode & OTHERS) !== 0) throw new Error(`${folder} may be entered by others than its user`)
}

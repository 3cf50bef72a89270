/**
 * The default number of connections of each door. The doors share the files that the process may open, less those that the store needs.
 * A flood at one door takes no connections of another.
 */

import type { DoorName } from '../settings/door-ports.ts'
import { filesOfStore } from '../stores/store-descriptors.ts'

/** The web door is for few, and must answer them while others flood the other doors. */
const WEB_PART = 1 / 10

export interface ShareQuestion {
  /** The doors that open. */
  readonly doors: readonly DoorName[]
  readonly connectionsMax: number
  /** True: an operator has stated connectionsMax, and each door gets as many. */
  readonly isStated: boolean
  /** Files that the process may open; undefined: the limit is unknown. */
  readonly openFilesMax: number | undefined
  /** Files that are open before the doors open. */
  readonly openFiles: number
}

export interface ConnectionShares {
  /** The limit, as in DoorContext. */
  readonly descriptorsMax: number | undefined
  readonly connectionsMax: ReadonlyMap<DoorName, number>
  /** The connections of each door and the reason, where they are fewer than connectionsMax. */
  readonly lowered?: string
  /** The reason why the limit of files may forbid the stated number; absent where it does not. */
  readonly warning?: string
}

export function connectionShares(question: ShareQuestion): ConnectionShares {
  const { doors, connectionsMax, isStated, openFilesMax, openFiles } = question
  const same = new Map(doors.map((door) => [door, connectionsMax]))
  if (openFilesMax === undefined) return { descriptorsMax: undefined, connectionsMax: same }
  const ofStore = filesOfStore(openFilesMax)
  const descriptorsMax = openFilesMax - ofStore
  const shares = sharesOf(doors, Math.max(doors.length, descriptorsMax - openFiles))
  const isEnough = doors.every((door) => connectionsMax <= shares.get(door)!)
  if (isEnough) return { descriptorsMax, connectionsMax: same }
  const reason = `this process may open ${openFilesMax} files, and keeps ${ofStore} of them for the store`
  const remedy =
    'raise the limit before the start for more connections (ulimit -n; LimitNOFILE= of a systemd service)'
  if (isStated) {
    const warning = `${reason}: its doors take ${connectionsMax} connections each only while fewer files are open; ${remedy}`
    return { descriptorsMax, connectionsMax: same, warning }
  }
  const lower = new Map(doors.map((door) => [door, Math.min(connectionsMax, shares.get(door)!)]))
  const each = [...lower].map(([door, share]) => `${door} ${share}`).join(', ')
  const lowered = `${each}: ${reason}; ${remedy}`
  return { descriptorsMax, connectionsMax: lower, lowered }
}

function sharesOf(doors: readonly DoorName[], room: number): ReadonlyMap<DoorName, number> {
  const others = doors.filter((door) => door !== 'web')
  const ofWeb =
    others.length === 0 ? room : doors.includes('web') ? Math.max(1, Math.floor(room * WEB_PART)) : 0
  const ofOther = Math.max(1, Math.floor((room - ofWeb) / Math.max(1, others.length)))
  return new Map(doors.map((door) => [door, door === 'web' ? ofWeb : ofOther]))
}

/** The leader, as a standby reaches it. */

import { HBaseError } from '../model/errors.ts'
import type { Backups } from '../store/backups.ts'
import type { Changes } from '../store/changes.ts'
import type { Standby } from '../store/standby.ts'
import type { Store } from '../store/store.ts'

export interface Leader {
  readonly store: Store
  readonly changes: Changes
  readonly standby: Standby
  readonly backups: Backups
}

/** Throws UNSUPPORTED where the address is of a protocol that does not have the services. */
export function leaderOf(store: Store): Leader {
  const { changes, standby, backups } = store.upkeep
  if (changes === undefined || standby === undefined || backups === undefined)
    throw new HBaseError('UNSUPPORTED', 'a leader is reached by rpc:HOST:PORT or zookeeper:HOST:PORT')
  return { store, changes, standby, backups }
}

/** A server that is filled in one way, and the requests that are sent to it. */

import type { TableName } from '../../src/model/table-name.ts'
import type { Store } from '../../src/store/store.ts'
import type { AttackedServer } from './attacked-server.ts'
import type { AttackedSizes } from './attacked-table.ts'

export interface Attacked {
  readonly server: AttackedServer
  readonly store: Store
  readonly table: TableName
  readonly sizes: AttackedSizes
  /** Another user's client of the same server. */
  as(user: string): Promise<Store>
}

export interface HostileRequest {
  readonly name: string
  /** Returns a few words about the answer. */
  send(attacked: Attacked): Promise<string>
}

export interface Scene {
  readonly name: string
  /** Arguments of the server. */
  readonly args: readonly string[]
  /** True: a real HBase at its defaults can be asked, too. */
  readonly isOfHBase: boolean
  /** Makes the table, with a row `small` in the family `f`. */
  prepare(attacked: Attacked): Promise<void>
  readonly requests: readonly HostileRequest[]
}

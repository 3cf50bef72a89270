/** Reads and writes hbase:acl. */

import { cellsOf } from '../../../../model/cell-block.ts'
import { MutationBatch } from '../../../../model/mutation.ts'
import {
  type Action,
  orderedActions,
  type PermissionScope,
  type UserPermission,
} from '../../../../model/permission.ts'
import { ColumnsBuilder, get, scan } from '../../../../model/query.ts'
import { gathered } from '../../../../model/results.ts'
import { SerialQueue } from '../../../../model/serial-queue.ts'
import type { Call } from '../../../../store/call.ts'
import type { Handouts } from '../../../../store/handouts.ts'
import type { ReadRows } from '../../../../store/rows.ts'
import type { Store } from '../../../../store/store.ts'
import { ChangeTimes } from '../../own-tables/change-times.ts'
import { ACL_FAMILY, ACL_TABLE, aclQualifier, aclRow, aclValue, permissionOfCell } from './acl-rows.ts'

const BATCH = { rows: 1000, bytes: 1024 * 1024, allowPartial: false }
const NO_LIMIT = { bytes: Number.MAX_SAFE_INTEGER }

/** All permissions, in the order of their rows. */
export async function allPermissions(
  { rows, handouts }: { readonly rows: ReadRows; readonly handouts: Handouts },
  call: Call,
): Promise<UserPermission[]> {
  const columns = new ColumnsBuilder().addFamily(ACL_FAMILY).build()
  const { id } = await rows.openScanner(ACL_TABLE, scan({ columns }), call)
  const found: UserPermission[] = []
  try {
    for (let ended = 'batch'; ended !== 'scan'; ) {
      const batch = await handouts.next(id, BATCH, call)
      ended = batch.ended
      // Copied, since the memory may be lent.
      for (const { row, qualifier, value } of cellsOf(gathered(batch.results).cells))
        found.push(permissionOfCell({ row, value, qualifier: Buffer.from(qualifier) }))
      if (batch.results.loan !== undefined) handouts.release(batch.results.loan)
    }
  } finally {
    await handouts.closeScanner(id)
  }
  return found
}

export class AclTable {
  readonly #store: Pick<Store, 'rows' | 'handouts'>
  readonly #changes = new SerialQueue()
  readonly #times = new ChangeTimes()

  constructor(store: Pick<Store, 'rows' | 'handouts'>) {
    this.#store = store
  }

  all(call: Call): Promise<UserPermission[]> {
    return allPermissions(this.#store, call)
  }

  async of(scope: PermissionScope, call: Call): Promise<UserPermission[]> {
    const columns = new ColumnsBuilder().addFamily(ACL_FAMILY).build()
    const wanted = [get(aclRow(scope), { columns })]
    const { cells } = await this.#store.rows.get(ACL_TABLE, wanted, NO_LIMIT, call)
    return cellsOf(cells).map(permissionOfCell)
  }

  /** Grants actions. `merge`: in addition to those that the user has in the scope; otherwise instead of them. HBase: PermissionStorage.addUserPermission. */
  grant({ user, permission: { scope, actions } }: UserPermission, merge: boolean, call: Call): Promise<void> {
    return this.#changes.run(async () => {
      const before = merge ? await this.#actions(user, scope, call) : []
      await this.#put(user, scope, orderedActions([...before, ...actions]), call)
    })
  }

  /** Revokes actions; all of them where none is named. HBase: PermissionStorage.removeUserPermission. */
  revoke({ user, permission: { scope, actions } }: UserPermission, call: Call): Promise<void> {
    return this.#changes.run(async () => {
      const before = await this.#actions(user, scope, call)
      const left = actions.length === 0 ? [] : before.filter((action) => !actions.includes(action))
      if (left.length > 0) return this.#put(user, scope, left, call)
      const qualifier = aclQualifier(user, scope)
      const time = await this.#times.next()
      await this.#apply(new MutationBatch().deleteColumn(aclRow(scope), ACL_FAMILY, qualifier, time), call)
    })
  }

  /** Removes the permissions of all users in the scope: of a deleted table or namespace. */
  forget(scope: PermissionScope, call: Call): Promise<void> {
    return this.#changes.run(async () => {
      const time = await this.#times.next()
      await this.#apply(new MutationBatch().deleteRow(aclRow(scope), time), call)
    })
  }

  async #actions(user: string, scope: PermissionScope, call: Call): Promise<readonly Action[]> {
    const key = aclQualifier(user, scope)
    const present = await this.of(scope, call)
    const found = present.find((each) => aclQualifier(each.user, each.permission.scope).equals(key))
    return found?.permission.actions ?? []
  }

  async #put(user: string, scope: PermissionScope, actions: readonly Action[], call: Call): Promise<void> {
    const time = await this.#times.next()
    const [row, qualifier] = [aclRow(scope), aclQualifier(user, scope)]
    await this.#apply(new MutationBatch().put(row, ACL_FAMILY, qualifier, aclValue(actions), time), call)
  }

  async #apply(batch: MutationBatch, call: Call): Promise<void> {
    batch.endMutation()
    const [failure] = await this.#store.rows.mutate(ACL_TABLE, batch, call)
    this.#times.made()
    if (failure !== undefined) throw failure.error
  }
}

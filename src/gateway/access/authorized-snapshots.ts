import type { Call } from '../../store/call.ts'
import { withMethods } from '../../store/decorate.ts'
import type { SnapshotDescription, Snapshots } from '../../store/upkeep.ts'
import type { AccessChecker } from './access-checker.ts'
import { owned } from './authorized-catalog.ts'
import type { StoredPermissions } from './stored-permissions.ts'

/** Who has taken a snapshot may list, delete and restore it. HBase: AccessController.preListSnapshot and the like. */
export function authorizedSnapshots(
  snapshots: Snapshots,
  checker: AccessChecker,
  permissions: StoredPermissions,
): Snapshots {
  /** Undefined where there is none, or where it is somebody else's. */
  const own = async (name: string, call: Call): Promise<SnapshotDescription | undefined> => {
    const all = await snapshots.listSnapshots(call)
    return all.find((snapshot) => snapshot.name === name && isOwner(snapshot, call))
  }
  return withMethods(snapshots, {
    listSnapshots: async (call) => {
      const access = await checker.of(call)
      const all = await snapshots.listSnapshots(call)
      if (access.grants.allowsGlobal(access.subject, 'ADMIN')) return all
      return all.filter((snapshot) => isOwner(snapshot, call))
    },
    createSnapshot: async (name, table, type, call, options) => {
      const access = await checker.of(call)
      access.requireTable(table, ['ADMIN'])
      await snapshots.createSnapshot(name, table, type, call, options)
    },
    deleteSnapshot: async (name, call) => {
      const access = await checker.of(call)
      if ((await own(name, call)) === undefined) access.requireGlobal('ADMIN')
      await snapshots.deleteSnapshot(name, call)
    },
    restoreSnapshot: async (name, call) => {
      const access = await checker.of(call)
      const snapshot = await own(name, call)
      if (snapshot === undefined) access.requireGlobal('ADMIN')
      else access.requireTable(snapshot.table, ['ADMIN'])
      await snapshots.restoreSnapshot(name, call)
    },
    cloneSnapshot: async (name, table, call) => {
      const access = await checker.of(call)
      if ((await own(name, call))?.table !== table) access.requireGlobal('ADMIN')
      await snapshots.cloneSnapshot(name, table, call)
      await owned(permissions, table, call)
    },
  })
}

function isOwner({ owner }: SnapshotDescription, { principal }: Call): boolean {
  return owner !== '' && owner === principal?.user
}

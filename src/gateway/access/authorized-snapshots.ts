import { HBaseError } from '../../model/errors.ts'
import { namespaceOf } from '../../model/table-name.ts'
import type { Call } from '../../store/call.ts'
import { withMethods } from '../../store/decorate.ts'
import type { SnapshotDescription, Snapshots } from '../../store/upkeep.ts'
import type { AccessChecker } from './access-checker.ts'
import { owned } from './authorized-catalog.ts'
import type { StoredPermissions } from './stored-permissions.ts'

export interface SnapshotParts {
  readonly checker: AccessChecker
  readonly permissions: StoredPermissions
  /** See AuthorizationConfig. */
  readonly areOwnersKnown: boolean
}

/** Who has taken a snapshot may list, delete and restore it. HBase: AccessController.preListSnapshot and the like. */
export function authorizedSnapshots(
  snapshots: Snapshots,
  { checker, permissions, areOwnersKnown }: SnapshotParts,
): Snapshots {
  const isOwner = ({ owner }: SnapshotDescription, { principal }: Call): boolean =>
    areOwnersKnown && owner !== '' && owner === principal?.user
  /** Undefined where it is somebody else's. Throws DO_NOT_RETRY where there is none, to whomever asks. */
  const own = async (name: string, call: Call): Promise<SnapshotDescription | undefined> => {
    const found = (await snapshots.listSnapshots(call)).find((snapshot) => snapshot.name === name)
    if (found === undefined) throw noSnapshot(name)
    return isOwner(found, call) ? found : undefined
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
      const owner = call.principal?.user
      await snapshots.createSnapshot(name, table, type, call, { ...options, owner })
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
      const snapshot = await own(name, call)
      if (snapshot === undefined) access.requireGlobal('ADMIN')
      else if (snapshot.table !== table) access.requireNamespace(namespaceOf(table), 'ADMIN', undefined)
      await snapshots.cloneSnapshot(name, table, call)
      await owned(permissions, table, call)
    },
  })
}

function noSnapshot(name: string): HBaseError {
  return new HBaseError('DO_NOT_RETRY', `Snapshot '${name}' doesn't exist on the filesystem`, {
    javaClass: 'org.apache.hadoop.hbase.snapshot.SnapshotDoesNotExistException',
  })
}

import { HBaseError } from '../../../model/errors.ts'
import { namespaceOf, type TableName } from '../../../model/table-name.ts'
import type { Call } from '../../../store/call.ts'
import type { RestoreOptions, SnapshotDescription, Snapshots } from '../../../store/snapshots.ts'
import type { AccessChecker } from './access-checker.ts'
import { owned } from './authorized-catalog.ts'
import type { StoredPermissions } from './permissions/stored-permissions.ts'

export interface SnapshotParts {
  readonly checker: AccessChecker
  readonly permissions: StoredPermissions
  /** See AuthorizationConfig. */
  readonly areOwnersKnown: boolean
}

/** The owner of a snapshot, who has taken it, may list, delete and restore it. HBase: AccessController.preListSnapshot and the like. */
export function authorizedSnapshots(
  snapshots: Snapshots,
  { checker, permissions, areOwnersKnown }: SnapshotParts,
): Snapshots {
  const isOwner = ({ owner }: SnapshotDescription, { principal }: Call): boolean =>
    areOwnersKnown && owner !== '' && owner === principal?.user
  /** Throws DO_NOT_RETRY to any user where there is no such snapshot. */
  const find = async (name: string, call: Call): Promise<SnapshotDescription> => {
    const found = (await snapshots.listSnapshots(call)).find((snapshot) => snapshot.name === name)
    if (found === undefined) throw noSnapshot(name)
    return found
  }
  /** Restores permissions here, not in the store: a cluster without an AccessController would fail to. */
  const regrant = async (snapshot: SnapshotDescription, table: TableName, options?: RestoreOptions) => {
    if (options?.restoresPermissions === true) await permissions.restore(snapshot.permissions ?? [], table)
  }
  const listSnapshots = async (call: Call): Promise<SnapshotDescription[]> => {
    const access = await checker.accessOf(call)
    const all = await snapshots.listSnapshots(call)
    if (access.grants.allowsGlobal(access.subject, 'ADMIN')) return all
    return all.filter((snapshot) => isOwner(snapshot, call))
  }
  return {
    listSnapshots,
    ...(snapshots.snapshotSizes && {
      snapshotSizes: async (call: Call) => {
        const listed = new Set((await listSnapshots(call)).map(({ name }) => name))
        return (await snapshots.snapshotSizes!(call)).filter(({ name }) => listed.has(name))
      },
    }),
    createSnapshot: async (name, table, type, call, options) => {
      const access = await checker.accessOf(call)
      access.requireTable(table, ['ADMIN'])
      const owner = call.principal?.user
      const kept = await permissions.ofTable(table)
      await snapshots.createSnapshot(name, table, type, call, { ...options, owner, permissions: kept })
    },
    deleteSnapshot: async (name, call) => {
      const access = await checker.accessOf(call)
      if (!isOwner(await find(name, call), call)) access.requireGlobal('ADMIN')
      await snapshots.deleteSnapshot(name, call)
    },
    restoreSnapshot: async (name, call, options) => {
      const access = await checker.accessOf(call)
      const snapshot = await find(name, call)
      if (!isOwner(snapshot, call)) access.requireGlobal('ADMIN')
      else access.requireTable(snapshot.table, ['ADMIN'])
      await snapshots.restoreSnapshot(name, call)
      await regrant(snapshot, snapshot.table, options)
    },
    cloneSnapshot: async (name, table, call, options) => {
      const access = await checker.accessOf(call)
      const snapshot = await find(name, call)
      if (!isOwner(snapshot, call)) access.requireGlobal('ADMIN')
      else if (snapshot.table !== table) access.requireNamespace(namespaceOf(table), 'ADMIN', undefined)
      const { fileTracker } = options ?? {}
      await snapshots.cloneSnapshot(name, table, call, fileTracker === undefined ? {} : { fileTracker })
      await regrant(snapshot, table, options)
      await owned(permissions, table, call)
    },
  }
}

function noSnapshot(name: string): HBaseError {
  return new HBaseError('DO_NOT_RETRY', `Snapshot '${name}' doesn't exist on the filesystem`, {
    javaClass: 'org.apache.hadoop.hbase.snapshot.SnapshotDoesNotExistException',
  })
}

/** Descriptions of snapshots: from clients to the manifest, and back. */

import { HBaseError } from '../../../src/model/errors.ts'
import { withTracker } from '../../../src/model/file-trackers.ts'
import { ACTIONS, type UserPermission } from '../../../src/model/permission.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import type { RestoreOptions, SnapshotDescription } from '../../../src/store/snapshots.ts'
import { attributeList, descriptorOfRecord, familyRecords } from '../manifest/catalog.ts'
import type { AttributeList, SnapshotRecord } from '../manifest/manifest-edit.ts'

/** Milliseconds of 64 bits, in seconds. */
const TIME_TO_LIVE_MAX = 9_223_372_036_854_775n

/** HBase: SnapshotProcedure, which states it in the description of the table that the snapshot keeps. */
export function withMaxFileBytes(attributes: AttributeList, bytes: bigint): AttributeList {
  if (bytes <= 0n || attributes.some(([name]) => name === 'MAX_FILESIZE')) return attributes
  return [...attributes, ['MAX_FILESIZE', bytes.toString()]]
}

/** Answers the creator's values, within HBase's bounds: SnapshotDescriptionUtils.validate. */
export function givenTo(
  timeToLive: bigint,
  maxFileBytes: bigint,
): Pick<SnapshotRecord, 'timeToLiveSeconds' | 'given'> {
  const seconds = timeToLive > TIME_TO_LIVE_MAX ? 0n : timeToLive
  return {
    timeToLiveSeconds: seconds < 0n ? 0 : Math.min(Number(seconds), Number.MAX_SAFE_INTEGER),
    given: { timeToLiveSeconds: seconds.toString(), maxFileBytes: maxFileBytes.toString() },
  }
}

/** The permissions that a snapshot keeps: those for whole tables and their columns. */
export function keptPermissions(
  permissions: readonly UserPermission[] = [],
): Pick<SnapshotRecord, 'permissions'> {
  const kept = permissions.flatMap(({ user, permission: { scope, actions } }) => {
    if (scope.kind !== 'table') return []
    const { family, qualifier } = scope
    return [{ user, ...(family && { family }), ...(qualifier && { qualifier }), actions }]
  })
  return kept.length === 0 ? {} : { permissions: kept }
}

function permissionsOf({ table, permissions }: SnapshotRecord): Pick<SnapshotDescription, 'permissions'> {
  if (permissions === undefined) return {}
  const name = parseTableName(table.name)
  return {
    permissions: permissions.map(({ user, family, qualifier, actions }) => ({
      user,
      permission: {
        scope: { kind: 'table', table: name, family, qualifier },
        actions: ACTIONS.filter((action) => actions.includes(action)),
      },
    })),
  }
}

/**
 * Throws DO_NOT_RETRY for permissions that no decorator of the store restores: a server without any would drop them, and its table would be
 * open to fewer users than were asked for.
 */
export function checkRestored({ name, permissions }: SnapshotRecord, options: RestoreOptions = {}): void {
  if (options.restoresPermissions !== true || permissions === undefined) return
  throw new HBaseError(
    'DO_NOT_RETRY',
    `the permissions of snapshot '${name}' are restored by a server with --authorization alone: ask without them (RESTORE_ACL, restoreAcl)`,
    { javaClass: 'org.apache.hadoop.hbase.snapshot.RestoreSnapshotException' },
  )
}

/** The snapshot as a clone with another file tracker is made of it; unchanged without one. Throws DO_NOT_RETRY for an unknown one. */
export function withFileTracker(snapshot: SnapshotRecord, tracker: string | undefined): SnapshotRecord {
  if (tracker === undefined) return snapshot
  const { table } = snapshot
  const changed = withTracker(descriptorOfRecord(table), tracker)
  const families = familyRecords(changed, table.families, 0)
  return { ...snapshot, table: { ...table, attributes: attributeList(changed.attributes), families } }
}

export function describeSnapshot(snapshot: SnapshotRecord): SnapshotDescription {
  const { name, table, type, createdAt, timeToLiveSeconds, given } = snapshot
  return {
    name,
    table: parseTableName(table.name),
    type,
    createdAt,
    timeToLiveSeconds: BigInt(given?.timeToLiveSeconds ?? timeToLiveSeconds),
    maxFileBytes: BigInt(given?.maxFileBytes ?? 0),
    owner: snapshot.owner ?? '',
    ...permissionsOf(snapshot),
    regions: table.regions.length,
  }
}

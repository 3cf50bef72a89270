/** Snapshots. HBase: SnapshotManager. */

import type { MessageInitShape } from '@bufbuild/protobuf'
import { HBaseError } from '../../../model/errors.ts'
import { parseTableName } from '../../../model/table-name.ts'
import type { Call } from '../../../store/call.ts'
import type { RestoreOptions, SnapshotDescription, Snapshots } from '../../../store/snapshots.ts'
import { MasterService } from '../../../wire/rpc/gen/master_pb.ts'
import {
  SnapshotDescription_Type,
  type SnapshotDescriptionSchema,
  type SnapshotDescription as SnapshotMessage,
} from '../../../wire/rpc/gen/snapshot_pb.ts'
import { usersAndPermissionsMessage } from '../../../wire/rpc/permission-messages.ts'
import { generated, type RpcHandler } from '../contract/rpc-service.ts'
import type { MasterContext } from './master-context.ts'
import { CLONE_REQUEST } from './procedure-state.ts'
import type { Nonce } from './procedures.ts'

const { method } = MasterService
/** Layout version of HBase 2's snapshots. HBase: SnapshotManifestV2. */
const LAYOUT = 2
/** Time in milliseconds for which clients of HBase before 2.6 ask whether the snapshot is done. */
const EXPECTED_TIMEOUT = 300_000n

export function snapshots(context: MasterContext): (readonly [string, RpcHandler])[] {
  const { store, procedures } = context
  return [
    generated(method.snapshot, async (message, { call }) => {
      const { name, table, type, ttl, maxFileSize } = message.snapshot!
      const wanted = type === SnapshotDescription_Type.SKIPFLUSH ? 'SKIPFLUSH' : 'FLUSH'
      const options = {
        timeToLiveSeconds: ttl === 0n ? undefined : ttl,
        maxFileBytes: maxFileSize === 0n ? undefined : maxFileSize,
      }
      const { procId } = await procedures.run(message, call, (own) =>
        snapshotsOf(context).createSnapshot(name, parseTableName(table), wanted, own, options),
      )
      return { procId, expectedTimeout: EXPECTED_TIMEOUT }
    }),
    generated(method.isSnapshotDone, async ({ snapshot }, { call }) => {
      if (snapshot === undefined) throw unnamedSnapshot()
      const found = await find(context, snapshot.name, call)
      if (found === undefined) throw unknownSnapshot(snapshot)
      return { done: true, snapshot: snapshotMessage(found) }
    }),
    generated(method.getCompletedSnapshots, async (_, { call }) => {
      const all = (await store.upkeep.snapshots?.listSnapshots(call)) ?? []
      return { snapshots: all.map(snapshotMessage) }
    }),
    generated(method.deleteSnapshot, async ({ snapshot }, { call }) => {
      await snapshotsOf(context).deleteSnapshot(snapshot!.name, call)
      return {}
    }),
    generated(method.restoreSnapshot, async (message, { call }) => {
      const { name, table } = message.snapshot!
      const { restoreACL, customSFT } = message
      const options = { restoresPermissions: restoreACL, ...(customSFT !== '' && { fileTracker: customSFT }) }
      const isThere = await store.catalog.tableExists(parseTableName(table), call)
      const procedure = isThere ? message : asClone(message)
      return procedures.run(procedure, call, (own) => restoreOrClone(context, name, table, own, options))
    }),
  ]
}

export function snapshotsOf({ store }: Pick<MasterContext, 'store'>): Snapshots {
  const { snapshots: own } = store.upkeep
  if (own === undefined) throw new HBaseError('UNSUPPORTED', 'this store has no snapshots')
  return own
}

/** The request under the type of a clone. The message is its prototype, not copied: absent fields have their defaults on the message's own prototype. */
function asClone<Request extends Nonce>(message: Request): Request {
  return Object.create(message, { $typeName: { value: CLONE_REQUEST } }) as Request
}

/** Restores a snapshot. Where the table does not exist, this clones the snapshot. HBase: SnapshotManager.restoreOrCloneSnapshot. */
async function restoreOrClone(
  context: Pick<MasterContext, 'store'>,
  name: string,
  table: string,
  call: Call,
  options: RestoreOptions,
): Promise<void> {
  const own = snapshotsOf(context)
  const target = parseTableName(table)
  if (!(await context.store.catalog.tableExists(target, call))) {
    await own.cloneSnapshot(name, target, call, options)
    return
  }
  const snapshot = await find(context, name, call)
  if (snapshot !== undefined && snapshot.table !== target) {
    const message = `Snapshot '${name}' is of ${snapshot.table} and cannot be restored into ${target}`
    throw new HBaseError('DO_NOT_RETRY', message, {
      javaClass: 'org.apache.hadoop.hbase.snapshot.RestoreSnapshotException',
    })
  }
  await own.restoreSnapshot(name, call, options)
}

async function find(
  { store }: Pick<MasterContext, 'store'>,
  name: string,
  call: Call,
): Promise<SnapshotDescription | undefined> {
  const all = await store.upkeep.snapshots?.listSnapshots(call)
  return all?.find((snapshot) => snapshot.name === name)
}

function snapshotMessage({
  name,
  table,
  type,
  createdAt,
  timeToLiveSeconds,
  maxFileBytes,
  owner,
  permissions,
}: SnapshotDescription): MessageInitShape<typeof SnapshotDescriptionSchema> {
  return {
    name,
    table,
    type: SnapshotDescription_Type[type],
    creationTime: BigInt(createdAt),
    ttl: timeToLiveSeconds,
    ...(maxFileBytes !== 0n && { maxFileSize: maxFileBytes }),
    version: LAYOUT,
    owner,
    ...(permissions && { usersAndPermissions: usersAndPermissionsMessage(permissions) }),
  }
}

/** HBase: SnapshotManager.isSnapshotDone. */
function unnamedSnapshot(): HBaseError {
  return new HBaseError(
    'DO_NOT_RETRY',
    "No snapshot name passed in request, can't figure out which snapshot you want to check.",
    {
      javaClass: 'org.apache.hadoop.hbase.snapshot.UnknownSnapshotException',
    },
  )
}

/** HBase: SnapshotManager.isSnapshotDone, ClientSnapshotDescriptionUtils.toString. */
function unknownSnapshot({ name, table, type, ttl }: SnapshotMessage): HBaseError {
  const typeName = Object.entries(SnapshotDescription_Type).find(([, value]) => value === type)![0]
  const shown = `{ ss=${name} table=${table} type=${typeName} ttl=${ttl} }`
  return new HBaseError(
    'DO_NOT_RETRY',
    `Snapshot ${shown} is not currently running or one of the known completed snapshots.`,
    { javaClass: 'org.apache.hadoop.hbase.snapshot.UnknownSnapshotException' },
  )
}

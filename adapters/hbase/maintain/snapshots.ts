/** Snapshots of tables, kept by the master. HBase: HBaseAdmin, SnapshotManager. */

import { HBaseError } from '../../../src/model/errors.ts'
import { checkSnapshotName, isSystemTable, type TableName } from '../../../src/model/table-name.ts'
import type { Call } from '../../../src/store/call.ts'
import type { Catalog } from '../../../src/store/catalog.ts'
import type {
  RestoreOptions,
  SnapshotDescription,
  SnapshotOptions,
  Snapshots,
  SnapshotType,
} from '../../../src/store/snapshots.ts'
import { MasterService, type SnapshotResponse } from '../../../src/wire/rpc/gen/master_pb.ts'
import {
  SnapshotDescription_Type,
  type SnapshotDescription as SnapshotMessage,
} from '../../../src/wire/rpc/gen/snapshot_pb.ts'
import { tablePermissionsFromMessage } from '../../../src/wire/rpc/permission-messages.ts'
import { rpcMethod } from '../../../src/wire/rpc/rpc-method.ts'
import type { Master } from '../admin/master.ts'
import type { Cluster } from '../cluster/cluster.ts'

const { method } = MasterService
const SNAPSHOT = rpcMethod(method.snapshot)
const IS_SNAPSHOT_DONE = rpcMethod(method.isSnapshotDone)
const GET_COMPLETED_SNAPSHOTS = rpcMethod(method.getCompletedSnapshots)
const DELETE_SNAPSHOT = rpcMethod(method.deleteSnapshot)
const RESTORE_SNAPSHOT = rpcMethod(method.restoreSnapshot)

const TYPES: readonly SnapshotDescription['type'][] = ['FLUSH', 'SKIPFLUSH', 'DISABLED']

export class ClusterSnapshots implements Snapshots {
  readonly #cluster: Cluster
  readonly #master: Master
  readonly #catalog: Pick<Catalog, 'tableExists' | 'tableState'>

  constructor(cluster: Cluster, master: Master, catalog: Pick<Catalog, 'tableExists' | 'tableState'>) {
    this.#cluster = cluster
    this.#master = master
    this.#catalog = catalog
  }

  async listSnapshots(call: Call): Promise<SnapshotDescription[]> {
    const { snapshots } = await this.#master.ask('list of snapshots', GET_COMPLETED_SNAPSHOTS, {}, call)
    return snapshots.map(snapshotFromMessage).sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  async createSnapshot(
    name: string,
    table: TableName,
    type: SnapshotType,
    call: Call,
    { timeToLiveSeconds, maxFileBytes }: SnapshotOptions = {},
  ): Promise<void> {
    // The master accepts any name.
    checkSnapshotName(name)
    if (isSystemTable(table)) {
      throw new HBaseError('ILLEGAL_ARGUMENT', 'System table snapshots are not allowed')
    }
    const operation = `snapshot ${name} of ${table}`
    const snapshot = {
      name,
      table,
      type: SnapshotDescription_Type[type],
      ...(timeToLiveSeconds !== undefined && { ttl: timeToLiveSeconds }),
      ...(maxFileBytes !== undefined && { maxFileSize: maxFileBytes }),
    }
    const request = { snapshot, ...this.#master.nonce() }
    const answer = await this.#master.ask(operation, SNAPSHOT, request, call)
    // Before HBase 2.6 a snapshot was no procedure: poll for its end.
    if (answer.procId === 0n) await this.#done(operation, snapshot, answer, call)
    else await this.#master.procedureEnd(operation, answer.procId, call)
  }

  async deleteSnapshot(name: string, call: Call): Promise<void> {
    const request = { snapshot: { name } }
    await this.#master.ask(`deletion of snapshot ${name}`, DELETE_SNAPSHOT, request, call)
  }

  async restoreSnapshot(name: string, call: Call, options?: RestoreOptions): Promise<void> {
    const snapshot = (await this.listSnapshots(call)).find((candidate) => candidate.name === name)
    if (snapshot === undefined) {
      throw new HBaseError('DO_NOT_RETRY', `Unable to find the table name for snapshot=${name}`, {
        javaClass: 'org.apache.hadoop.hbase.snapshot.RestoreSnapshotException',
      })
    }
    const { table } = snapshot
    // The master has no exception that says this.
    if (
      (await this.#catalog.tableExists(table, call)) &&
      (await this.#catalog.tableState(table, call)) === 'ENABLED'
    ) {
      throw new HBaseError('TABLE_NOT_DISABLED', table)
    }
    await this.#restore(`restoration of snapshot ${name}`, { name, table }, options, call)
  }

  async cloneSnapshot(name: string, table: TableName, call: Call, options?: RestoreOptions): Promise<void> {
    // The master would restore the snapshot into an existing table.
    if (await this.#catalog.tableExists(table, call)) throw new HBaseError('TABLE_EXISTS', table)
    await this.#restore(`cloning of snapshot ${name}`, { name, table }, options, call)
  }

  /** Forgets the table's regions: the snapshot replaces them. */
  async #restore(
    operation: string,
    snapshot: { readonly name: string; readonly table: TableName },
    options: RestoreOptions | undefined,
    call: Call,
  ): Promise<void> {
    try {
      await this.#master.change(operation, RESTORE_SNAPSHOT, call, (nonce) => ({
        snapshot,
        ...(options?.restoresPermissions === true && { restoreACL: true }),
        ...(options?.fileTracker !== undefined && { customSFT: options.fileTracker }),
        ...nonce,
      }))
    } finally {
      this.#cluster.locator.forgetTable(snapshot.table)
    }
  }

  #done(
    operation: string,
    snapshot: { name: string; table: string; type: SnapshotDescription_Type },
    { expectedTimeout }: SnapshotResponse,
    call: Call,
  ): Promise<void> {
    return this.#master.until(operation, Number(expectedTimeout), call, async (deadline) => {
      const { done } = await this.#master.ask(operation, IS_SNAPSHOT_DONE, { snapshot }, call, deadline)
      return done
    })
  }
}

function snapshotFromMessage({
  name,
  table,
  type,
  creationTime,
  ttl,
  maxFileSize,
  owner,
  usersAndPermissions,
}: SnapshotMessage): SnapshotDescription {
  return {
    name,
    table: table as TableName,
    type: TYPES.find((name) => SnapshotDescription_Type[name] === type)!,
    createdAt: Number(creationTime),
    timeToLiveSeconds: ttl,
    maxFileBytes: maxFileSize,
    owner,
    ...(usersAndPermissions && { permissions: tablePermissionsFromMessage(usersAndPermissions) }),
  }
}

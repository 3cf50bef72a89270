/** Snapshots of tables, as the master keeps them. HBase: HBaseAdmin, SnapshotManager. */

import type { Maintenance, SnapshotDescription, SnapshotType } from '../../../src/maintenance.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import { checkSnapshotName, isSystemTable, type TableName } from '../../../src/model/table-name.ts'
import { MasterService, type SnapshotResponse } from '../../../src/wire/rpc/gen/master_pb.ts'
import {
  SnapshotDescription_Type,
  type SnapshotDescription as SnapshotMessage,
} from '../../../src/wire/rpc/gen/snapshot_pb.ts'
import { rpcMethod } from '../../../src/wire/rpc/rpc-method.ts'
import type { HBaseAdmin } from '../admin/hbase-admin.ts'
import type { Master } from '../admin/master.ts'
import type { Cluster } from '../cluster/cluster.ts'

const { method } = MasterService
const SNAPSHOT = rpcMethod(method.snapshot)
const IS_SNAPSHOT_DONE = rpcMethod(method.isSnapshotDone)
const GET_COMPLETED_SNAPSHOTS = rpcMethod(method.getCompletedSnapshots)
const DELETE_SNAPSHOT = rpcMethod(method.deleteSnapshot)
const RESTORE_SNAPSHOT = rpcMethod(method.restoreSnapshot)

const TYPES: readonly SnapshotDescription['type'][] = ['FLUSH', 'SKIPFLUSH', 'DISABLED']

export class Snapshots
  implements
    Pick<
      Maintenance,
      'listSnapshots' | 'createSnapshot' | 'deleteSnapshot' | 'restoreSnapshot' | 'cloneSnapshot'
    >
{
  readonly #cluster: Cluster
  readonly #master: Master
  readonly #admin: Pick<HBaseAdmin, 'tableExists' | 'tableState'>

  constructor(cluster: Cluster, master: Master, admin: Pick<HBaseAdmin, 'tableExists' | 'tableState'>) {
    this.#cluster = cluster
    this.#master = master
    this.#admin = admin
  }

  async listSnapshots(): Promise<SnapshotDescription[]> {
    const { snapshots } = await this.#master.ask('list of snapshots', GET_COMPLETED_SNAPSHOTS, {})
    return snapshots.map(snapshotOf).sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  async createSnapshot(name: string, table: TableName, type: SnapshotType): Promise<void> {
    // The master takes any name, and keeps it.
    checkSnapshotName(name)
    if (isSystemTable(table)) {
      throw new HBaseError('ILLEGAL_ARGUMENT', 'System table snapshots are not allowed')
    }
    const operation = `snapshot ${name} of ${table}`
    const snapshot = { name, table, type: SnapshotDescription_Type[type] }
    const answer = await this.#master.ask(operation, SNAPSHOT, { snapshot, ...this.#master.nonce() })
    // Before HBase 2.6 it was no procedure, and only this tells its end.
    if (answer.procId === 0n) await this.#done(operation, snapshot, answer)
    else await this.#master.procedureEnd(operation, answer.procId)
  }

  async deleteSnapshot(name: string): Promise<void> {
    await this.#master.ask(`deletion of snapshot ${name}`, DELETE_SNAPSHOT, { snapshot: { name } })
  }

  async restoreSnapshot(name: string): Promise<void> {
    const snapshot = (await this.listSnapshots()).find((candidate) => candidate.name === name)
    if (snapshot === undefined) {
      throw new HBaseError('DO_NOT_RETRY', `Unable to find the table name for snapshot=${name}`, {
        detail: { javaClass: 'org.apache.hadoop.hbase.snapshot.RestoreSnapshotException' },
      })
    }
    const { table } = snapshot
    // The master itself knows no exception for it that would say so.
    if ((await this.#admin.tableExists(table)) && (await this.#admin.tableState(table)) === 'ENABLED') {
      throw new HBaseError('TABLE_NOT_DISABLED', table)
    }
    await this.#restore(`restoration of snapshot ${name}`, name, table)
  }

  async cloneSnapshot(name: string, table: TableName): Promise<void> {
    // The master would restore the snapshot into it.
    if (await this.#admin.tableExists(table)) throw new HBaseError('TABLE_EXISTS', table)
    await this.#restore(`cloning of snapshot ${name}`, name, table)
  }

  /** The table's regions are others afterwards. */
  async #restore(operation: string, name: string, table: TableName): Promise<void> {
    try {
      await this.#master.change(operation, RESTORE_SNAPSHOT, (nonce) => ({
        snapshot: { name, table },
        ...nonce,
      }))
    } finally {
      this.#cluster.locator.forgetTable(table)
    }
  }

  #done(
    operation: string,
    snapshot: { name: string; table: string; type: SnapshotDescription_Type },
    { expectedTimeout }: SnapshotResponse,
  ): Promise<void> {
    return this.#master.until(operation, Number(expectedTimeout), async (deadline) => {
      const { done } = await this.#master.ask(operation, IS_SNAPSHOT_DONE, { snapshot }, deadline)
      return done
    })
  }
}

function snapshotOf({ name, table, type, creationTime, ttl, owner }: SnapshotMessage): SnapshotDescription {
  return {
    name,
    table: table as TableName,
    type: TYPES.find((name) => SnapshotDescription_Type[name] === type)!,
    createdAt: Number(creationTime),
    timeToLiveSeconds: Number(ttl),
    owner,
  }
}

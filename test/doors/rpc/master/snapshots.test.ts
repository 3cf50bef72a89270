/** Snapshots through the master, of a store that has them. */

import { afterEach, beforeEach, expect, test } from 'vitest'
import { openNativeStore } from '../../../../adapters/native/open-native-store.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { GetProcedureResultResponse_State, MasterService } from '../../../../src/wire/rpc/gen/master_pb.ts'
import { SnapshotDescription_Type } from '../../../../src/wire/rpc/gen/snapshot_pb.ts'
import { CrashableFileSystem } from '../../../harness/simulation/crashable-file-system.ts'
import { TABLE } from '../rpc-server.ts'
import { type MasterClient, startMasterClient } from './master-client.ts'

const { method } = MasterService

let server: MasterClient

beforeEach(async () => {
  server = await startMasterClient(
    await openNativeStore({
      directory: '/store',
      fileSystem: new CrashableFileSystem(),
      clock: { now: () => 1_700_000_000_000 },
      random: Math.random,
    }),
  )
})

afterEach(() => server.close())

test('a snapshot is taken by a procedure', async () => {
  const configuration = [{ name: 'table', value: 't' }]
  const procedure = { signature: 'online-snapshot', instance: 's', configuration }
  await server.ask(method.execProcedure, { procedure })
  expect((await server.ask(method.isProcedureDone, { procedure })).done).toBe(true)
  const taken = await server.store.upkeep.snapshots!.listSnapshots(OWN_CALL)
  expect(taken.map(({ name, table }) => [name, table])).toEqual([['s', 't']])
})

test('a snapshot is listed, cloned, restored and deleted', async () => {
  const { snapshots } = server.remote.upkeep
  await snapshots!.createSnapshot('s', TABLE, 'FLUSH', OWN_CALL)
  const [listed] = (await server.ask(method.getCompletedSnapshots, {})).snapshots
  expect(listed).toMatchObject({ name: 's', table: 't', type: SnapshotDescription_Type.FLUSH, version: 2 })
  expect((await server.ask(method.isSnapshotDone, { snapshot: { name: 's' } })).done).toBe(true)
  await expect(server.ask(method.isSnapshotDone, { snapshot: { name: 'x', table: 't' } })).rejects.toThrow(
    'Snapshot { ss=x table=t type=FLUSH ttl=0 } is not currently running or one of the known completed snapshots.',
  )
  await snapshots!.cloneSnapshot('s', 'copy' as typeof TABLE, OWN_CALL)
  expect(await server.store.catalog.regions('copy' as typeof TABLE, OWN_CALL)).toHaveLength(2)
  await server.remote.catalog.disableTable(TABLE, OWN_CALL)
  await snapshots!.restoreSnapshot('s', OWN_CALL)
  const { procedure } = await server.ask(method.getProcedures, {})
  expect(procedure.map(({ className }) => className.split('.').at(-1))).toEqual([
    'SnapshotProcedure',
    'CloneSnapshotProcedure',
    'DisableTableProcedure',
    'RestoreSnapshotProcedure',
  ])
  await snapshots!.deleteSnapshot('s', OWN_CALL)
  expect(await snapshots!.listSnapshots(OWN_CALL)).toEqual([])
})

test('a clone has the file tracker that its client states', async () => {
  const { snapshots } = server.remote.upkeep
  await snapshots!.createSnapshot('s', TABLE, 'FLUSH', OWN_CALL)
  const copy = 'copy' as typeof TABLE
  await expect(snapshots!.cloneSnapshot('s', copy, OWN_CALL, { fileTracker: 'X' })).rejects.toThrow(
    'java.lang.ClassNotFoundException: Class X not found',
  )
  await snapshots!.cloneSnapshot('s', copy, OWN_CALL, { fileTracker: 'FILE' })
  const { attributes } = await server.store.catalog.table(copy, OWN_CALL)
  expect(attributes.get('hbase.store.file-tracker.impl')).toBe('FILE')
})

test('clones that are asked for without a nonce are made one by one', async () => {
  const { snapshots } = server.remote.upkeep
  await snapshots!.createSnapshot('s', TABLE, 'FLUSH', OWN_CALL)
  for (const table of ['one', 'two']) {
    const asked = { snapshot: { name: 's', table } }
    const { procId } = await server.ask(method.restoreSnapshot, asked)
    const { state, exception } = await server.ask(method.getProcedureResult, { procId })
    expect([state, exception]).toEqual([GetProcedureResultResponse_State.FINISHED, undefined])
    expect(await server.store.catalog.tableExists(parseTableName(table), OWN_CALL)).toBe(true)
  }
})

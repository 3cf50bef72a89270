/** Regions, snapshots and flushes through the master. */

import { afterEach, beforeEach, expect, test } from 'vitest'
import { META_TABLE } from '../../../../src/model/meta-table.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import type { RegionLocation } from '../../../../src/store/catalog.ts'
import { GetProcedureResultResponse_State, MasterService } from '../../../../src/wire/rpc/gen/master_pb.ts'
import { tableNameMessage } from '../../../../src/wire/rpc/table-name-message.ts'
import { TABLE } from '../rpc-server.ts'
import { type MasterClient, startMasterClient } from './master-client.ts'

const { method } = MasterService
const tableName = tableNameMessage(TABLE)
const UNKNOWN = Buffer.from('0'.repeat(32))

let server: MasterClient

beforeEach(async () => {
  server = await startMasterClient()
})

afterEach(() => server.close())

const regionsOf = (): Promise<readonly RegionLocation[]> => server.store.catalog.regions(TABLE, OWN_CALL)
const starts = async (): Promise<string[]> =>
  (await regionsOf()).map(({ startKey }) => startKey.toString('latin1'))

test('a region is split and the halves are merged', async () => {
  const { regions } = server.remote.upkeep
  const [first] = await regionsOf()
  await regions!.splitRegion(first!.name, Buffer.from('c'), OWN_CALL)
  expect(await starts()).toEqual(['', 'c', 'm'])
  const [low, high] = await regionsOf()
  await regions!.mergeRegions([low!.name, high!.name], false, OWN_CALL)
  expect(await starts()).toEqual(['', 'm'])
  const unknown = { type: 2 as const, value: UNKNOWN }
  await expect(server.ask(method.mergeTableRegions, { region: [unknown, unknown] })).rejects.toMatchObject({
    javaClass: 'org.apache.hadoop.hbase.UnknownRegionException',
  })
})

test('a region is closed, opened, moved and truncated', async () => {
  const { regions } = server.remote.upkeep
  const [first] = await regionsOf()
  await regions!.unassignRegion(first!.name, OWN_CALL)
  await expect(regions!.unassignRegion(first!.name, OWN_CALL)).rejects.toMatchObject({
    javaClass: 'org.apache.hadoop.hbase.client.DoNotRetryRegionException',
  })
  await regions!.assignRegion(first!.name, OWN_CALL)
  await regions!.moveRegion(first!.name, undefined, OWN_CALL)
  await regions!.truncateRegion(first!.name, OWN_CALL)
  const after = await regionsOf()
  expect(after).toHaveLength(2)
  expect(after[0]!.encodedName).not.toBe(first!.encodedName)
})

test('a region is not split or merged while the switches are off', async () => {
  const { regions } = server.remote.upkeep
  const [first, second] = await regionsOf()
  const off = { enabled: false, switchTypes: [0, 1] as const }
  expect(
    (await server.ask(method.setSplitOrMergeEnabled, { ...off, switchTypes: [0, 1] })).prevValue,
  ).toEqual([true, true])
  await expect(regions!.splitRegion(first!.name, Buffer.from('c'), OWN_CALL)).rejects.toThrow(
    /^Split region t,,.* failed due to split switch off$/,
  )
  await expect(regions!.mergeRegions([first!.name, second!.name], false, OWN_CALL)).rejects.toThrow(
    /failed due to merge switch off$/,
  )
  expect((await server.ask(method.isSplitOrMergeEnabled, { switchType: 1 })).enabled).toBe(false)
})

test('a table is flushed; a flush of an unknown family fails with the result of the procedure', async () => {
  await server.remote.upkeep.flushes!.flushTable(TABLE, OWN_CALL)
  const columnFamily = [Buffer.from('f'), Buffer.from('x')]
  const { procId } = await server.ask(method.flushTable, { tableName, columnFamily })
  const { state, exception } = await server.ask(method.getProcedureResult, { procId })
  expect([state, exception?.genericException?.message]).toEqual([
    GetProcedureResultResponse_State.FINISHED,
    "Column families [x] don't exist in table t",
  ])
})

test('clients of HBase before 2.6 flush by a procedure', async () => {
  const procedure = { signature: 'flush-table-proc', instance: 't' }
  await server.ask(method.execProcedure, { procedure })
  expect((await server.ask(method.isProcedureDone, { procedure })).done).toBe(true)
  await expect(server.ask(method.execProcedure, { procedure: { signature: 'x' } })).rejects.toThrow(
    'The procedure is not registered: x',
  )
})

test('no region of hbase:meta is truncated: the result of the procedure is an error', async () => {
  const regionInfo = { tableName: tableNameMessage(META_TABLE), regionId: 1n }
  const { procId } = await server.ask(method.truncateRegion, { regionInfo })
  const { state, exception } = await server.ask(method.getProcedureResult, { procId })
  expect(state).toBe(GetProcedureResultResponse_State.FINISHED)
  expect(exception!.genericException).toMatchObject({ message: "Can't truncate region in catalog tables" })
})

test('the tracker of store files of a table and of a family is changed', async () => {
  const key = 'hbase.store.file-tracker.impl'
  const asked = { tableName, dstSft: 'FILE' }
  const ofTable = await server.ask(method.modifyTableStoreFileTracker, asked)
  const ofFamily = await server.ask(method.modifyColumnStoreFileTracker, {
    ...asked,
    dstSft: 'DEFAULT',
    family: Buffer.from('f'),
  })
  for (const { procId } of [ofTable, ofFamily])
    expect((await server.ask(method.getProcedureResult, { procId })).exception).toBeUndefined()
  const { attributes, families } = await server.store.catalog.table(TABLE, OWN_CALL)
  expect(attributes.get(key)).toBe('FILE')
  expect([...families[0]!.configuration!]).toEqual([[key, 'DEFAULT']])
})

test('the tracker of store files of a disabled table is not changed', async () => {
  await server.store.catalog.disableTable(TABLE, OWN_CALL)
  const { procId } = await server.ask(method.modifyTableStoreFileTracker, { tableName, dstSft: 'DEFAULT' })
  const { exception } = await server.ask(method.getProcedureResult, { procId })
  expect(exception!.genericException).toMatchObject({
    className: 'org.apache.hadoop.hbase.TableNotEnabledException',
  })
})

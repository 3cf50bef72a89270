/** Procedures as a real HBase 2.6.1 lists them after each kind of request, and after refusals. */

import { create, createRegistry, fromBinary, type Message, toJson } from '@bufbuild/protobuf'
import { AnySchema } from '@bufbuild/protobuf/wkt'
import { expect, test } from 'vitest'
import { Procedures } from '../../../../src/doors/rpc/master/procedures.ts'
import { type ErrorCode, HBaseError } from '../../../../src/model/errors.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { file_hbase } from '../../../../src/wire/rpc/gen/hbase_pb.ts'
import {
  CreateTableRequestSchema,
  DisableTableRequestSchema,
  file_master,
  RestoreSnapshotRequestSchema,
  SplitTableRegionRequestSchema,
} from '../../../../src/wire/rpc/gen/master_pb.ts'
import { file_master_procedure } from '../../../../src/wire/rpc/gen/master-procedure_pb.ts'

const NONCE = { nonceGroup: 3n, nonce: 4n }
const CALL = { ...OWN_CALL, principal: { user: 'ann' } }
const TABLE = { namespace: Buffer.from('default'), qualifier: Buffer.from('t') }
const FAILED = 'procedure2.FailedProcedure'
const NONE = undefined

/** Requests that the door passes on unchanged. */
type Request = Message & { readonly nonceGroup: bigint; readonly nonce: bigint }

/** A request, with the parts that its procedure's state needs. */
function requestOf(kind: string, nonce: bigint): Request {
  const schema = file_master.messages.find(({ name }) => name === `${kind}Request`)!
  const fields = {
    tableName: TABLE,
    tableSchema: { tableName: TABLE },
    namespaceDescriptor: { name: Buffer.from('n') },
    regionInfo: { regionId: 5n, tableName: TABLE },
    snapshot: { name: 's', table: 't' },
    nonceGroup: 3n,
    nonce,
  }
  const known = Object.entries(fields).filter(([name]) => name in schema.field)
  return create(schema, Object.fromEntries(known)) as Request
}

async function listedAfter(kind: string, nonce: bigint, code: ErrorCode) {
  const procedures = new Procedures()
  const request = requestOf(kind, nonce)
  const refused = procedures.run(request, CALL, () => Promise.reject(new HBaseError(code, 'why')))
  await refused.catch(() => undefined)
  return procedures.list()
}

test.each([
  ['CreateTable', 'TABLE_EXISTS', 'master.procedure.CreateTableProcedure', 'master-create-table'],
  ['CreateTable', 'DO_NOT_RETRY', NONE, NONE],
  ['CreateTable', 'NAMESPACE_NOT_FOUND', NONE, NONE],
  ['AddColumn', 'INVALID_FAMILY_OPERATION', FAILED, 'why'],
  ['ModifyColumn', 'INVALID_FAMILY_OPERATION', FAILED, 'why'],
  ['DeleteColumn', 'INVALID_FAMILY_OPERATION', FAILED, 'why'],
  ['ModifyTable', 'TABLE_NOT_FOUND', 'master.procedure.ModifyTableProcedure', 'master-modify-table'],
  ['DeleteTable', 'TABLE_NOT_DISABLED', 'master.procedure.DeleteTableProcedure', 'master-delete-table'],
  ['TruncateTable', 'TABLE_NOT_DISABLED', FAILED, 'why'],
  ['DisableTable', 'TABLE_NOT_ENABLED', FAILED, 'why'],
  ['EnableTable', 'TABLE_NOT_FOUND', 'master.procedure.EnableTableProcedure', 'master-enable-table'],
  ['FlushTable', 'NO_SUCH_COLUMN_FAMILY', 'master.procedure.FlushTableProcedure', 'master-flush-table'],
  ['FlushTable', 'TABLE_NOT_FOUND', NONE, NONE],
  ['SplitTableRegion', 'DO_NOT_RETRY', FAILED, 'why'],
  [
    'MergeTableRegions',
    'DO_NOT_RETRY',
    'master.assignment.MergeTableRegionsProcedure',
    'MergeTableRegionsProcedure',
  ],
  ['Snapshot', 'DO_NOT_RETRY', FAILED, 'why'],
  ['RestoreSnapshot', 'DO_NOT_RETRY', FAILED, 'why'],
  [
    'ModifyColumnStoreFileTracker',
    'NO_SUCH_COLUMN_FAMILY',
    'regionserver.storefiletracker.ModifyColumnFamilyStoreFileTrackerProcedure',
    'master-modify-SFT',
  ],
  // A failure of the disk, not of the client.
  ['DisableTable', 'IO', 'master.procedure.DisableTableProcedure', 'master-disable-table'],
] as const)('%s, refused with %s, is listed as %s', async (kind, code, className, source) => {
  const listed = await listedAfter(kind, 4n, code)
  const executed = className !== FAILED
  const shown = { ...NONCE, owner: 'ann', executed, exception: { source } }
  expect(listed).toMatchObject(
    className === undefined ? [] : [{ ...shown, className: `org.apache.hadoop.hbase.${className}` }],
  )
})

test.each([
  ['CreateNamespace', 'NAMESPACE_EXISTS', 'CreateNamespaceProcedure'],
  ['ModifyNamespace', 'NAMESPACE_NOT_FOUND', NONE],
  ['DeleteNamespace', 'NAMESPACE_NOT_FOUND', 'DeleteNamespaceProcedure'],
  ['DisableTable', 'TABLE_NOT_ENABLED', NONE],
] as const)('%s without a nonce, refused with %s, is listed as %s', async (kind, code, name) => {
  const listed = await listedAfter(kind, 0n, code)
  const className = `org.apache.hadoop.hbase.master.procedure.${name}`
  expect(listed.map((each) => each.className)).toEqual(name === undefined ? [] : [className])
})

async function stateAfter(request: Message): Promise<unknown[]> {
  const procedures = new Procedures()
  await procedures.run(request as Request, CALL, async () => undefined)
  const registry = createRegistry(file_master_procedure, file_hbase)
  const [{ stateMessage }] = procedures.list() as [{ stateMessage: Uint8Array[] }]
  return stateMessage.map((bytes) => toJson(AnySchema, fromBinary(AnySchema, bytes), { registry }))
}

function typed(name: string, fields: object): object {
  return { '@type': `type.googleapis.com/hbase.pb.${name}`, ...fields }
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

const STEPS = typed('StateMachineProcedureData', { state: [2 ** 31] })
const USER = { effectiveUser: 'ann' }
const SHOWN = { namespace: base64('default'), qualifier: base64('t') }

test('the state of a procedure names its user, and its table, schema, region or snapshot', async () => {
  const tableSchema = { tableName: TABLE, columnFamilies: [{ name: Buffer.from('f') }] }
  const regionInfo = { regionId: 5n, tableName: TABLE, startKey: Buffer.from('a') }
  const snapshot = { name: 's', table: 't' }
  expect(await stateAfter(create(CreateTableRequestSchema, { tableSchema }))).toEqual([
    STEPS,
    typed('CreateTableStateData', {
      userInfo: USER,
      tableSchema: { tableName: SHOWN, columnFamilies: [{ name: base64('f') }] },
    }),
  ])
  expect(await stateAfter(create(DisableTableRequestSchema, { tableName: TABLE }))).toEqual([
    STEPS,
    typed('DisableTableStateData', { userInfo: USER, tableName: SHOWN, skipTableStateCheck: false }),
  ])
  const region = { regionId: '5', tableName: SHOWN, startKey: base64('a') }
  expect(await stateAfter(create(SplitTableRegionRequestSchema, { regionInfo }))).toEqual([
    STEPS,
    typed('RegionInfo', region),
    typed('SplitTableRegionStateData', { userInfo: USER, parentRegionInfo: region }),
  ])
  const restore = create(RestoreSnapshotRequestSchema, { snapshot })
  const clone = { ...restore, $typeName: 'hbase.pb.CloneSnapshotRequest' }
  const schema = { tableName: SHOWN }
  expect(await stateAfter(restore)).toEqual([
    STEPS,
    typed('RestoreSnapshotStateData', {
      userInfo: USER,
      snapshot,
      modifiedTableSchema: schema,
      oldTableSchema: schema,
    }),
  ])
  expect(await stateAfter(clone)).toEqual([
    STEPS,
    typed('CloneSnapshotStateData', { userInfo: USER, snapshot, tableSchema: schema }),
  ])
})

test("a remembered procedure holds no more than its table's name of a large schema", async () => {
  const attributes = [{ first: Buffer.from('a'), second: Buffer.alloc(1 << 20) }]
  const large = create(CreateTableRequestSchema, { tableSchema: { tableName: TABLE, attributes } })
  expect(await stateAfter(large)).toEqual([
    STEPS,
    typed('CreateTableStateData', { userInfo: USER, tableSchema: { tableName: SHOWN } }),
  ])
  const regionInfo = { regionId: 5n, tableName: TABLE, startKey: Buffer.alloc(32_000) }
  expect(await stateAfter(create(SplitTableRegionRequestSchema, { regionInfo }))).toEqual([STEPS])
})

test.each(['RestoreSnapshot', 'Snapshot'])(
  '%s of an expired snapshot fails with the result of its procedure',
  async (kind) => {
    const procedures = new Procedures()
    const javaClass = 'org.apache.hadoop.hbase.snapshot.SnapshotTTLExpiredException'
    const expired = new HBaseError('DO_NOT_RETRY', "TTL for snapshot 's' has already expired.", { javaClass })
    const { procId } = await procedures.run(requestOf(kind, 4n), CALL, () => Promise.reject(expired))
    const genericException = { className: javaClass, message: "TTL for snapshot 's' has already expired." }
    expect(procedures.result(procId)).toMatchObject({ exception: { genericException } })
    const className = `org.apache.hadoop.hbase.master.procedure.${kind}Procedure`
    expect(procedures.list()).toMatchObject([{ className, executed: true }])
  },
)

/**
 * The state messages of procedures, as HBase's classes write them. The shell's list_procedures and the master's web page show them as the
 * procedure's parameters, and find the table there.
 */

import type { DescMessage, Message, MessageInitShape, MessageShape } from '@bufbuild/protobuf'
import { create, toBinary } from '@bufbuild/protobuf'
import { AnySchema, anyPack } from '@bufbuild/protobuf/wkt'
import { parseTableName } from '../../../model/table-name.ts'
import { RegionInfoSchema, type TableSchema, TableSchemaSchema } from '../../../wire/rpc/gen/hbase_pb.ts'
import * as master from '../../../wire/rpc/gen/master_pb.ts'
import * as states from '../../../wire/rpc/gen/master-procedure_pb.ts'
import type { UserInformationSchema } from '../../../wire/rpc/gen/rpc_pb.ts'
import { tableNameMessage } from '../../../wire/rpc/table-name-message.ts'

/** Type name for the procedure that restores a snapshot into a new table. HBase has no such request: its master begins the procedure itself. */
export const CLONE_REQUEST = 'hbase.pb.CloneSnapshotRequest'
/** Most bytes of a table's schema in a message. A master remembers a thousand procedures, and a schema may have megabytes. */
const STATE_BYTES_MAX = 2048
/** Number of the step that ends a procedure. HBase: StateMachineProcedure.EOF_STATE, Integer.MIN_VALUE. */
const LAST_STEP = 2 ** 31

type User = MessageInitShape<typeof UserInformationSchema>
type Schema = MessageInitShape<typeof TableSchemaSchema>
type Describe = (request: Message, userInfo: User) => Uint8Array[]

/**
 * The messages of a request's procedure, each a google.protobuf.Any. Empty for a request whose procedure is unknown. `user`: undefined where the
 * client names none.
 */
export function requestState(
  request: { readonly $typeName?: string },
  user: string | undefined,
): Uint8Array[] {
  const describe = request.$typeName === undefined ? undefined : STATES.get(request.$typeName)
  const state = describe?.(request as Message, { effectiveUser: user ?? '' }) ?? []
  return state.filter(({ byteLength }) => byteLength <= STATE_BYTES_MAX)
}

/** The message of a procedure's steps. Here each procedure has one step, the last. */
export function stepsState(isDone: boolean): Uint8Array {
  return packed(states.StateMachineProcedureDataSchema, { state: isDone ? [LAST_STEP] : [] })
}

const STATES: ReadonlyMap<string, Describe> = new Map<string, Describe>([
  stateOf(master.CreateTableRequestSchema, ({ tableSchema }, userInfo) => [
    packed(states.CreateTableStateDataSchema, { userInfo, tableSchema: boundedSchema(tableSchema!) }),
  ]),
  stateOf(master.ModifyTableRequestSchema, ({ tableName, tableSchema }, userInfo) => [
    modified({ ...boundedSchema(tableSchema!), tableName }, userInfo),
  ]),
  stateOf(master.AddColumnRequestSchema, ({ tableName }, userInfo) => [modified({ tableName }, userInfo)]),
  stateOf(master.ModifyColumnRequestSchema, ({ tableName }, userInfo) => [modified({ tableName }, userInfo)]),
  stateOf(master.DeleteColumnRequestSchema, ({ tableName }, userInfo) => [
    modified({ tableName }, userInfo, true),
  ]),
  stateOf(master.DeleteTableRequestSchema, ({ tableName }, userInfo) => [
    packed(states.DeleteTableStateDataSchema, { userInfo, tableName: tableName! }),
  ]),
  stateOf(master.TruncateTableRequestSchema, ({ tableName, preserveSplits }, userInfo) => [
    packed(states.TruncateTableStateDataSchema, { userInfo, tableName: tableName!, preserveSplits }),
  ]),
  stateOf(master.EnableTableRequestSchema, ({ tableName }, userInfo) => [
    packed(states.EnableTableStateDataSchema, {
      userInfo,
      tableName: tableName!,
      skipTableStateCheck: false,
    }),
  ]),
  stateOf(master.DisableTableRequestSchema, ({ tableName }, userInfo) => [
    packed(states.DisableTableStateDataSchema, {
      userInfo,
      tableName: tableName!,
      skipTableStateCheck: false,
    }),
  ]),
  stateOf(master.FlushTableRequestSchema, ({ tableName, columnFamily }) => [
    packed(states.FlushTableProcedureStateDataSchema, { tableName: tableName!, columnFamily }),
  ]),
  stateOf(master.CreateNamespaceRequestSchema, ({ namespaceDescriptor }) => [
    packed(states.CreateNamespaceStateDataSchema, { namespaceDescriptor: namespaceDescriptor! }),
  ]),
  stateOf(master.ModifyNamespaceRequestSchema, ({ namespaceDescriptor }) => [
    packed(states.ModifyNamespaceStateDataSchema, { namespaceDescriptor: namespaceDescriptor! }),
  ]),
  stateOf(master.DeleteNamespaceRequestSchema, ({ namespaceName }) => [
    packed(states.DeleteNamespaceStateDataSchema, { namespaceName }),
  ]),
  stateOf(master.SnapshotRequestSchema, ({ snapshot }) => [
    packed(states.SnapshotProcedureStateDataSchema, { snapshot: snapshot! }),
  ]),
  stateOf(master.RestoreSnapshotRequestSchema, ({ snapshot }, userInfo) => {
    const schema = schemaOf(snapshot!.table)
    const state = { userInfo, snapshot: snapshot!, modifiedTableSchema: schema, oldTableSchema: schema }
    return [packed(states.RestoreSnapshotStateDataSchema, state)]
  }),
  [
    CLONE_REQUEST,
    (request, userInfo) => {
      const snapshot = (request as MessageShape<typeof master.RestoreSnapshotRequestSchema>).snapshot!
      const state = { userInfo, snapshot, tableSchema: schemaOf(snapshot.table) }
      return [packed(states.CloneSnapshotStateDataSchema, state)]
    },
  ],
  stateOf(master.SplitTableRegionRequestSchema, ({ regionInfo }, userInfo) => [
    packed(RegionInfoSchema, regionInfo!),
    packed(states.SplitTableRegionStateDataSchema, { userInfo, parentRegionInfo: regionInfo! }),
  ]),
  stateOf(master.MergeTableRegionsRequestSchema, ({ forcible }, userInfo) => [
    packed(states.MergeTableRegionsStateDataSchema, { userInfo, forcible }),
  ]),
  stateOf(master.TruncateRegionRequestSchema, ({ regionInfo }) => [packed(RegionInfoSchema, regionInfo!)]),
  stateOf(master.ModifyTableStoreFileTrackerRequestSchema, ({ tableName, dstSft }) => [
    packed(states.ModifyStoreFileTrackerStateDataSchema, { tableName: tableName!, dstSft }),
  ]),
  stateOf(master.ModifyColumnStoreFileTrackerRequestSchema, ({ tableName, dstSft, family }) => [
    packed(states.ModifyStoreFileTrackerStateDataSchema, { tableName: tableName!, dstSft }),
    packed(states.ModifyColumnFamilyStoreFileTrackerStateDataSchema, { family }),
  ]),
])

function stateOf<Schema extends DescMessage>(
  schema: Schema,
  describe: (request: MessageShape<Schema>, userInfo: User) => Uint8Array[],
): readonly [string, Describe] {
  return [schema.typeName, (request, userInfo) => describe(request as MessageShape<Schema>, userInfo)]
}

function modified(schema: Schema, userInfo: User, deletesFamily = false): Uint8Array {
  const state = { userInfo, modifiedTableSchema: schema, deleteColumnFamilyInModify: deletesFamily }
  return packed(states.ModifyTableStateDataSchema, state)
}

/** The schema; only its table's name where the schema is large. */
function boundedSchema(schema: TableSchema): Schema {
  const isLarge = toBinary(TableSchemaSchema, schema).byteLength > STATE_BYTES_MAX / 2
  return isLarge ? { tableName: schema.tableName } : schema
}

function schemaOf(table: string): Schema {
  return { tableName: tableNameMessage(parseTableName(table)) }
}

function packed<Schema extends DescMessage>(schema: Schema, init: MessageInitShape<Schema>): Uint8Array {
  return toBinary(AnySchema, anyPack(schema, create(schema, init)))
}

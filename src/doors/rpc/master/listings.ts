/** Lists of tables and their states. HBase: HMaster.listTableDescriptors, TableStateManager. */

import { allTables, namedTables, tablesOfNamespace } from '../../../gateway/catalog/listed-tables.ts'
import { tablesMatching } from '../../../gateway/catalog/table-pattern.ts'
import type { TableDescriptor } from '../../../model/descriptor.ts'
import { HBaseError } from '../../../model/errors.ts'
import { isSystemTable, type TableName } from '../../../model/table-name.ts'
import type { Call } from '../../../store/call.ts'
import type { Listed } from '../../../store/catalog.ts'
import { TableState_State } from '../../../wire/rpc/gen/hbase_pb.ts'
import { MasterService } from '../../../wire/rpc/gen/master_pb.ts'
import { tableNameMessage } from '../../../wire/rpc/table-name-message.ts'
import { generated, type RpcHandler } from '../contract/rpc-service.ts'
import type { MasterContext } from './master-context.ts'
import { requestedTable, shownTableMessage } from './table-messages.ts'

interface Wanted {
  readonly regex: string
  readonly namespace: string
  readonly includeSysTables: boolean
}

const { method } = MasterService

export function listings({ store }: MasterContext): (readonly [string, RpcHandler])[] {
  const { catalog } = store

  /** In protobuf, an empty text is an absent one. HBase takes an empty namespace for all namespaces, an empty pattern for no pattern. */
  const matching = async (
    wanted: Wanted,
    hasRegex: boolean,
    call: Call,
    only?: Listed,
  ): Promise<TableDescriptor[]> => {
    const { regex, namespace, includeSysTables } = wanted
    const tables =
      namespace === ''
        ? await allTables(catalog, call, only)
        : await tablesOfNamespace(catalog, namespace, call, only)
    const shown = includeSysTables ? tables : tables.filter(({ name }) => !isSystemTable(name))
    return tablesMatching(shown, hasRegex ? regex : undefined)
  }
  const inNamespace = (namespace: string, call: Call, only?: Listed): Promise<TableDescriptor[]> =>
    matching({ regex: '', namespace, includeSysTables: true }, false, call, only)

  const inState = async (isEnabled: boolean, call: Call, only?: Listed): Promise<TableDescriptor[]> => {
    const tables = await catalog.listTables(call, only)
    const states = await Promise.all(tables.map(({ name }) => catalog.tableState(name, call)))
    return tables.filter((_, index) => (states[index] === 'ENABLED') === isEnabled)
  }

  return [
    generated(method.getTableDescriptors, async (message, { call }) => {
      const hasRegex = Object.hasOwn(message, 'regex')
      const names = message.tableNames.map(requestedTable)
      const tables =
        names.length === 0
          ? await matching(message, hasRegex, call)
          : tablesMatching(await namedTables(catalog, names, call), hasRegex ? message.regex : undefined)
      return { tableSchema: tables.map(shownTableMessage) }
    }),
    generated(method.getTableNames, async (message, { call }) => {
      const tables = await matching(message, Object.hasOwn(message, 'regex'), call, 'names')
      return { tableNames: tables.map(({ name }) => tableNameMessage(name)) }
    }),
    generated(method.listTableDescriptorsByNamespace, async ({ namespaceName }, { call }) => ({
      tableSchema: (await inNamespace(namespaceName, call)).map(shownTableMessage),
    })),
    generated(method.listTableNamesByNamespace, async ({ namespaceName }, { call }) => ({
      tableName: (await inNamespace(namespaceName, call, 'names')).map(({ name }) => tableNameMessage(name)),
    })),
    generated(method.listTableDescriptorsByState, async ({ isEnabled }, { call }) => ({
      tableSchema: (await inState(isEnabled, call)).map(shownTableMessage),
    })),
    generated(method.listTableNamesByState, async ({ isEnabled }, { call }) => ({
      tableNames: (await inState(isEnabled, call, 'names')).map(({ name }) => tableNameMessage(name)),
    })),
    generated(method.getTableState, async ({ tableName }, { call }) => {
      const name = requestedTable(tableName)
      if (!(await catalog.tableExists(name, call))) throw noState(name)
      const state = await catalog.tableState(name, call)
      return { tableState: { state: TableState_State[state] } }
    }),
  ]
}

/** HBase: TableStateManager.getTableState. */
function noState(name: TableName): HBaseError {
  return new HBaseError('TABLE_NOT_FOUND', `No state found for ${name}`)
}

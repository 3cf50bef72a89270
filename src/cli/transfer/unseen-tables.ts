/** The tables of a server that its user may see. */

import { counted } from '../../model/counted.ts'
import { isHBaseError } from '../../model/errors.ts'
import { ACTIONS } from '../../model/permission.ts'
import { compareTableNames, type TableName } from '../../model/table-name.ts'
import { OWN_CALL } from '../../store/call.ts'
import type { Store } from '../../store/store.ts'
import type { TableToCopy } from '../../transfer/copy-tables.ts'
import { printProgress } from '../terminal/print-lines.ts'
import type { NamedStore } from './named-store.ts'

/** For --all: every table of which the user has some right, and a warning where there may be others. */
export async function allTables(store: Store, source: NamedStore, logsIn: boolean): Promise<TableToCopy[]> {
  const names: TableName[] = (await store.catalog.listTables(OWN_CALL, 'names')).map(({ name }) => name)
  if (source.kind === 'server' && (await mayHideTables(store, logsIn)))
    printProgress(
      `warning: ${source.text} may have tables that it does not show to this user: --all takes the ${counted(names.length, 'table')} that he may see`,
    )
  return names.sort(compareTableNames).map((name) => ({ from: name, to: name }))
}

/**
 * Whether a server may have tables that its list does not show to the user: it has permissions, and he has none of everything.
 * REST and Thrift have no such answer: true there for a user who logs in.
 */
export async function mayHideTables({ upkeep }: Pick<Store, 'upkeep'>, logsIn: boolean): Promise<boolean> {
  const { permissions } = upkeep
  if (permissions === undefined) return logsIn
  try {
    if (!(await permissions.areEnforced(OWN_CALL))) return false
    const ofEverything = ACTIONS.map((action) => ({ scope: { kind: 'global' } as const, actions: [action] }))
    return !(await permissions.hasPermissions(undefined, ofEverything, OWN_CALL)).includes(true)
  } catch (error) {
    // Masters of before HBase 2.2 know no such questions.
    if (isHBaseError(error)) return logsIn
    throw error
  }
}

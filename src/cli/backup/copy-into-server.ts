/** Tables of a restored store, into a server that runs. */

import { setTimeout as pause } from 'node:timers/promises'
import type { TableName } from '../../model/table-name.ts'
import { OWN_CALL } from '../../store/call.ts'
import type { Store } from '../../store/store.ts'
import { copyTables, type TableToCopy } from '../../transfer/copy-tables.ts'
import { type LoginFlags, readLogin } from '../remote/login-options.ts'
import type { ServerAddress } from '../remote/server-address.ts'
import { printLine, printProgress } from '../terminal/print-lines.ts'
import { leftOutText, printTransfer } from '../transfer/copy-command.ts'
import { openNamedStore } from '../transfer/named-store.ts'
import { partOf } from '../transfer/part-options.ts'
import { showTransfer } from '../transfer/transfer-steps.ts'
import { replicationWarnings } from './replicated-tables.ts'

/** Throws HBaseErrors where the server is away, or refuses the login. */
export async function openDestination(
  to: { readonly text: string; readonly server: ServerAddress },
  flags: LoginFlags,
): Promise<Store> {
  const login = await readLogin(flags, [to.server])
  const named = { kind: 'server', address: to.server, text: to.text } as const
  const store = await openNamedStore(named, printProgress, login, true)
  try {
    await store.catalog.listTables(OWN_CALL, 'names')
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}

interface CopyParts {
  readonly json: boolean
  readonly bytesPerSecond: number | undefined
}

/**
 * Copies tables of the store in the folder into a server, which makes those that it does not have. Their rows are added to those that are there. Resolves
 * to whether all are copied; the others are named.
 */
export async function copyIntoServer(
  folder: string,
  destination: Store,
  tables: readonly TableToCopy[],
  { json, bytesPerSecond = Number.POSITIVE_INFINITY }: CopyParts,
): Promise<boolean> {
  const left: string[] = []
  const login = await readLogin({}, [])
  const named = { kind: 'native', directory: folder, text: folder } as const
  const source = await openNamedStore(named, printProgress, login, true)
  const listed = await destination.catalog.listTables(OWN_CALL, 'names')
  const before = new Set(listed.map(({ name }) => name))
  try {
    for (const { from } of tables) await enable(source, from)
    await copyTables({
      source,
      destination,
      tables,
      part: partOf({}),
      create: true,
      name: folder,
      keeper: undefined,
      bytesPerSecond,
      call: OWN_CALL,
      now: () => performance.now(),
      pause: (milliseconds) => pause(milliseconds),
      warn: (text) => printProgress(`warning: ${text}`),
      leftOut: (table, reason) => {
        left.push(table)
        printProgress(leftOutText(table, reason))
      },
      begins: showTransfer,
      report: json ? (progress) => printLine(JSON.stringify(progress)) : printTransfer,
    })
  } finally {
    await source.close()
  }
  const now = await destination.catalog.listTables(OWN_CALL)
  const made = now.filter(({ name }) => !before.has(name) && tables.some(({ to }) => to === name))
  for (const text of await replicationWarnings(destination.upkeep.peers, made))
    printProgress(`warning: ${text}`)
  return left.length === 0
}

/** The table was disabled when the backup was made: its rows are read all the same. */
async function enable({ catalog }: Store, table: TableName): Promise<void> {
  if ((await catalog.tableState(table, OWN_CALL)) === 'DISABLED') await catalog.enableTable(table, OWN_CALL)
}

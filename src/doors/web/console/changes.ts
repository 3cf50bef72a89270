/** The changes that the console makes, if the settings allow them. The server logs each change. */

import { familyDescriptor, tableDescriptor } from '../../../model/descriptor.ts'
import { HBaseError } from '../../../model/errors.ts'
import { MutationBatch } from '../../../model/mutation.ts'
import { parseTableName, type TableName } from '../../../model/table-name.ts'
import { type Call, toTheEnd } from '../../../store/call.ts'
import type { Store } from '../../../store/store.ts'
import { bytesOf, type ConsoleRequest, int64Of, refused } from './console-request.ts'
import { SNAPSHOT_CHANGES } from './snapshot-changes.ts'

/** The members of a change's JSON, unchecked. */
type Members = Readonly<Record<string, unknown>>

interface Change {
  readonly store: Store
  readonly call: Call
  readonly table: TableName
  readonly members: Members
}

const CHANGES: Readonly<Record<string, (change: Change) => Promise<void>>> = {
  createTable,
  put,
  deleteRow,
  deleteColumn,
  flush: async ({ store, table, call, members }) => {
    const { flushes } = store.upkeep
    if (flushes === undefined) throw lacking('flushes')
    const region = textOf(members, 'region')
    if (region === undefined) await flushes.flushTable(table, call)
    else await flushes.flushRegion(Buffer.from(region), undefined, call)
  },
  compact: async ({ store, table, call, members }) => {
    const { compactions } = store.upkeep
    if (compactions === undefined) throw lacking('compactions')
    const region = textOf(members, 'region')
    const compaction = { major: members['major'] === true }
    if (region === undefined) await compactions.compactTable(table, compaction, call)
    else await compactions.compactRegion(Buffer.from(region), compaction, call)
  },
  split: async ({ store, table, call, members }) => {
    const { regions } = store.upkeep
    if (regions === undefined) throw lacking('splits')
    const at = members['at'] === undefined ? undefined : bytesOf(members['at'], 'at')
    const region = textOf(members, 'region')
    if (region === undefined) await regions.splitTable(table, at, call)
    else await regions.splitRegion(Buffer.from(region), at, call)
  },
}

/** Makes a change. Throws READ_ONLY where the settings do not allow changes, and the store's errors. */
export async function change({ store, call, facts, logger }: ConsoleRequest, body: unknown): Promise<object> {
  if (facts.console?.writes !== true) {
    throw new HBaseError('READ_ONLY', 'the console is read-only: start the server with --console-writes')
  }
  const members = typeof body === 'object' && body !== null ? (body as Members) : {}
  const kind = textOf(members, 'kind') ?? ''
  const change = { store, members, call: toTheEnd(call) }
  const names = Object.hasOwn(SNAPSHOT_CHANGES, kind)
    ? await changeSnapshot(change, kind)
    : await changeTable(change, kind)
  const { principal, client } = call
  logger.info(
    { audit: 'console', user: principal?.user, client, kind, ...names },
    `the console: ${kind} of ${Object.values(names).join(', ')}`,
  )
  return { done: kind }
}

/** Returns the names of changed things, for the log. */
async function changeTable(change: Omit<Change, 'table'>, kind: string): Promise<Record<string, string>> {
  const work = Object.hasOwn(CHANGES, kind) ? CHANGES[kind] : undefined
  if (work === undefined) throw refused(`kind must be one of ${KINDS.join(', ')}`)
  const table = parseTableName(textOf(change.members, 'table') ?? '')
  await work({ ...change, table })
  return { table }
}

async function changeSnapshot(
  { store, call, members }: Omit<Change, 'table'>,
  kind: string,
): Promise<Record<string, string>> {
  const [snapshot, table] = [textOf(members, 'snapshot'), textOf(members, 'table')]
  if (snapshot === undefined) throw refused('the change names no snapshot')
  await SNAPSHOT_CHANGES[kind]!({ store, call, snapshot, table })
  return { snapshot, ...(table !== undefined && { table }) }
}

const KINDS: readonly string[] = [...Object.keys(CHANGES), ...Object.keys(SNAPSHOT_CHANGES)]

async function createTable({ store, call, table, members }: Change): Promise<void> {
  const { families } = members
  if (!Array.isArray(families) || families.length === 0) throw refused('a table needs at least one family')
  const described = families.map((family: unknown) => {
    const stated = typeof family === 'object' && family !== null ? (family as Members) : {}
    const versions = textOf(stated, 'versions')
    return familyDescriptor(
      bytesOf(stated['name'], 'the name of a family'),
      versions === undefined ? [] : [['VERSIONS', versions]],
    )
  })
  await store.catalog.createTable(tableDescriptor(table, described), [], call)
}

async function put(change: Change): Promise<void> {
  const { members } = change
  const timestamp = textOf(members, 'timestamp')
  const batch = new MutationBatch().put(
    bytesOf(members['row'], 'row'),
    bytesOf(members['family'], 'family'),
    bytesOf(members['qualifier'], 'qualifier'),
    bytesOf(members['value'], 'value'),
    timestamp === undefined ? undefined : int64Of(timestamp, 'timestamp'),
  )
  await mutate(change, batch)
}

async function deleteRow(change: Change): Promise<void> {
  await mutate(change, new MutationBatch().deleteRow(bytesOf(change.members['row'], 'row')))
}

async function deleteColumn(change: Change): Promise<void> {
  const { members } = change
  const batch = new MutationBatch().deleteColumn(
    bytesOf(members['row'], 'row'),
    bytesOf(members['family'], 'family'),
    bytesOf(members['qualifier'], 'qualifier'),
  )
  await mutate(change, batch)
}

async function mutate({ store, table, call }: Change, batch: MutationBatch): Promise<void> {
  batch.endMutation()
  const [failure] = await store.rows.mutate(table, batch, call)
  if (failure !== undefined) throw failure.error
}

function textOf(members: Members, name: string): string | undefined {
  const value = members[name]
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'string') return value
  throw refused(`${name} must be a string`)
}

function lacking(operations: string): HBaseError {
  return new HBaseError('UNSUPPORTED', `the store does not support ${operations}`)
}

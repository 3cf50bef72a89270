/** Permissions that a snapshot keeps, and that a table made of it is granted where its maker asks for them. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openNativeStore } from '../../../../adapters/native/open-native-store.ts'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import type { Action, UserPermission } from '../../../../src/model/permission.ts'
import { parseTableName, type TableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import type { Store } from '../../../../src/store/store.ts'
import { SUPERUSER } from '../../../harness/access/people.ts'
import { CrashableFileSystem } from '../../../harness/simulation/crashable-file-system.ts'
import { type AuthorizedServer, callOf, startAuthorizedServer } from './authorized-server.ts'

const [TABLE, CLONE] = ['t', 'clone'].map((name) => parseTableName(name)) as [TableName, TableName]
const RESTORES = { restoresPermissions: true }
const FAMILY = Buffer.from('f')

let files: CrashableFileSystem
let server: AuthorizedServer
/** A client of native RPC. */
let client: Store
beforeEach(async () => {
  files = new CrashableFileSystem()
  await start()
})
afterEach(async () => {
  await client.close()
  await server.close()
})

function open(): Promise<Store> {
  return openNativeStore({
    directory: '/store',
    fileSystem: files,
    clock: Date,
    random: Math.random,
    options: {},
  })
}

async function start(): Promise<void> {
  server = await startAuthorizedServer(await open())
  client = await server.open(SUPERUSER)
}

async function restart(): Promise<void> {
  await client.close()
  await server.close()
  await start()
}

async function grant(user: string, actions: readonly Action[], qualifier?: Buffer): Promise<void> {
  const columns = qualifier && { family: FAMILY, qualifier }
  const permission = { scope: { kind: 'table', table: TABLE, ...columns } as const, actions }
  await client.upkeep.permissions!.grant({ user, permission }, false, OWN_CALL)
}

/** As `user[,family,qualifier]=ACTIONS`. */
async function granted(table: TableName): Promise<string[]> {
  const question = { scope: { kind: 'table', table } as const, user: undefined }
  const all = await client.upkeep.permissions!.userPermissions(question, OWN_CALL)
  return all.map(asText).sort()
}

function asText({ user, permission: { scope, actions } }: UserPermission): string {
  const { family, qualifier } =
    scope.kind === 'table' ? scope : { family: Buffer.from('?'), qualifier: undefined }
  return `${[user, ...[family, qualifier].flatMap((part) => part?.toString('latin1') ?? [])].join()}=${actions.join()}`
}

/** The snapshot `s` of a table with grants of every kind, which are taken away again. */
async function taken(): Promise<string[]> {
  await client.catalog.createTable(tableDescriptor(TABLE, [familyDescriptor('f')]), [], OWN_CALL)
  await grant('reader', ['READ'])
  await grant('@group', ['READ', 'WRITE'])
  await grant('clerk', ['READ'], Buffer.from([0xff, 0x2c, 0x00]))
  const before = await granted(TABLE)
  await client.upkeep.snapshots!.createSnapshot('s', TABLE, 'FLUSH', OWN_CALL)
  for (const user of ['reader', '@group'])
    await client.upkeep.permissions!.revoke(
      { user, permission: { scope: { kind: 'table', table: TABLE }, actions: [] } },
      OWN_CALL,
    )
  return before
}

describe('through native RPC, after a restart', () => {
  test('a clone is granted what the table had, its columns too', async () => {
    const before = await taken()
    expect(before).toHaveLength(4)
    await restart()
    await client.upkeep.snapshots!.cloneSnapshot('s', CLONE, OWN_CALL, RESTORES)
    expect(await granted(CLONE)).toEqual(before)
  })

  test('a restored table is granted it beside what it has', async () => {
    const before = await taken()
    await grant('later', ['READ'])
    await grant('reader', ['WRITE'])
    await client.catalog.disableTable(TABLE, OWN_CALL)
    await restart()
    await client.upkeep.snapshots!.restoreSnapshot('s', OWN_CALL, RESTORES)
    const expected = before.map((each) => (each === 'reader=READ' ? 'reader=READ,WRITE' : each))
    expect(await granted(TABLE)).toEqual([...expected, 'later=READ'].sort())
  })

  test('a user who does not ask for it gets a table of his own alone', async () => {
    await taken()
    await client.upkeep.snapshots!.cloneSnapshot('s', CLONE, OWN_CALL)
    expect(await granted(CLONE)).toEqual([`${SUPERUSER}=READ,WRITE,EXEC,CREATE,ADMIN`])
  })
})

test('who may not clone the snapshot grants nothing by it', async () => {
  await taken()
  const snapshots = server.store.upkeep.snapshots!
  await expect(snapshots.cloneSnapshot('s', CLONE, callOf('reader'), RESTORES)).rejects.toMatchObject({
    code: 'ACCESS_DENIED',
  })
  expect(await granted(CLONE)).toEqual([])
})

test('a server without permissions refuses to restore them rather than to forget them', async () => {
  await taken()
  await client.close()
  await server.close()
  const off = await open()
  const snapshots = off.upkeep.snapshots!
  const refused = { code: 'DO_NOT_RETRY', message: expect.stringContaining('--authorization alone') }
  await expect(snapshots.cloneSnapshot('s', CLONE, OWN_CALL, RESTORES)).rejects.toMatchObject(refused)
  await off.catalog.disableTable(TABLE, OWN_CALL)
  await expect(snapshots.restoreSnapshot('s', OWN_CALL, RESTORES)).rejects.toMatchObject(refused)
  expect(await off.catalog.tableExists(CLONE, OWN_CALL)).toBe(false)
  // A table without permissions has none to forget.
  await off.catalog.enableTable(TABLE, OWN_CALL)
  await snapshots.createSnapshot('bare', TABLE, 'FLUSH', OWN_CALL)
  await snapshots.cloneSnapshot('bare', CLONE, OWN_CALL, RESTORES)
  await off.close()
  await start()
})

/** Changes of another cluster where Tidegate has permissions, labels and an audit log. */

import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openMemoryStore } from '../../../../../adapters/memory/memory-store.ts'
import { startRpcDoor } from '../../../../../src/doors/rpc/rpc-door.ts'
import { advertised } from '../../../../../src/gateway/catalog/advertised.ts'
import { withSystemTables } from '../../../../../src/gateway/catalog/system-tables/system-tables.ts'
import type { Door } from '../../../../../src/gateway/door.ts'
import { DEFAULT_LIMITS } from '../../../../../src/gateway/limits/limits.ts'
import { MemoryBudget } from '../../../../../src/gateway/limits/memory-budget.ts'
import type { Audit, AuditLog } from '../../../../../src/gateway/observing/audit/audit-log.ts'
import { audited } from '../../../../../src/gateway/observing/audit/audited.ts'
import { Subjects } from '../../../../../src/gateway/policies/access/permissions/subject.ts'
import { withAuthorization } from '../../../../../src/gateway/policies/access/with-authorization.ts'
import { DEFAULT_LABEL_SETTINGS } from '../../../../../src/gateway/policies/labels/label-settings.ts'
import { withVisibilityLabels } from '../../../../../src/gateway/policies/labels/with-visibility-labels.ts'
import { readOnly } from '../../../../../src/gateway/policies/read-only.ts'
import { openScanner } from '../../../../../src/gateway/reads/scanner.ts'
import { cellsOf } from '../../../../../src/model/cell-block.ts'
import { tag } from '../../../../../src/model/cell-tags.ts'
import { familyDescriptor, tableDescriptor } from '../../../../../src/model/descriptor.ts'
import type { Action } from '../../../../../src/model/permission.ts'
import { scan } from '../../../../../src/model/query.ts'
import { gathered } from '../../../../../src/model/results.ts'
import { parseTableName } from '../../../../../src/model/table-name.ts'
import { visibilityTags } from '../../../../../src/model/visibility.ts'
import { OWN_CALL } from '../../../../../src/store/call.ts'
import type { Store } from '../../../../../src/store/store.ts'
import { NO_LIMITS } from '../../../../store/suite/store-under-test.ts'
import { cell, replicate, type SentEntry } from './sent-entries.ts'

const TABLE = parseTableName('t')
const DENIED = 'org.apache.hadoop.hbase.security.AccessDeniedException'
const SERVER = { host: '127.0.0.1', port: 0, startCode: 1 }

let own: Store
let door: Door
let lines: Audit[]
let grant: (user: string, ...actions: Action[]) => Promise<void>
let addLabels: (...labels: string[]) => Promise<unknown>

beforeEach(() => start(false))
afterEach(stop)

async function start(isReadOnly: boolean): Promise<void> {
  lines = []
  own = openMemoryStore({ clock: Date, visibilityLabels: true })
  await own.catalog.createTable(tableDescriptor(TABLE, [familyDescriptor('f')]), [], OWN_CALL)
  const subjects = new Subjects(['root'], new Map())
  const settings = { ...DEFAULT_LABEL_SETTINGS, checksAuths: true }
  const shown = withSystemTables(advertised(own, SERVER), SERVER)
  const labelled = await withVisibilityLabels(shown, own, { subjects, settings, hasPermissions: true })
  const guarded = await withAuthorization(labelled, own, subjects)
  const log = { write: (line: Audit) => void lines.push(line) } as unknown as AuditLog
  const store = audited(isReadOnly ? readOnly(guarded) : guarded, log, 'rpc')
  const memory = new MemoryBudget(Number.POSITIVE_INFINITY)
  const context = { store, server: SERVER, limits: DEFAULT_LIMITS, memory, logger: pino({ level: 'silent' }) }
  door = await startRpcDoor(context, { host: '127.0.0.1', port: 0 })
  const { permissions, labels } = guarded.upkeep
  grant = (user, ...actions) =>
    permissions!.grant({ user, permission: { scope: { kind: 'global' }, actions } }, false, OWN_CALL)
  addLabels = (...names) =>
    labels!.addLabels(
      names.map((name) => Buffer.from(name)),
      OWN_CALL,
    )
}

async function stop(): Promise<void> {
  await door.close()
  await own.close()
}

function send(user: string, ...tags: readonly (Buffer | undefined)[]): Promise<void> {
  const cells = tags.map((each, i) => cell('row', `f:${i}`, 'v', each === undefined ? {} : { tags: each }))
  const entry: SentEntry = { table: 't', cells }
  return replicate(door.port, [entry], { user })
}

/** The tags of the cells that the store has, by their qualifiers. */
async function stored(): Promise<string[]> {
  const scanner = await openScanner(own, TABLE, scan({ withTags: true }), OWN_CALL)
  const { results } = await scanner.next(NO_LIMITS, OWN_CALL)
  await scanner.close()
  return cellsOf(gathered(results).cells).map(
    ({ qualifier, tags }) => `${qualifier.toString()}=${tags?.toString('hex') ?? ''}`,
  )
}

test('a source needs WRITE of everything, and the audit log knows its calls', async () => {
  await expect(send('eve', undefined)).rejects.toMatchObject({ javaClass: DENIED })
  await grant('eve', 'READ', 'EXEC', 'CREATE', 'ADMIN')
  await expect(send('eve', undefined)).rejects.toMatchObject({ javaClass: DENIED })
  expect(await stored()).toEqual([])
  await grant('source', 'WRITE')
  await send('source', undefined)
  expect(await stored()).toEqual(['0='])
  const known = lines.map(({ user, action, allowed }) => `${user} ${action} ${allowed}`)
  expect(known).toEqual([
    'eve replicateLogEntries false',
    'eve replicateLogEntries false',
    'source replicateLogEntries true',
    'source mutate true',
  ])
})

test('a server that takes no changes takes none of another cluster', async () => {
  await stop()
  await start(true)
  await expect(send('root', undefined)).rejects.toMatchObject({
    javaClass: 'org.apache.hadoop.hbase.DoNotRetryIOException',
  })
  expect(await stored()).toEqual([])
})

test('permissions of cells stay, though only superusers may send such', async () => {
  await grant('source', 'WRITE')
  const acl = tag(1, Buffer.from('permissions'))
  await send('source', acl, undefined)
  expect(await stored()).toEqual([`0=${acl.toString('hex')}`, '1='])
})

function text(expression: string): Buffer {
  return tag(7, Buffer.from(expression))
}

/** Tags of these numbers of labels, in each alternative. */
function numbers(...terms: readonly number[][]): string {
  return visibilityTags(terms).toString('hex')
}

test('labels as text become those of the server, each of its own cell', async () => {
  await grant('source', 'WRITE')
  await addLabels('a', 'b')
  const own65 = tag(65, Buffer.from('own'))
  const both = Buffer.concat([own65, text('("a"&!"b")|"b"')])
  await send('source', text('"a"'), both, undefined, text('"b"'))
  // The label system has the number 1.
  expect(await stored()).toEqual([
    `0=${numbers([2])}`,
    `1=${numbers([2, -3], [3])}${own65.toString('hex')}`,
    '2=',
    `3=${numbers([3])}`,
  ])
})

test('labels that the server does not have, and numbers of labels, are refused', async () => {
  await grant('source', 'WRITE')
  await expect(send('source', text('unknown'))).rejects.toThrow('Invalid visibility label unknown')
  for (const foreign of [tag(2, Buffer.of(2)), visibilityTags([[2]])])
    await expect(send('source', foreign)).rejects.toThrow('numbers of labels')
  expect(await stored()).toEqual([])
})

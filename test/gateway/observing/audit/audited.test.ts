/** Lines of the audit log about permissions, labels and quotas, over a store in process. */

import { afterEach, beforeEach, expect, test } from 'vitest'
import { openMemoryStore } from '../../../../adapters/memory/memory-store.ts'
import { advertised } from '../../../../src/gateway/catalog/advertised.ts'
import { withSystemTables } from '../../../../src/gateway/catalog/system-tables/system-tables.ts'
import type { Audit, AuditLog } from '../../../../src/gateway/observing/audit/audit-log.ts'
import { audited } from '../../../../src/gateway/observing/audit/audited.ts'
import { Subjects } from '../../../../src/gateway/policies/access/permissions/subject.ts'
import { withAuthorization } from '../../../../src/gateway/policies/access/with-authorization.ts'
import { withVisibilityLabels } from '../../../../src/gateway/policies/labels/with-visibility-labels.ts'
import { withQuotas } from '../../../../src/gateway/policies/quotas/with-quotas.ts'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import type { UserPermission } from '../../../../src/model/permission.ts'
import type { QuotaChange } from '../../../../src/model/quota.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { type Call, OWN_CALL } from '../../../../src/store/call.ts'
import type { Store } from '../../../../src/store/store.ts'

const T = parseTableName('t')
const SERVER = { host: '127.0.0.1', port: 0, startCode: 1 }

let lines: Audit[] = []
let own: Store
let store: Store

beforeEach(async () => {
  lines = []
  own = openMemoryStore({ clock: Date, visibilityLabels: true })
  await own.catalog.createTable(tableDescriptor(T, [familyDescriptor('f')]), [], OWN_CALL)
  const subjects = new Subjects(['root'], new Map())
  const limited = await withQuotas(withSystemTables(advertised(own, SERVER), SERVER), own)
  const labelled = await withVisibilityLabels(limited, own, { subjects, hasPermissions: true })
  const log = { write: (audit: Audit) => void lines.push(audit) } as unknown as AuditLog
  store = audited(await withAuthorization(labelled, own, subjects), log, 'rpc')
})
afterEach(() => own.close())

function callOf(user: string): Call {
  return { ...OWN_CALL, isOwn: false, principal: { user } }
}

function logged(): string[] {
  return lines.map(({ user, action, scope, details, allowed, failure }) =>
    [user, action, scope, details, allowed, failure].filter((part) => part !== undefined).join(' | '),
  )
}

const ROOT = callOf('root')
const [SECRET, PUBLIC] = [Buffer.from('secret'), Buffer.from('public')]

test('labels: all of them, whose they are, and the outcome', async () => {
  const { labels } = store.upkeep
  await labels!.addLabels([SECRET, PUBLIC], ROOT)
  await labels!.addLabels([SECRET], ROOT)
  await labels!.addLabels([Buffer.from('mine'), PUBLIC], callOf('eve'))
  await labels!.setAuths(Buffer.from('al,ice'), [SECRET, PUBLIC], ROOT)
  await labels!.setAuths(Buffer.from('eve'), [SECRET], callOf('eve'))
  await labels!.clearAuths(Buffer.from('al,ice'), [SECRET], ROOT)
  await labels!.addLabels(
    Array.from({ length: 60 }, (_, i) => Buffer.from(`l${i}`)),
    ROOT,
  )
  expect(logged().slice(0, -1)).toEqual([
    'root | addLabels | labels secret, public | true',
    'root | addLabels | labels secret | true | DO_NOT_RETRY',
    'eve | addLabels | labels mine, public | false',
    'root | setAuths | user al,ice | labels secret, public | true',
    'eve | setAuths | user eve | labels secret | false',
    'root | clearAuths | user al,ice | labels secret | true',
  ])
  expect(logged().at(-1)).toMatch(/^root \| addLabels \| labels l0, .*, l49 and 10 more \| true$/)
  expect(lines[2]!.reason).toMatch(/not authorized/)
})

test('permissions: where and which actions', async () => {
  const { permissions } = store.upkeep
  const [family, qualifier] = [Buffer.from('f'), Buffer.from('q')]
  const grants: readonly UserPermission['permission'][] = [
    { scope: { kind: 'table', table: T, family, qualifier }, actions: ['READ', 'WRITE'] },
    { scope: { kind: 'table', table: T }, actions: ['ADMIN'] },
    { scope: { kind: 'namespace', namespace: 'default' }, actions: ['EXEC', 'CREATE'] },
    { scope: { kind: 'global' }, actions: ['READ'] },
  ]
  for (const permission of grants) await permissions!.grant({ user: '@staff', permission }, false, ROOT)
  await permissions!.revoke({ user: '@staff', permission: { ...grants[1]!, actions: [] } }, ROOT)
  await expect(
    permissions!.grant({ user: 'eve', permission: grants[3]! }, false, callOf('eve')),
  ).rejects.toThrow()
  expect(logged()).toEqual([
    'root | grant | user @staff t f:q | actions RW | true',
    'root | grant | user @staff t | actions A | true',
    'root | grant | user @staff namespace default | actions XC | true',
    'root | grant | user @staff everywhere | actions R | true',
    'root | revoke | user @staff t | actions all | true',
    'eve | grant | user eve everywhere | actions R | false',
  ])
})

test('quotas: the limits', async () => {
  const noOwner = { user: undefined, table: undefined, namespace: undefined, regionServer: undefined }
  const nothing = { removesAll: undefined, bypassesGlobals: undefined, throttle: undefined, space: undefined }
  const limit = { timeUnit: 'SECONDS', softLimit: 10n, share: undefined, scope: 'MACHINE' } as const
  const changes: readonly QuotaChange[] = [
    { ...noOwner, ...nothing, user: 'bob', table: T, throttle: { type: 'READ_SIZE', limit } },
    { ...noOwner, ...nothing, user: 'bob', table: T, throttle: { type: undefined, limit: undefined } },
    {
      ...noOwner,
      ...nothing,
      namespace: 'default',
      space: { quota: { limitBytes: 5n, policy: 'NO_INSERTS', isRemoved: undefined } },
    },
    { ...noOwner, ...nothing, user: 'bob', bypassesGlobals: true },
  ]
  for (const change of changes) await store.upkeep.quotas!.setQuota(change, ROOT)
  expect(logged()).toEqual([
    'root | setQuota | user bob t | READ_SIZE 10 per SECONDS by MACHINE | true',
    'root | setQuota | user bob t | all throttles removed | true',
    'root | setQuota | namespace default | space 5 NO_INSERTS | true',
    'root | setQuota | user bob | bypasses globals true | true',
  ])
})

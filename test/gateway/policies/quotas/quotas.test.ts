/** Quotas in front of a store in memory. HBase's own bytes are those that a HBase 2.6.1 with hbase.quota.enabled wrote. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openMemoryStore } from '../../../../adapters/memory/memory-store.ts'
import { type AdvertisedStore, advertised } from '../../../../src/gateway/catalog/advertised.ts'
import { withSystemTables } from '../../../../src/gateway/catalog/system-tables/system-tables.ts'
import { withQuotas } from '../../../../src/gateway/policies/quotas/with-quotas.ts'
import { readOnly } from '../../../../src/gateway/policies/read-only.ts'
import { cellsOf } from '../../../../src/model/cell-block.ts'
import { MutationBatch } from '../../../../src/model/mutation.ts'
import { scan } from '../../../../src/model/query.ts'
import type { QuotaChange, SpaceViolationPolicy, ThrottleType } from '../../../../src/model/quota.ts'
import { gathered } from '../../../../src/model/results.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import type { Quotas, TableSize } from '../../../../src/store/quotas.ts'
import type { Store } from '../../../../src/store/store.ts'
import { described } from '../../../store/suite/described-table.ts'
import { failure } from '../../../store/suite/store-under-test.ts'

const SERVER = { host: 'localhost', port: 27103, startCode: 1 }
const T = parseTableName('t')
const IN_NS = parseTableName('ns:t')
const QUOTAS = parseTableName('hbase:quota')

let memory: Store
let store: AdvertisedStore
let quotas: Quotas
/** The sizes that the store reports; the memory store itself reports none. */
let sizes: TableSize[]

beforeEach(async () => {
  sizes = []
  memory = openMemoryStore({ clock: { now: () => Date.now() } })
  const sized = { ...memory, upkeep: { ...memory.upkeep, sizes: { tableSizes: async () => sizes } } }
  store = await withQuotas(withSystemTables(advertised(sized, SERVER), SERVER), memory)
  quotas = store.upkeep.quotas!
  await store.catalog.createNamespace({ name: 'ns', properties: new Map() }, OWN_CALL)
  for (const name of [T, IN_NS]) await store.catalog.createTable(described(name), [], OWN_CALL)
})

afterEach(() => store.close())

function change(stated: Partial<QuotaChange>): QuotaChange {
  return {
    user: undefined,
    table: undefined,
    namespace: undefined,
    regionServer: undefined,
    removesAll: undefined,
    bypassesGlobals: undefined,
    throttle: undefined,
    space: undefined,
    ...stated,
  }
}

function set(stated: Partial<QuotaChange>): Promise<void> {
  return quotas.setQuota(change(stated), OWN_CALL)
}

function throttle(type: ThrottleType, softLimit: bigint): Pick<QuotaChange, 'throttle'> {
  const limit = { timeUnit: 'SECONDS', softLimit, share: undefined, scope: 'MACHINE' } as const
  return { throttle: { type, limit } }
}

function space(limitBytes: bigint, policy: SpaceViolationPolicy): Pick<QuotaChange, 'space'> {
  return { space: { quota: { limitBytes, policy, isRemoved: undefined } } }
}

/** By row and column, in hexadecimal digits. */
async function rows(family = 'q'): Promise<Record<string, string>> {
  const { id } = await store.rows.openScanner(QUOTAS, scan(), OWN_CALL)
  const limits = { rows: 100, bytes: 1_000_000, allowPartial: false }
  const { results } = await store.handouts.next(id, limits, OWN_CALL)
  await store.handouts.closeScanner(id)
  const cells = cellsOf(gathered(results).cells).filter((cell) => cell.family.toString() === family)
  return Object.fromEntries(
    cells.map(({ row, qualifier, value }) => [
      `${row.toString()} ${qualifier.toString()}`,
      value.toString('hex'),
    ]),
  )
}

describe('settings', () => {
  test('are in rows as HBase keeps them', async () => {
    await set({ namespace: 'ns', ...throttle('REQUEST_NUMBER', 100n) })
    await set({ table: T, ...throttle('READ_NUMBER', 5000n) })
    await set({ table: T, ...space(1000n, 'NO_WRITES_COMPACTIONS') })
    await set({ user: 'bob', table: T, ...throttle('REQUEST_NUMBER', 8n) })
    await set({ user: 'bob', namespace: 'ns', ...throttle('REQUEST_NUMBER', 8n) })
    await set({ user: 'bob', bypassesGlobals: true })
    await set({ user: 'bob', bypassesGlobals: false })
    await set({ regionServer: 'all', ...throttle('WRITE_NUMBER', 1000n) })
    await set({ regionServer: 'all', ...throttle('READ_NUMBER', 1000n) })
    expect(await quotas.switchExceeding(true, OWN_CALL)).toBe(false)
    expect(await quotas.switchExceeding(true, OWN_CALL)).toBe(true)
    expect(await rows()).toEqual({
      'exceedThrottleQuota s': 'ff',
      'n.ns s': '5042554612080a06080410642002',
      'r.all s': '5042554612121a07080410e80720022a07080410e8072002',
      't.t s': '5042554612092a07080410882720021a0508e8071002',
      'u.bob s': '504255460800',
      'u.bob s.ns:': '5042554612080a06080410082002',
      'u.bob s.t': '5042554612080a06080410082002',
    })
  })

  test('go one by one, and with the last of them the row', async () => {
    await set({ table: T, ...throttle('READ_NUMBER', 5n) })
    await set({ table: T, ...throttle('READ_SIZE', 5n) })
    await set({ table: T, ...space(1000n, 'NO_WRITES') })
    const none = { limitBytes: undefined, policy: undefined, isRemoved: true }
    await set({ table: T, space: { quota: none } })
    await set({ table: T, throttle: { type: 'READ_SIZE', limit: undefined } })
    expect(await rows()).toEqual({ 't.t s': '5042554612082a06080410052002' })
    await set({ table: T, throttle: { type: 'READ_NUMBER', limit: undefined } })
    expect([await rows(), await rows('u')]).toEqual([{}, {}])
    await set({ table: T, ...throttle('READ_NUMBER', 5n) })
    await set({ table: T, ...throttle('READ_SIZE', 6n) })
    await set({ table: T, throttle: { type: undefined, limit: undefined } })
    expect(await rows()).toEqual({})
  })

  test('of a user go with those in tables, and these by themselves', async () => {
    await set({ user: 'u', ...throttle('READ_NUMBER', 5n) })
    await set({ user: 'u', table: T, ...throttle('READ_NUMBER', 5n) })
    await set({ user: 'u', namespace: 'ns', ...throttle('READ_NUMBER', 5n) })
    await set({ user: 'u', table: T, removesAll: true })
    expect(Object.keys(await rows())).toEqual(['u.u s', 'u.u s.ns:'])
    await set({ user: 'u', removesAll: true })
    expect(await rows()).toEqual({})
  })

  test('that are set again at once are not lost behind the removal', async () => {
    for (let i = 0; i < 5; i++) {
      await set({ user: 'u', ...throttle('READ_NUMBER', 5n) })
      await set({ user: 'u', removesAll: true })
      await set({ user: 'u', ...throttle('READ_NUMBER', 6n) })
      expect(await rows()).toEqual({ 'u.u s': '5042554612082a06080410062002' })
    }
  })

  test.each<[Partial<QuotaChange>, string]>([
    [
      {},
      'DO_NOT_RETRY: java.lang.UnsupportedOperationException: a user, a table, a namespace or region server must be specified',
    ],
    [{ user: 'u' }, 'REFUSED: Unhandled SetRequestRequest state'],
    [
      { user: 'u', bypassesGlobals: true, ...throttle('READ_SIZE', 1n) },
      'REFUSED: SetQuotaRequest has multiple limits',
    ],
    [
      { user: 'u', ...throttle('READ_SIZE', 0n) },
      'DO_NOT_RETRY: java.lang.UnsupportedOperationException: The throttle limit must be greater then 0, got 0',
    ],
    [
      { user: 'u', ...space(1n, 'DISABLE') },
      'REFUSED: Can only construct SpaceLimitSettings for a table or namespace.',
    ],
    [
      { table: T, space: { quota: undefined } },
      'REFUSED: SpaceLimitRequest is missing the expected SpaceQuota.',
    ],
    [{ table: T, ...space(-1n, 'DISABLE') }, 'REFUSED: Size limit must be a non-negative value.'],
    [{ user: 'u', table: T, ...space(1n, 'DISABLE') }, 'REFUSED: Mismatched user names on settings to merge'],
    [
      { table: T, namespace: 'ns', ...throttle('READ_SIZE', 1n) },
      'REFUSED: Mismatched namespace on settings to merge',
    ],
    [
      { user: 'u', regionServer: 'all', bypassesGlobals: true },
      'REFUSED: Mismatched region server on settings to merge',
    ],
  ])('%o are refused', async (stated, refusal) => {
    expect(await failure(set(stated))).toBe(refusal)
    expect(await rows()).toEqual({})
  })

  test('beyond quotas need those of region servers, by the second', async () => {
    const refusal = (): Promise<string> => failure(quotas.switchExceeding(true, OWN_CALL))
    expect(await refusal()).toMatch(/Please set region server quota before/)
    await set({ regionServer: 'all', ...throttle('READ_SIZE', 1n) })
    expect(await refusal()).toMatch(/at least one write region server quota/)
    const limit = { timeUnit: 'MINUTES', softLimit: 1n, share: undefined, scope: undefined } as const
    await set({ regionServer: 'all', throttle: { type: 'WRITE_SIZE', limit } })
    expect(await refusal()).toMatch(/must be in seconds time unit/)
    await set({ regionServer: 'all', throttle: { type: undefined, limit: undefined } })
    await set({ regionServer: 'all', ...throttle('REQUEST_SIZE', 1n) })
    expect(await quotas.switchExceeding(true, OWN_CALL)).toBe(false)
  })

  test('go with their table and their namespace', async () => {
    for (const of of [{ table: IN_NS }, { namespace: 'ns' }]) {
      await set({ ...of, ...throttle('READ_SIZE', 1n) })
      await set({ ...of, ...space(5n, 'DISABLE') })
    }
    await set({ table: T, ...throttle('READ_SIZE', 1n) })
    await store.catalog.disableTable(IN_NS, OWN_CALL)
    await store.catalog.deleteTable(IN_NS, OWN_CALL)
    expect(Object.keys(await rows())).toEqual(['n.ns s', 't.t s'])
    await store.catalog.deleteNamespace('ns', OWN_CALL)
    expect(Object.keys(await rows())).toEqual(['t.t s'])
  })
})

describe('space', () => {
  test('is compared with the quotas of tables and namespaces', async () => {
    await set({ table: T, ...space(10n, 'NO_INSERTS') })
    await set({ namespace: 'ns', ...space(5n, 'NO_WRITES') })
    await set({ table: parseTableName('gone'), ...space(1n, 'DISABLE') })
    await set({ namespace: 'gone', ...space(1n, 'DISABLE') })
    sizes = [
      { table: T, bytes: 10n },
      { table: IN_NS, bytes: 6n },
    ]
    expect(await quotas.quotaStates(OWN_CALL)).toEqual({
      tables: [{ table: T, usedBytes: 10n, limitBytes: 10n, violated: undefined }],
      namespaces: [{ namespace: 'ns', usedBytes: 6n, limitBytes: 5n, violated: 'NO_WRITES' }],
    })
    sizes[0] = { table: T, bytes: 11n }
    expect((await quotas.quotaStates(OWN_CALL)).tables[0]!.violated).toBe('NO_INSERTS')
    const reported = await quotas.tableSizes(OWN_CALL)
    expect(reported.find(({ table }) => table === T)).toEqual({ table: T, bytes: 11n })
    expect(reported.map(({ table }) => table)).toContain('hbase:meta')
  })

  test('is noted for region servers, a table’s own violation first', async () => {
    await set({ table: IN_NS, ...space(100n, 'NO_INSERTS') })
    await set({ namespace: 'ns', ...space(5n, 'NO_WRITES') })
    sizes = [{ table: IN_NS, bytes: 6n }]
    const ofNamespace = { table: IN_NS, usedBytes: 6n, limitBytes: 5n, violated: 'NO_WRITES' }
    expect(await quotas.serverSpaceUses(OWN_CALL)).toEqual([ofNamespace])
    expect(await rows('u')).toEqual({ 't.ns:t p': '0a040803100110061805' })
    sizes = [{ table: IN_NS, bytes: 101n }]
    expect(await rows('u')).toEqual({ 't.ns:t p': '0a040804100110651864' })
    await set({ table: IN_NS, removesAll: true })
    expect(await rows('u')).toEqual({ 't.ns:t p': '0a040803100110651805' })
    await set({ namespace: 'ns', removesAll: true })
    expect([await rows('u'), await quotas.serverSpaceUses(OWN_CALL)]).toEqual([{}, []])
  })

  test('is reported with any rows of clients in hbase:quota', async () => {
    const batch = new MutationBatch().put(
      Buffer.from('t.t'),
      Buffer.from('q'),
      Buffer.from('s'),
      Buffer.from('x'),
    )
    batch.endMutation()
    await store.rows.mutate(QUOTAS, batch, OWN_CALL)
    expect(await quotas.quotaStates(OWN_CALL)).toEqual({ tables: [], namespaces: [] })
    expect(await rows()).toEqual({ 't.t s': '78' })
  })
})

test('hbase:quota is a table of the system, and made once', async () => {
  const names = (await store.catalog.listSystemTables(OWN_CALL)).map(({ name }) => name)
  expect(names).toEqual(['hbase:meta', 'hbase:namespace', 'hbase:quota'])
  await set({ user: 'u', bypassesGlobals: true })
  await withQuotas(withSystemTables(advertised(memory, SERVER), SERVER), memory)
  expect(Object.keys(await rows())).toEqual(['u.u s'])
})

test('a server that takes no changes tells quotas, notes what is used, and sets none', async () => {
  await set({ table: T, ...space(10n, 'NO_INSERTS') })
  const shown = withSystemTables(advertised(readOnly(memory), SERVER), SERVER)
  const closed = await withQuotas(shown, memory)
  const refused = closed.upkeep.quotas!.setQuota(change({ user: 'u', bypassesGlobals: true }), OWN_CALL)
  expect(await failure(refused)).toMatch(/^READ_ONLY/)
  expect(await closed.upkeep.quotas!.serverSpaceUses(OWN_CALL)).toHaveLength(1)
})

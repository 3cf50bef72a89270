/** A server that takes no changes, with everything around its store that a setting may put there. */

import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openServedStore } from '../../../src/cli/stores/served-store.ts'
import { Subjects } from '../../../src/gateway/policies/access/permissions/subject.ts'
import { DEFAULT_LABEL_SETTINGS } from '../../../src/gateway/policies/labels/label-settings.ts'
import { isHBaseError } from '../../../src/model/errors.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { withMethods } from '../../../src/store/decorate.ts'
import type { Store } from '../../../src/store/store.ts'

/** All that is read: any other method of a facet is a change, one that is written tomorrow as well. */
const READS: Readonly<Record<string, readonly string[]>> = {
  rows: ['get', 'openScanner'],
  catalog: [
    'listNamespaces',
    'namespace',
    'listTables',
    'listSystemTables',
    'table',
    'tableExists',
    'tableState',
    'regions',
    'watch',
  ],
  compactions: ['compactionState'],
  snapshots: ['listSnapshots'],
  switches: ['isOn'],
  loads: ['regionLoads', 'requestFigures'],
  files: ['storeFiles'],
  quotas: ['quotaStates', 'tableSizes', 'serverSpaceUses'],
  sizes: ['tableSizes'],
  permissions: [
    'areEnforced',
    'areOfCells',
    'userPermissions',
    'hasPermissions',
    'checkPermissions',
    'requireAdmin',
  ],
  labels: ['areEnforced', 'auths', 'listLabels'],
}

/** Of objects that are two facets, or have more methods than their facet: no door reaches these there. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  flushes: ['compactTable', 'compactRegion', 'compactionState'],
  compactions: ['flushTable', 'flushRegion'],
  quotas: ['forget'],
  permissions: ['own', 'forget', 'changed', 'ofTable', 'restore'],
}

let store: Store
beforeAll(async () => {
  const ports = {
    rest: 0,
    thrift: 0,
    rpc: 0,
    master: 'off',
    zookeeper: 'off',
    web: 'off',
    timeline: 'off',
  } as const
  const subjects = new Subjects(['root'], new Map())
  store = await openServedStore(
    { store: { kind: 'memory' }, ports, readOnly: true, quotas: true },
    pino({ level: 'silent' }),
    undefined,
    undefined,
    {
      authorization: {
        subjects,
        labels: DEFAULT_LABEL_SETTINGS,
        hasPermissions: true,
        trouble: () => undefined,
        reload: () => undefined,
        close: () => undefined,
      },
    },
  )
})
afterAll(() => store.close())

test('each method of each facet is refused, unless it reads', async () => {
  const facets = { rows: store.rows, catalog: store.catalog, ...store.upkeep }
  expect(Object.keys(facets)).toEqual(expect.arrayContaining(['quotas', 'permissions', 'labels', 'regions']))
  const call = { ...OWN_CALL, isOwn: false, principal: { user: 'root' } }
  const notRefused: string[] = []
  let refused = 0
  for (const [facet, methods] of Object.entries(facets)) {
    for (const [name, method] of Object.entries(withMethods<object, object>(methods, {}))) {
      const passed = [...(READS[facet] ?? []), ...(OTHERS[facet] ?? [])]
      if (typeof method !== 'function' || passed.includes(name)) continue
      const told: unknown = await Promise.resolve()
        .then(() => (method as (...args: unknown[]) => unknown)('t', [], call))
        .catch((error: unknown) => error)
      if (isHBaseError(told) && told.code === 'READ_ONLY') refused++
      else notRefused.push(`${facet}.${name}`)
    }
  }
  expect(notRefused).toEqual([])
  expect(refused).toBeGreaterThan(25)
})

test('labels that were added over any facet are not there', async () => {
  const { labels } = store.upkeep
  await expect(labels!.addLabels([Buffer.from('secret')], OWN_CALL)).rejects.toMatchObject({
    code: 'READ_ONLY',
  })
  await expect(labels!.setAuths(Buffer.from('u'), [Buffer.from('system')], OWN_CALL)).rejects.toThrow()
  expect(await labels!.listLabels(undefined, OWN_CALL)).toEqual([])
  expect(await labels!.auths(Buffer.from('u'), OWN_CALL)).toEqual([])
})

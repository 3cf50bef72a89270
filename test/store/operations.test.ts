/** The table of the seam's operations: it is total, and a user without permissions gets past none of its rules. */

import { beforeAll, describe, expect, test } from 'vitest'
import { openMemoryStore } from '../../adapters/memory/memory-store.ts'
import { familyDescriptor, tableDescriptor } from '../../src/model/descriptor.ts'
import { DEFAULT_MUTATION_OPTIONS, MutationBatch } from '../../src/model/mutation.ts'
import { parseTableName } from '../../src/model/table-name.ts'
import { type Call, OWN_CALL } from '../../src/store/call.ts'
import { withFacets } from '../../src/store/decorate.ts'
import {
  type FacetName,
  type Facets,
  OPERATIONS,
  type OperationTable,
  operationsOf,
} from '../../src/store/operations.ts'
import type { Store } from '../../src/store/store.ts'
import type { Upkeep } from '../../src/store/upkeep.ts'
import { authorizedStore, callOf } from '../gateway/policies/access/authorized-server.ts'

const T = parseTableName('t')
const FAMILY = Buffer.from('f')
const STRANGER = callOf('stranger')
const FACETS = Object.keys(OPERATIONS) as FacetName[]
const ALL = FACETS.flatMap((facet) => operationsOf(facet))

interface WiderFlushes {
  madeUp(region: Buffer, call: Call): Promise<void>
}
type WiderFacets = Omit<Facets, 'flushes'> & { readonly flushes: Facets['flushes'] & WiderFlushes }
interface Misplaced {
  readonly sizes: {
    readonly tableSizes: Omit<typeof OPERATIONS.sizes.tableSizes, 'call'> & { readonly call: 1 }
  }
}

/** `compiles` where the lines are a whole table of the facets. */
type Verdict<Lines, Of extends { readonly [Name in keyof Of]: object }> =
  Lines extends OperationTable<Of> ? 'compiles' : 'does not compile'

test('a new method of a facet does not compile before it has a line', () => {
  // The compiler decides: another word for a verdict is an error of its.
  const asItIs: Verdict<typeof OPERATIONS, Facets> = 'compiles'
  const madeUpMethod: Verdict<typeof OPERATIONS, WiderFacets> = 'does not compile'
  const wrongPlaceOfTheCall: Verdict<Misplaced, Pick<Facets, 'sizes'>> = 'does not compile'
  expect([asItIs, madeUpMethod, wrongPlaceOfTheCall]).toHaveLength(3)
})

test('only operations that change nothing are open to everyone', () => {
  const open = ALL.filter(({ access }) => access === 'everyone')
  expect(open.filter(({ changes }) => changes !== 'nothing')).toEqual([])
})

describe('a user without permissions', () => {
  let own: Store
  let reached: string[] = []
  let region: Buffer
  let guarded: Readonly<Record<string, Readonly<Record<string, (...args: unknown[]) => unknown>>>>

  /** Each part of upkeep, and in it each method of the table, which notes that it was reached. */
  function notingUpkeep(): Upkeep {
    const parts = FACETS.filter((name) => !['rows', 'handouts', 'catalog'].includes(name)).map((facet) => {
      const methods = operationsOf(facet).map(({ method }) => {
        const note = async (...args: unknown[]): Promise<unknown> => {
          if (!args.some((arg) => (arg as Call | undefined)?.isOwn === true))
            reached.push(`${facet}.${method}`)
          return []
        }
        return [method, note] as const
      })
      return [facet, Object.fromEntries(methods)] as const
    })
    return Object.fromEntries(parts)
  }

  beforeAll(async () => {
    own = openMemoryStore({ clock: Date })
    await own.catalog.createTable(tableDescriptor(T, [familyDescriptor('f')]), [], OWN_CALL)
    region = (await own.catalog.regions(T, OWN_CALL))[0]!.name
    const { rows, catalog, upkeep } = await authorizedStore(withFacets(own, { upkeep: notingUpkeep() }))
    guarded = { rows, catalog, ...upkeep } as unknown as typeof guarded
  })

  function argumentsOf(): Readonly<Record<string, readonly unknown[]>> {
    const row = Buffer.from('r')
    const batch = new MutationBatch().put(row, FAMILY, FAMILY, FAMILY)
    batch.endMutation()
    const part = {
      row,
      operations: [{ kind: 'mutate', cells: batch.blockOf(0) }],
      options: DEFAULT_MUTATION_OPTIONS,
    }
    const table = tableDescriptor(T, [familyDescriptor('f')])
    const namespace = { name: 'n', configuration: new Map() }
    return {
      'rows.mutate': [T, batch],
      'rows.mutateRow': [T, part],
      'rows.mutateRows': [T, { parts: [part] }],
      'catalog.createNamespace': [namespace],
      'catalog.modifyNamespace': [namespace],
      'catalog.deleteNamespace': ['n'],
      'catalog.createTable': [tableDescriptor(parseTableName('u'), [familyDescriptor('f')]), []],
      'catalog.modifyTable': [table],
      'catalog.deleteTable': [T],
      'catalog.truncateTable': [T, false],
      'catalog.enableTable': [T],
      'catalog.disableTable': [T],
      'flushes.flushTable': [T],
      'flushes.flushRegion': [region, undefined],
      'compactions.compactTable': [T, { major: false }],
      'compactions.compactRegion': [region, { major: false }],
      'regions.splitTable': [T, undefined],
      'regions.splitRegion': [region, undefined],
      'regions.mergeRegions': [[region, region], false],
      'regions.moveRegion': [region, undefined],
      'regions.assignRegion': [region],
      'regions.unassignRegion': [region],
      'regions.truncateRegion': [region],
      'identity.adoptClusterId': ['3a4e0b9c-6b1d-4b0a-9a57-0a3b3a0d6c11'],
      'snapshots.createSnapshot': ['s', T, 'FLUSH'],
      'snapshots.deleteSnapshot': ['s'],
      'snapshots.restoreSnapshot': ['s'],
      'snapshots.cloneSnapshot': ['s', T],
      'bulkLoads.prepare': [T],
      'bulkLoads.bulkLoad': [{ table: T, encodedName: 'e' }, []],
      'switches.turn': ['split', false],
      'chores.balance': [{}],
      'chores.normalize': [{ tables: [] }],
      'chores.scanCatalog': [],
      'chores.clean': [],
      'fileTrackers.setTracker': [T, undefined, 'FILE'],
      'peers.changePeer': ['p', { kind: 'REMOVE' }],
      'quotas.setQuota': [{ table: T }],
      'quotas.switchExceeding': [true],
      'permissions.grant': [
        { user: 'u', permission: { scope: { kind: 'global' }, actions: ['READ'] } },
        false,
      ],
      'permissions.revoke': [{ user: 'u', permission: { scope: { kind: 'global' }, actions: [] } }],
      'permissions.replicateLogEntries': [],
    }
  }

  /** The grants alone, which no served store has beside permissions, and labels, which look at their callers by themselves. */
  const OTHERS = new Set<FacetName>(['grants', 'labels'])
  const changes = ALL.filter(({ changes, facet }) => changes !== 'nothing' && !OTHERS.has(facet))

  test.each(changes.map(({ facet, method }) => [facet, method] as const))(
    'is denied %s.%s, and the store does not see the call',
    async (facet, method) => {
      reached = []
      const args = argumentsOf()[`${facet}.${method}`]
      expect(args, `arguments for ${facet}.${method}`).toBeDefined()
      const answer = Promise.resolve(guarded[facet]![method]!(...args!, STRANGER))
      await expect(answer).rejects.toMatchObject({ code: expectedCode(facet, method) })
      expect(reached.filter((each) => each !== 'snapshots.listSnapshots')).toEqual([])
    },
  )
})

/** Snapshots: there is none of the name, which every user may learn. */
function expectedCode(facet: FacetName, method: string): string {
  return facet === 'snapshots' && method !== 'createSnapshot' ? 'DO_NOT_RETRY' : 'ACCESS_DENIED'
}

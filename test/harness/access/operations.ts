/** What everybody tries, by the names of HBase's matrix. An answer is text: what was seen, or the code of a refusal that is none of permissions. */

import { cellsOf } from '../../../src/model/cell-block.ts'
import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import {
  DEFAULT_MUTATION_OPTIONS,
  MutationBatch,
  type RowOperation,
  valueCondition,
} from '../../../src/model/mutation.ts'
import { type Columns, ColumnsBuilder, get, scan } from '../../../src/model/query.ts'
import type { QuotaChange } from '../../../src/model/quota.ts'
import { gathered } from '../../../src/model/results.ts'
import { parseTableName, type TableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { Store } from '../../../src/store/store.ts'
import { DISABLED, FAMILY, NAMESPACE, NEIGHBOUR, QUALIFIER, TABLE } from './people.ts'

/** `as`: a client of the server whose user asks. */
export type Operation = (as: Store) => Promise<string>

const ROW = Buffer.from('r')
const OTHER = Buffer.from('p')
const VALUE = Buffer.from('v')
const LIMITS = { bytes: 1_000_000 }
const BATCH = { rows: 100, bytes: 1_000_000, allowPartial: false }
const SCRATCH = Buffer.from('scratch')

const COLUMN = new ColumnsBuilder().addColumn(FAMILY, QUALIFIER).build()
const OTHER_COLUMN = new ColumnsBuilder().addColumn(FAMILY, OTHER).build()
const BOTH_COLUMNS = new ColumnsBuilder().addColumn(FAMILY, QUALIFIER).addColumn(FAMILY, OTHER).build()
const WHOLE_FAMILY = new ColumnsBuilder().addFamily(FAMILY).build()
const NEIGHBOURS = new ColumnsBuilder().addFamily(NEIGHBOUR).build()

function getting(columns: Columns): Operation {
  return async ({ rows }) => {
    const { cells } = await rows.get(TABLE, [get(ROW, { columns })], LIMITS, OWN_CALL)
    return shown(cellsOf(cells))
  }
}

function finding(columns: Columns): Operation {
  return async ({ rows }) => {
    const { counts } = await rows.get(TABLE, [get(ROW, { columns, existenceOnly: true })], LIMITS, OWN_CALL)
    return String(counts[0]! > 0)
  }
}

function scanning(columns: Columns, table: TableName = TABLE): Operation {
  return async ({ rows, handouts }) => {
    const { id } = await rows.openScanner(table, scan({ columns }), OWN_CALL)
    const { results } = await handouts.next(id, BATCH, OWN_CALL)
    const seen = shown(cellsOf(gathered(results).cells))
    await handouts.closeScanner(id)
    return table === TABLE ? seen : 'read'
  }
}

function shown(cells: ReturnType<typeof cellsOf>): string {
  return cells.map(({ family, qualifier }) => `${family.toString()}:${qualifier.toString()}`).join(' ')
}

function batch(fill: (batch: MutationBatch) => MutationBatch): Operation {
  return async ({ rows }) => {
    const filled = fill(new MutationBatch())
    if (filled.ends.length === 0) filled.endMutation()
    const [failure] = await rows.mutate(TABLE, filled, OWN_CALL)
    if (failure !== undefined) throw failure.error
    return 'done'
  }
}

function changing(
  kind: RowOperation['kind'],
  value: Buffer,
  condition?: 'column' | 'neighbour' | 'filter',
): Operation {
  return async ({ rows }) => {
    const filled = new MutationBatch().put(SCRATCH, FAMILY, QUALIFIER, value)
    filled.endMutation()
    const tested = condition === 'neighbour' ? NEIGHBOUR : FAMILY
    const conditions = {
      column: valueCondition(tested, QUALIFIER, 'EQUAL', Buffer.from('never')),
      neighbour: valueCondition(tested, QUALIFIER, 'EQUAL', Buffer.from('never')),
      filter: { kind: 'filter', filter: { kind: 'FirstKeyOnlyFilter' } },
    } as const
    const operations: RowOperation[] = [{ kind, cells: filled.blockOf(0) }]
    await rows.mutateRow(
      TABLE,
      {
        row: SCRATCH,
        operations,
        options: DEFAULT_MUTATION_OPTIONS,
        ...(condition && { condition: conditions[condition] }),
      },
      OWN_CALL,
    )
    return 'done'
  }
}

const ONE = Buffer.alloc(8)

export const ROW_OPERATIONS: Readonly<Record<string, Operation>> = {
  'get a row': getting([]),
  'get a column': getting(COLUMN),
  'get another column': getting(OTHER_COLUMN),
  'get two columns': getting(BOTH_COLUMNS),
  'get a family': getting(WHOLE_FAMILY),
  'get a neighbouring family': getting(NEIGHBOURS),
  'exists a row': finding([]),
  'exists a column': finding(COLUMN),
  'exists another column': finding(OTHER_COLUMN),
  'exists a family': finding(WHOLE_FAMILY),
  'exists a neighbouring family': finding(NEIGHBOURS),
  'scan everything': scanning([]),
  'scan a column': scanning(COLUMN),
  'scan two columns': scanning(BOTH_COLUMNS),
  'scan a family': scanning(WHOLE_FAMILY),
  'scan a neighbouring family': scanning(NEIGHBOURS),
  'scan hbase:meta': scanning([], parseTableName('hbase:meta')),
  'scan hbase:acl': scanning([], parseTableName('hbase:acl')),
  put: batch((of) => of.put(SCRATCH, FAMILY, QUALIFIER, VALUE)),
  'put another column': batch((of) => of.put(SCRATCH, FAMILY, OTHER, VALUE)),
  'put two columns': batch((of) =>
    of.put(SCRATCH, FAMILY, OTHER, VALUE).put(SCRATCH, FAMILY, QUALIFIER, VALUE),
  ),
  'put a neighbouring family': batch((of) => of.put(SCRATCH, NEIGHBOUR, QUALIFIER, VALUE)),
  'delete a column': batch((of) => of.deleteColumn(SCRATCH, FAMILY, QUALIFIER)),
  'delete a family': batch((of) => of.deleteFamily(SCRATCH, FAMILY)),
  'delete a row': batch((of) => of.deleteRow(SCRATCH)),
  increment: changing('increment', ONE),
  append: changing('append', VALUE),
  'mutate a row': changing('mutate', VALUE),
  checkAndPut: changing('mutate', VALUE, 'column'),
  'checkAndPut of a neighbouring family': changing('mutate', VALUE, 'neighbour'),
  'checkAndPut by a filter': changing('mutate', VALUE, 'filter'),
  checkAndIncrement: changing('increment', ONE, 'column'),
  'put hbase:acl': async ({ rows }) => {
    const filled = new MutationBatch().deleteColumn(
      Buffer.from('none'),
      Buffer.from('l'),
      Buffer.from('nobody'),
    )
    filled.endMutation()
    const [failure] = await rows.mutate(parseTableName('hbase:acl'), filled, OWN_CALL)
    if (failure !== undefined) throw failure.error
    return 'done'
  },
}

const AS_MADE = tableDescriptor(TABLE, [
  familyDescriptor(FAMILY.toString()),
  familyDescriptor(NEIGHBOUR.toString()),
])
const NOTHING = { family: undefined, qualifier: undefined }

export const CATALOG_OPERATIONS: Readonly<Record<string, Operation>> = {
  // Of a table that exists, so that nothing changes.
  createTable: async ({ catalog }) => done(catalog.createTable(AS_MADE, [], OWN_CALL)),
  deleteTable: async ({ catalog }) => done(catalog.deleteTable(TABLE, OWN_CALL)),
  truncateTable: async ({ catalog }) => done(catalog.truncateTable(TABLE, true, OWN_CALL)),
  enableTable: async ({ catalog }) => done(catalog.enableTable(TABLE, OWN_CALL)),
  disableTable: async ({ catalog }) => done(catalog.disableTable(DISABLED, OWN_CALL)),
  disableAclTable: async ({ catalog }) => done(catalog.disableTable(parseTableName('hbase:acl'), OWN_CALL)),
  getTableDescriptor: async ({ catalog }) => (await catalog.table(TABLE, OWN_CALL)).name,
  listTableDescriptors: async ({ catalog }) =>
    (await catalog.listTables(OWN_CALL)).map(({ name }) => name).join(' '),
  tableExists: async ({ catalog }) => String(await catalog.tableExists(TABLE, OWN_CALL)),
  tableState: async ({ catalog }) => catalog.tableState(TABLE, OWN_CALL),
  regions: async ({ catalog }) => String((await catalog.regions(TABLE, OWN_CALL)).length),
  createNamespace: async ({ catalog }) =>
    done(catalog.createNamespace({ name: NAMESPACE, properties: new Map() }, OWN_CALL)),
  modifyNamespace: async ({ catalog }) =>
    done(catalog.modifyNamespace({ name: NAMESPACE, properties: new Map() }, OWN_CALL)),
  deleteNamespace: async ({ catalog }) => done(catalog.deleteNamespace(NAMESPACE, OWN_CALL)),
  getNamespaceDescriptor: async ({ catalog }) => (await catalog.namespace(NAMESPACE, OWN_CALL)).name,
  listNamespaceDescriptors: async ({ catalog }) =>
    (await catalog.listNamespaces(OWN_CALL)).map(({ name }) => name).join(' '),
}

const NOBODY = { user: undefined, table: undefined, namespace: undefined, regionServer: undefined }
const UNCHANGED = { removesAll: undefined, bypassesGlobals: undefined, space: undefined }
const ONCE_A_SECOND = { timeUnit: 'SECONDS', softLimit: 1000n, share: undefined, scope: undefined } as const

function setQuota(of: Partial<QuotaChange>): Operation {
  const throttle = { type: 'REQUEST_NUMBER', limit: ONCE_A_SECOND } as const
  return ({ upkeep }) => done(upkeep.quotas!.setQuota({ ...NOBODY, ...UNCHANGED, ...of, throttle }, OWN_CALL))
}

let taken = 0
function nextName(): string {
  taken++
  return `taken-${taken}`
}

export const UPKEEP_OPERATIONS: Readonly<Record<string, Operation>> = {
  flushTable: async ({ upkeep }) => done(upkeep.flushes!.flushTable(TABLE, OWN_CALL)),
  // The region begins there already.
  split: async ({ upkeep }) => done(upkeep.regions!.splitTable(TABLE, Buffer.from('m'), OWN_CALL)),
  mergeRegions: async (as) => {
    const region = await firstRegion(as)
    return done(as.upkeep.regions!.mergeRegions([region, region], false, OWN_CALL))
  },
  flushRegion: async (as) =>
    String(await as.upkeep.flushes!.flushRegion(await firstRegion(as), undefined, OWN_CALL)),
  compactionState: ({ upkeep }) => upkeep.compactions!.compactionState(TABLE, OWN_CALL),
  assign: async (as) => done(as.upkeep.regions!.assignRegion(await firstRegion(as), OWN_CALL)),
  balanceSwitch: async ({ upkeep }) => String(await upkeep.switches!.turn('balancer', true, OWN_CALL)),
  splitSwitch: async ({ upkeep }) => String(await upkeep.switches!.turn('split', true, OWN_CALL)),
  normalizerSwitch: async ({ upkeep }) => String(await upkeep.switches!.turn('normalizer', true, OWN_CALL)),
  janitorSwitch: async ({ upkeep }) => String(await upkeep.switches!.turn('catalogJanitor', true, OWN_CALL)),
  isBalancerOn: async ({ upkeep }) => String(await upkeep.switches!.isOn('balancer', OWN_CALL)),
  cleanerChore: async ({ upkeep }) => done(upkeep.chores!.clean(OWN_CALL)),
  catalogScan: async ({ upkeep }) => done(upkeep.chores!.scanCatalog(OWN_CALL)),
  listSnapshots: async ({ upkeep }) =>
    (await upkeep.snapshots!.listSnapshots(OWN_CALL)).map(({ name }) => name).join(' '),
  cloneSnapshot: async ({ upkeep }) => done(upkeep.snapshots!.cloneSnapshot('kept', TABLE, OWN_CALL)),
  restoreSnapshot: async ({ upkeep }) => done(upkeep.snapshots!.restoreSnapshot('kept', OWN_CALL)),
  deleteSnapshot: async ({ upkeep }) => done(upkeep.snapshots!.deleteSnapshot('owned', OWN_CALL)),
  snapshot: async ({ upkeep }) =>
    done(upkeep.snapshots!.createSnapshot(nextName(), TABLE, 'SKIPFLUSH', OWN_CALL)),
  'setQuota of a user': setQuota({ user: 'gainer' }),
  'setQuota of a user in the table': setQuota({ user: 'gainer', table: TABLE }),
  'setQuota of a user in the namespace': setQuota({ user: 'gainer', namespace: NAMESPACE }),
  'setQuota of the table': setQuota({ table: TABLE }),
  'setQuota of the namespace': setQuota({ namespace: NAMESPACE }),
  status: async ({ upkeep }) => (await upkeep.cluster!.status(OWN_CALL)).hbaseVersion,
}

/** Of a user who gains nothing by them. */
export const GRANT_OPERATIONS: Readonly<Record<string, Operation>> = Object.fromEntries(
  (
    [
      ['everything', { kind: 'global' }],
      ['the namespace', { kind: 'namespace', namespace: NAMESPACE }],
      ['the table', { kind: 'table', table: TABLE, ...NOTHING }],
      ['the family', { kind: 'table', table: TABLE, family: FAMILY, qualifier: undefined }],
      ['the column', { kind: 'table', table: TABLE, family: FAMILY, qualifier: QUALIFIER }],
    ] as const
  ).flatMap(([name, scope]) => {
    const permission = { user: 'gainer', permission: { scope, actions: ['EXEC'] as const } }
    return [
      [`grant ${name}`, ({ upkeep }: Store) => done(upkeep.permissions!.grant(permission, false, OWN_CALL))],
      [`revoke ${name}`, ({ upkeep }: Store) => done(upkeep.permissions!.revoke(permission, OWN_CALL))],
      [
        `permissions of ${name}`,
        async ({ upkeep }: Store) => {
          const asked = { scope, user: 'table-read' }
          const found = await upkeep.permissions!.userPermissions(asked, OWN_CALL)
          return found.map(({ user, permission: { actions } }) => `${user} ${actions.join()}`).join(' ')
        },
      ],
      [
        `own permission of ${name}`,
        async ({ upkeep }: Store) => {
          const wanted = [{ scope, actions: ['READ'] as const }]
          return String(await upkeep.permissions!.hasPermissions(undefined, wanted, OWN_CALL))
        },
      ],
      [
        `somebody's permission of ${name}`,
        async ({ upkeep }: Store) => {
          const wanted = [{ scope, actions: ['READ'] as const }]
          return String(await upkeep.permissions!.hasPermissions('table-read', wanted, OWN_CALL))
        },
      ],
    ] as const
  }),
)

async function firstRegion({ catalog }: Store): Promise<Buffer> {
  return (await catalog.regions(TABLE, OWN_CALL))[0]!.name
}

async function done(work: Promise<unknown>): Promise<string> {
  await work
  return 'done'
}

export const OPERATIONS: Readonly<Record<string, Operation>> = {
  ...ROW_OPERATIONS,
  ...CATALOG_OPERATIONS,
  ...UPKEEP_OPERATIONS,
  ...GRANT_OPERATIONS,
  // The last one: whoever alters a table may do everything with it from then on.
  modifyTable: ({ catalog }) => done(catalog.modifyTable(AS_MADE, OWN_CALL)),
}

/** Cells with labels and permissions: a server at which users have permissions, and cells have visibility expressions. */

import { create, toBinary } from '@bufbuild/protobuf'
import { familyDescriptor, tableDescriptor } from '../../src/model/descriptor.ts'
import { MutationBatch, type MutationOptions } from '../../src/model/mutation.ts'
import type { Query } from '../../src/model/query.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import { AuthorizationsSchema, CellVisibilitySchema } from '../../src/wire/rpc/gen/client_pb.ts'
import { aclBytes } from '../../test/harness/access/acl-bytes.ts'
import { batch, changes, onRow, put, reads, scans } from './asking.ts'
import { OWNER } from './attacked-server.ts'
import { FAMILY, numbered, QUALIFIER, ROWS } from './attacked-table.ts'
import type { Attacked, HostileRequest, Scene } from './scene.ts'

/** Has no permission for the table: reads and writes cells that let him, and sees cells with some labels. */
const USER = 'ann'
const LABELS = 200
const MIXED = 50
const VALUE = Buffer.from('value')

function labelled(expression: string): MutationOptions {
  const value = Buffer.from(toBinary(CellVisibilitySchema, create(CellVisibilitySchema, { expression })))
  return { durability: 'USE_DEFAULT', attributes: new Map([['VISIBILITY', value]]) }
}

/** Of `index`, in MIXED kinds; the greatest has a hundred labels. */
function expressionOf(index: number): string {
  const count = 1 + (index % MIXED) * 2
  return Array.from({ length: count }, (_, i) => `label${i}`).join(index % 2 === 0 ? '|' : '&')
}

const ALLOWED: MutationOptions = {
  durability: 'USE_DEFAULT',
  attributes: new Map([['acl', aclBytes({ [USER]: 'RW' })]]),
}

const SEEN: Partial<Query> = {
  attributes: new Map([
    [
      'VISIBILITY',
      Buffer.from(
        toBinary(AuthorizationsSchema, create(AuthorizationsSchema, { label: ['label0', 'label1'] })),
      ),
    ],
  ]),
}

/** As another user asks. */
async function asUser(attacked: Attacked, send: (as: Attacked) => Promise<string>): Promise<string> {
  const store = await attacked.as(USER)
  try {
    return await send({ ...attacked, store })
  } finally {
    await store.close()
  }
}

const ROW_COUNT = 100_000

function puts(
  prefix: string,
  options: (index: number) => MutationOptions,
): (attacked: Attacked) => Promise<string> {
  return (attacked) =>
    batch(attacked, (made) => {
      for (let i = 0; i < Math.min(ROW_COUNT, attacked.sizes.counters); i++)
        made.put(numbered(prefix, i), FAMILY, QUALIFIER, VALUE).endMutation(options(i))
    })
}

async function addLabels({ store }: Attacked): Promise<void> {
  const { labels } = store.upkeep
  if (labels === undefined) throw new Error('the server has no labels')
  const names = Array.from({ length: LABELS }, (_, index) => Buffer.from(`label${index}`))
  await labels.addLabels(names, OWN_CALL)
  await labels.setAuths(Buffer.from(USER), names, OWN_CALL)
  await labels.setAuths(Buffer.from(OWNER), names, OWN_CALL)
}

async function prepare(attacked: Attacked): Promise<void> {
  const { store, table, sizes } = attacked
  const attributes = [['hbase.security.access.early_out', 'false']] as const
  await store.catalog.createTable(tableDescriptor(table, [familyDescriptor('f')], attributes), [], OWN_CALL)
  await addLabels(attacked)
  const made = new MutationBatch()
  made.put(ROWS.small, FAMILY, QUALIFIER, VALUE).endMutation()
  await store.rows.mutate(table, made, OWN_CALL)
  const wide = (row: Buffer, options: MutationOptions): Promise<unknown> =>
    store.rows.mutateRow(table, { row, operations: [put(row, sizes.wideColumns)], options }, OWN_CALL)
  await wide(ROWS.wide, labelled(expressionOf(MIXED - 1)))
  await wide(ROWS.wider, ALLOWED)
}

const onePlus = (count: number): string => Array.from({ length: count }, (_, i) => `label${i}`).join('&')

const requests: readonly HostileRequest[] = [
  { name: 'put: 100,000 rows of one expression', send: puts('same', () => labelled('label0')) },
  {
    name: 'put: 100,000 rows of 50 expressions',
    send: puts('mixed', (i) => labelled(expressionOf(i))),
  },
  {
    name: 'put: 100,000 rows, an expression each',
    send: puts('own', (i) =>
      labelled(`label${i % LABELS}&(label${(i * 7) % LABELS}|!label${(i * 13) % LABELS})`),
    ),
  },
  {
    name: 'put: 100,000 rows of labels that are not there',
    send: puts('none', (i) => labelled(`nolabel${i}`)),
  },
  {
    name: 'put: 20,000 rows of (a|b)&(a|b)&...',
    send: (attacked) =>
      batch(attacked, (made) => {
        const pair = Array.from({ length: 10 }, (_, i) => `(label${i}|label${i + 20})`).join('&')
        for (let i = 0; i < attacked.sizes.counters / 5; i++)
          made
            .put(numbered('product', i), FAMILY, QUALIFIER, VALUE)
            .endMutation(labelled(`${pair}&label${i % LABELS}`))
      }),
  },
  {
    name: 'RowMutations: 300,000 columns with an expression of 100 labels',
    send: async ({ store, table, sizes }) => {
      const row = Buffer.from('labelled')
      const mutation = { row, operations: [put(row, sizes.wideColumns)], options: labelled(onePlus(100)) }
      return (await store.rows.mutateRow(table, mutation, OWN_CALL)).applied ? 'applied' : 'not applied'
    },
  },
  {
    name: 'get: 300,000 columns with expressions of 99 labels',
    send: (attacked) => reads(attacked, ROWS.wide, {}),
  },
  {
    name: 'get: 300,000 columns that may not be seen',
    send: (attacked) => reads(attacked, ROWS.wide, SEEN),
  },
  {
    name: 'scan: 400,000 labelled rows, few are seen',
    send: (attacked) => scans(attacked, SEEN),
  },
  {
    name: 'delete: a row of 300,000 labelled columns',
    send: (attacked) =>
      batch(attacked, (made) => made.deleteRow(ROWS.wide).endMutation(labelled(expressionOf(MIXED - 1)))),
  },
  { name: 'get: the deleted row', send: (attacked) => reads(attacked, ROWS.wide, {}) },
  { name: 'put: 100,000 rows with permissions', send: puts('acl', () => ALLOWED) },
  {
    name: 'put: 100,000 rows, permissions of 20 users each',
    send: puts('acls', (i) => ({
      durability: 'USE_DEFAULT',
      attributes: new Map([
        ['acl', aclBytes(Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`user${i}${n}`, 'RW'])))],
      ]),
    })),
  },
  {
    name: 'get: 300,000 columns that a user may read',
    send: (a) => asUser(a, (as) => reads(as, ROWS.wider, {})),
  },
  { name: 'scan: all rows by a user of single cells', send: (a) => asUser(a, (as) => scans(as, {})) },
  {
    name: 'scan: one wide row by a user of single cells',
    send: (a) => asUser(a, (as) => scans(as, onRow(ROWS.wider))),
  },
  {
    name: 'RowMutations: 300,000 columns that a user may change',
    send: (a) => asUser(a, (as) => changes(as, ROWS.wider, put(ROWS.wider, as.sizes.wideColumns))),
  },
  {
    name: 'put: 100,000 rows that a user may change',
    send: (a) => asUser(a, (as) => puts('acl', () => ({ durability: 'USE_DEFAULT' }))(as)),
  },
  {
    name: 'delete: a row of 300,000 columns that a user may change',
    send: (a) => asUser(a, (as) => batch(as, (made) => made.deleteRow(ROWS.wider).endMutation())),
  },
]

export const GUARDED_SCENE: Scene = {
  name: 'guarded',
  args: ['--authorization', '--visibility-labels', '--superuser', OWNER, '--insecure'],
  isOfHBase: false,
  prepare,
  requests,
}

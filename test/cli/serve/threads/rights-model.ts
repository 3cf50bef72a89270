/** The rights of users in words of a test's own, and changes of them. */

import { ACL_TABLE } from '../../../../src/gateway/policies/access/permissions/acl-rows.ts'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { LABELS_FAMILY, LABELS_TABLE, labelRow } from '../../../../src/model/label-rows.ts'
import { MutationBatch, type MutationOptions } from '../../../../src/model/mutation.ts'
import type { PermissionScope } from '../../../../src/model/permission.ts'
import { parseTableName, type TableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import type { Store } from '../../../../src/store/store.ts'
import { aclBytes } from '../../../harness/access/acl-bytes.ts'
import { visibility } from '../../../harness/labels/asking.ts'
import { SimRandom } from '../../../harness/simulation/sim-random.ts'

export const TABLE: TableName = parseTableName('t')
export const ROW: Buffer = Buffer.from('r')
export const USERS: readonly string[] = ['anna', 'bert', 'carl']
const EARLY_OUT = 'hbase.security.access.early_out'

/** A cell of the only row, whose value is its name. */
export interface Cell {
  readonly family: string
  readonly qualifier: string
  readonly label?: string
  /** A user who may read the cell by its own permission. */
  readonly reader?: string
}

export const FIRST_CELLS: readonly Cell[] = [
  { family: 'f', qualifier: 'p' },
  { family: 'f', qualifier: 'q' },
  { family: 'f', qualifier: 'r', reader: 'bert' },
  { family: 'g', qualifier: 'l', label: 'secret' },
  { family: 'g', qualifier: 'q' },
]

/** The rights, and the cells, in words of their own. */
export class Model {
  families: string[] = []
  cells: Cell[] = []
  /** The setting of the table. */
  endsEarly = true
  /** Members of the group `@team`. */
  team: string[] = ['anna']
  /** READ, as `name scope`. */
  readonly granted: Set<string> = new Set()
  /** Ordinals of labels, of which `system` has the first. */
  readonly labels: Map<string, number> = new Map()
  /** As `name label`. */
  readonly auths: Set<string> = new Set()

  namesOf(user: string): string[] {
    return this.team.includes(user) ? [user, '@team'] : [user]
  }

  #isGranted(user: string, scopes: readonly string[]): boolean {
    return this.namesOf(user).some((name) => scopes.some((scope) => this.granted.has(`${name} ${scope}`)))
  }

  wantedOf(user: string): string {
    const ofTable = ['global', 'namespace', 'table']
    const columns = this.#isGranted(user, ['f:q']) && this.families.includes('f')
    const isAny = this.#isGranted(user, [...ofTable, ...this.families]) || columns
    if (!isAny && this.endsEarly) return 'ACCESS_DENIED'
    return this.cells
      .filter(({ family, qualifier, reader, label }) => {
        const isRead =
          this.#isGranted(user, [...ofTable, family, `${family}:${qualifier}`]) ||
          (!this.endsEarly && reader === user)
        const isSeen =
          label === undefined || this.namesOf(user).some((name) => this.auths.has(`${name} ${label}`))
        return isRead && isSeen
      })
      .map(nameOf)
      .sort()
      .join()
  }

  /** All answers, by user. */
  get wanted(): Readonly<Record<string, string>> {
    return Object.fromEntries(USERS.map((user) => [user, this.wantedOf(user)]))
  }
}

function nameOf({ family, qualifier }: Cell): string {
  return `${family}:${qualifier}`
}

export async function put(admin: Store, cells: readonly Cell[]): Promise<void> {
  const batch = new MutationBatch()
  for (const cell of cells) {
    const { family, qualifier, label, reader } = cell
    batch.put(ROW, Buffer.from(family), Buffer.from(qualifier), Buffer.from(nameOf(cell)))
    batch.endMutation(optionsOf(label, reader))
  }
  const [failure] = await admin.rows.mutate(TABLE, batch, OWN_CALL)
  if (failure !== undefined) throw failure.error
}

function optionsOf(label: string | undefined, reader: string | undefined): MutationOptions | undefined {
  if (label !== undefined) return visibility(label)
  if (reader === undefined) return undefined
  return { durability: 'USE_DEFAULT', attributes: new Map([['acl', aclBytes({ [reader]: 'R' })]]) }
}

async function rawDeletion(
  admin: Store,
  table: TableName,
  fill: (batch: MutationBatch) => void,
): Promise<void> {
  const batch = new MutationBatch()
  fill(batch)
  batch.endMutation()
  const [failure] = await admin.rows.mutate(table, batch, OWN_CALL)
  if (failure !== undefined) throw failure.error
}

export const SCOPES: Readonly<Record<string, PermissionScope>> = {
  global: { kind: 'global' },
  namespace: { kind: 'namespace', namespace: 'default' },
  table: { kind: 'table', table: TABLE },
  f: { kind: 'table', table: TABLE, family: Buffer.from('f') },
  'f:q': { kind: 'table', table: TABLE, family: Buffer.from('f'), qualifier: Buffer.from('q') },
}
const OF_TABLE = ['table', 'f', 'f:q']

interface Step {
  readonly admin: Store
  readonly model: Model
  readonly random: SimRandom
  readonly step: number
  /** Replaces the members of the group `@team`. */
  readonly regroup: (team: readonly string[]) => Promise<void>
}

/** Makes the change by one call; called once the model has it. Undefined: there is nothing to change. */
type Change = (step: Step) => (() => Promise<unknown>) | undefined

export async function labelled(changing: Promise<readonly unknown[]>): Promise<void> {
  for (const failure of await changing) if (failure !== undefined) throw failure
}

const anyName = (random: SimRandom): string => random.of([...USERS, '@team'])

export const CHANGES: Readonly<Record<string, Change>> = {
  grant: ({ admin, model, random }) => {
    const [user, scope] = [anyName(random), random.of(Object.keys(SCOPES))]
    model.granted.add(`${user} ${scope}`)
    const permission = { user, permission: { scope: SCOPES[scope]!, actions: ['READ'] } } as const
    return () => admin.upkeep.permissions!.grant(permission, random.chance(0.5), OWN_CALL)
  },
  revoke: ({ admin, model, random }) => {
    if (model.granted.size === 0) return undefined
    const granted = random.of([...model.granted])
    model.granted.delete(granted)
    const [user, scope] = granted.split(' ') as [string, string]
    const permission = { user, permission: { scope: SCOPES[scope]!, actions: [] } }
    return () => admin.upkeep.permissions!.revoke(permission, OWN_CALL)
  },
  'set auths': ({ admin, model, random }) => {
    const [user, label] = [anyName(random), random.of([...model.labels.keys()])]
    model.auths.add(`${user} ${label}`)
    return () => labelled(admin.upkeep.labels!.setAuths(Buffer.from(user), [Buffer.from(label)], OWN_CALL))
  },
  'clear auths': ({ admin, model, random }) => {
    if (model.auths.size === 0) return undefined
    const held = random.of([...model.auths])
    model.auths.delete(held)
    const [user, label] = held.split(' ') as [string, string]
    return () => labelled(admin.upkeep.labels!.clearAuths(Buffer.from(user), [Buffer.from(label)], OWN_CALL))
  },
  'cell of hbase:labels deleted': ({ admin, model, random }) => {
    if (model.auths.size === 0) return undefined
    const held = random.of([...model.auths])
    model.auths.delete(held)
    const [user, label] = held.split(' ') as [string, string]
    const row = labelRow(model.labels.get(label)!)
    return () =>
      rawDeletion(admin, LABELS_TABLE, (batch) =>
        batch.deleteColumn(row, LABELS_FAMILY, Buffer.from(user), undefined),
      )
  },
  'row of hbase:acl deleted': ({ admin, model }) => {
    for (const held of model.granted) if (OF_TABLE.includes(held.split(' ')[1]!)) model.granted.delete(held)
    return () => rawDeletion(admin, ACL_TABLE, (batch) => batch.deleteRow(Buffer.from(TABLE), undefined))
  },
  'label added': ({ admin, model, step }) => {
    const label = `label${step}`
    model.labels.set(label, Math.max(...model.labels.values()) + 1)
    return () => labelled(admin.upkeep.labels!.addLabels([Buffer.from(label)], OWN_CALL))
  },
  'labelled cell': ({ admin, model, random }) => {
    const label = random.of([...model.labels.keys()])
    const cell = { family: random.of(model.families), qualifier: `of ${label}`, label }
    if (model.cells.some((each) => nameOf(each) === nameOf(cell))) return undefined
    model.cells.push(cell)
    return () => put(admin, [cell])
  },
  'family added': ({ admin, model }) => {
    if (model.families.includes('h')) return undefined
    model.families.push('h')
    const alteration = { kind: 'addFamily', family: familyDescriptor('h') } as const
    return () => admin.catalog.modifyTable({ name: TABLE, alteration }, OWN_CALL)
  },
  'family removed': ({ admin, model }) => {
    if (!model.families.includes('h')) return undefined
    model.families = model.families.filter((name) => name !== 'h')
    model.cells = model.cells.filter(({ family }) => family !== 'h')
    const alteration = { kind: 'deleteFamily', family: Buffer.from('h') } as const
    return () => admin.catalog.modifyTable({ name: TABLE, alteration }, OWN_CALL)
  },
  'early out altered': ({ admin, model }) => {
    model.endsEarly = !model.endsEarly
    const attributes = new Map([[EARLY_OUT, String(model.endsEarly)]])
    const families = model.families.map((name) => familyDescriptor(name))
    return () => admin.catalog.modifyTable({ name: TABLE, families, attributes }, OWN_CALL)
  },
  'members of a group': ({ model, random, regroup }) => {
    model.team = USERS.filter(() => random.chance(0.5))
    return () => regroup(model.team)
  },
  'table made again': ({ admin, model }) => {
    for (const held of model.granted) if (OF_TABLE.includes(held.split(' ')[1]!)) model.granted.delete(held)
    beginAnew(model)
    return async () => {
      await admin.catalog.disableTable(TABLE, OWN_CALL)
      await admin.catalog.deleteTable(TABLE, OWN_CALL)
      await createTable(admin)
    }
  },
}
/** The names of changes, those more than once that come more often: most of the time users see something. */
export const CHOICES: readonly string[] = Object.keys(CHANGES).concat(
  ['grant', 'grant', 'set auths', 'set auths', 'set auths', 'clear auths'],
  ['labelled cell'],
)
/** The changes of one call: reads that are under way find the rights from before it or from after it. */
export const ATOMIC: readonly string[] = [
  'grant',
  'revoke',
  'set auths',
  'clear auths',
  'row of hbase:acl deleted',
]

export async function createTable(admin: Store, cells: readonly Cell[] = FIRST_CELLS): Promise<void> {
  const table = tableDescriptor(TABLE, [familyDescriptor('f'), familyDescriptor('g')])
  await admin.catalog.createTable(table, [], OWN_CALL)
  await put(admin, cells)
}

export function beginAnew(model: Model): void {
  model.endsEarly = true
  model.families = ['f', 'g']
  model.cells = [...FIRST_CELLS]
}

/** All permissions in memory, and decisions by them. HBase: AuthManager. */

import { ACTIONS, type Action, type UserPermission } from '../../../../model/permission.ts'
import { namespaceOf, type TableName } from '../../../../model/table-name.ts'
import type { Subject } from './subject.ts'

const BITS = Object.fromEntries(ACTIONS.map((action, index) => [action, 1 << index])) as Record<
  Action,
  number
>

/** The permissions of one user or group for a table, by column: a user may have permissions of 100,000 columns. */
interface TableGrant {
  /** The actions on the whole table. */
  bits: number
  /** The actions on any part of the table. */
  someBits: number
  /** The grants by the name of the family as latin1 text. */
  readonly families: Map<string, FamilyGrant>
}

interface FamilyGrant {
  /** The actions on the whole family. */
  bits: number
  readonly columns: Map<string, number>
}

type BitsByName = Map<string, number>

/** Remembered decisions; with more, all are forgotten. Users and tables are few, or else a decision is a small part of their work. */
const DECISIONS_MAX = 10_000

export class Grants {
  readonly #global: BitsByName = new Map()
  readonly #namespaces = new Map<string, BitsByName>()
  readonly #tables = new Map<string, Map<string, TableGrant>>()
  /** The actions that each user has on a whole table, by table. Made when a user first asks. */
  readonly #whole = new Map<TableName, Map<Subject, number>>()
  #decisions = 0

  constructor(permissions: readonly UserPermission[]) {
    for (const { user, permission } of permissions) {
      const { scope, actions } = permission
      const bits = actions.reduce((all, action) => all | BITS[action], 0)
      if (scope.kind === 'global') this.#global.set(user, bits)
      else if (scope.kind === 'namespace') within(this.#namespaces, scope.namespace).set(user, bits)
      else add(within<string, TableGrant>(this.#tables, scope.table), user, scope, bits)
    }
  }

  allowsGlobal(subject: Subject, action: Action): boolean {
    return subject.isSuperuser || hasBits(this.#global, subject, BITS[action])
  }

  allowsNamespace(subject: Subject, namespace: string, action: Action): boolean {
    if (this.allowsGlobal(subject, action)) return true
    const granted = this.#namespaces.get(namespace)
    return granted !== undefined && hasBits(granted, subject, BITS[action])
  }

  /** Whether the user has the action on the whole table. Every read and write asks: the answer is remembered. */
  allowsWhole(subject: Subject, table: TableName, action: Action): boolean {
    const bits = this.#whole.get(table)?.get(subject) ?? this.#wholeBits(subject, table)
    return (bits & BITS[action]) !== 0
  }

  #wholeBits(subject: Subject, table: TableName): number {
    const bits = ACTIONS.reduce(
      (all, action) => (this.allowsTable(subject, table, action) ? all | BITS[action] : all),
      0,
    )
    if (++this.#decisions > DECISIONS_MAX) {
      this.#whole.clear()
      this.#decisions = 1
    }
    within(this.#whole, table).set(subject, bits)
    return bits
  }

  /** Whether the user has the action on all of the table, the family or the column, whichever is named. */
  allowsTable(
    subject: Subject,
    table: TableName,
    action: Action,
    family?: Buffer,
    qualifier?: Buffer,
  ): boolean {
    return (
      this.allowsNamespace(subject, namespaceOf(table), action) ||
      this.#grantsOf(subject, table).some((grant) => (bitsOf(grant, family, qualifier) & BITS[action]) !== 0)
    )
  }

  /** Whether the user has the action on the table, a family or a column. HBase: AuthManager.accessUserTable. */
  allowsSome(subject: Subject, table: TableName, action: Action): boolean {
    return (
      this.allowsNamespace(subject, namespaceOf(table), action) ||
      this.#grantsOf(subject, table).some(({ someBits }) => (someBits & BITS[action]) !== 0)
    )
  }

  /** The columns of a family for which the user has a permission with the action. */
  columns(subject: Subject, table: TableName, action: Action, family: Buffer): Buffer[] {
    const found: Buffer[] = []
    const key = family.toString('latin1')
    for (const { families } of this.#grantsOf(subject, table)) {
      for (const [qualifier, bits] of families.get(key)?.columns ?? [])
        if ((bits & BITS[action]) !== 0) found.push(Buffer.from(qualifier, 'latin1'))
    }
    return found
  }

  #grantsOf({ names }: Subject, table: TableName): TableGrant[] {
    const granted = this.#tables.get(table)
    return granted === undefined ? [] : names.flatMap((name) => granted.get(name) ?? [])
  }
}

type TableScope = Extract<UserPermission['permission']['scope'], { readonly kind: 'table' }>

function add(
  byName: Map<string, TableGrant>,
  user: string,
  { family, qualifier }: TableScope,
  bits: number,
): void {
  let ofTable = byName.get(user)
  if (ofTable === undefined) {
    ofTable = { bits: 0, someBits: 0, families: new Map() }
    byName.set(user, ofTable)
  }
  ofTable.someBits |= bits
  if (family === undefined) {
    ofTable.bits |= bits
    return
  }
  const key = family.toString('latin1')
  let ofFamily = ofTable.families.get(key)
  if (ofFamily === undefined) {
    ofFamily = { bits: 0, columns: new Map() }
    ofTable.families.set(key, ofFamily)
  }
  if (qualifier === undefined) ofFamily.bits |= bits
  else {
    const column = qualifier.toString('latin1')
    ofFamily.columns.set(column, (ofFamily.columns.get(column) ?? 0) | bits)
  }
}

/** The actions on all of the family or column, whichever is named. */
function bitsOf(
  { bits, families }: TableGrant,
  family: Buffer | undefined,
  qualifier: Buffer | undefined,
): number {
  if (family === undefined) return bits
  const ofFamily = families.get(family.toString('latin1'))
  if (ofFamily === undefined) return bits
  const ofColumn = qualifier === undefined ? 0 : (ofFamily.columns.get(qualifier.toString('latin1')) ?? 0)
  return bits | ofFamily.bits | ofColumn
}

function hasBits(granted: BitsByName, { names }: Subject, bit: number): boolean {
  return names.some((name) => ((granted.get(name) ?? 0) & bit) !== 0)
}

function within<Key, Value>(maps: Map<string, Map<Key, Value>>, key: string): Map<Key, Value> {
  let found = maps.get(key)
  if (found === undefined) {
    found = new Map()
    maps.set(key, found)
  }
  return found
}

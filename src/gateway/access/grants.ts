/** All permissions in memory, and who may do what by them. HBase: AuthManager. */

import { ACTIONS, type Action, type UserPermission } from '../../model/permission.ts'
import { namespaceOf, type TableName } from '../../model/table-name.ts'
import type { Subject } from './subject.ts'

const BITS = Object.fromEntries(ACTIONS.map((action, index) => [action, 1 << index])) as Record<
  Action,
  number
>

interface ColumnGrant {
  /** Undefined: the whole table. */
  readonly family: Buffer | undefined
  /** Undefined: the whole family. */
  readonly qualifier: Buffer | undefined
  readonly bits: number
}

type BitsByName = Map<string, number>

/** Decisions that are remembered. Beyond them all are forgotten: users and tables are few, or a decision is a small part of what they do. */
const DECISIONS_MAX = 10_000

export class Grants {
  readonly #global: BitsByName = new Map()
  readonly #namespaces = new Map<string, BitsByName>()
  readonly #tables = new Map<string, Map<string, ColumnGrant[]>>()
  /** The actions that each may do to the whole of a table, by the tables that they have asked for. */
  readonly #whole = new Map<TableName, Map<Subject, number>>()
  #decisions = 0

  constructor(permissions: readonly UserPermission[]) {
    for (const { user, permission } of permissions) {
      const { scope, actions } = permission
      const bits = actions.reduce((all, action) => all | BITS[action], 0)
      if (scope.kind === 'global') this.#global.set(user, bits)
      else if (scope.kind === 'namespace') within(this.#namespaces, scope.namespace).set(user, bits)
      else {
        const byName = within<string, ColumnGrant[]>(this.#tables, scope.table)
        const { family, qualifier } = scope
        byName.set(user, [...(byName.get(user) ?? []), { family, qualifier, bits }])
      }
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

  /** The whole of the table. Remembers what it has found: each read and each write asks. */
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

  /** The whole of what is named: the table, one of its families, or a column. */
  allowsTable(
    subject: Subject,
    table: TableName,
    action: Action,
    family?: Buffer,
    qualifier?: Buffer,
  ): boolean {
    return (
      this.allowsNamespace(subject, namespaceOf(table), action) ||
      this.#some(subject, table, action, (grant) => {
        if (grant.family === undefined) return true
        if (family === undefined || !grant.family.equals(family)) return false
        return grant.qualifier === undefined || (qualifier !== undefined && grant.qualifier.equals(qualifier))
      })
    )
  }

  /** Anything of the table: all of it, or some family or column. HBase: AuthManager.accessUserTable. */
  allowsSome(subject: Subject, table: TableName, action: Action): boolean {
    return (
      this.allowsNamespace(subject, namespaceOf(table), action) ||
      this.#some(subject, table, action, () => true)
    )
  }

  /** The columns of a family for which the subject has the action one by one. */
  columns(subject: Subject, table: TableName, action: Action, family: Buffer): Buffer[] {
    const found: Buffer[] = []
    this.#some(subject, table, action, (grant) => {
      if (grant.qualifier !== undefined && grant.family?.equals(family) === true) found.push(grant.qualifier)
      return false
    })
    return found
  }

  #some(
    { names }: Subject,
    table: TableName,
    action: Action,
    isMeant: (grant: ColumnGrant) => boolean,
  ): boolean {
    const granted = this.#tables.get(table)
    if (granted === undefined) return false
    const bit = BITS[action]
    return names.some((name) =>
      (granted.get(name) ?? []).some((grant) => (grant.bits & bit) !== 0 && isMeant(grant)),
    )
  }
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

/** HBase's errors for missing permissions. HBase: AuthResult.toContextString, AccessChecker. */

import { HBaseError } from '../../../model/errors.ts'
import type { Action } from '../../../model/permission.ts'
import { namespaceOf, qualifierOf, type TableName } from '../../../model/table-name.ts'
import type { Subject } from './permissions/subject.ts'

/** Families with the qualifiers that are meant; none: the whole family. */
export type FamilyMap = readonly (readonly [family: Buffer, qualifiers: readonly Buffer[]])[]

export interface DeniedContext {
  readonly table?: TableName | undefined
  readonly namespace?: string | undefined
  readonly families?: FamilyMap | undefined
  /** The user whose permissions are asked for; null: of no particular user, for which HBase writes a comma. Undefined: not part of the message. */
  readonly filterUser?: string | null | undefined
  readonly action?: Action
}

/** The denial with its context. A table in the context of a namespace is one that is being created. */
export function denied(
  { user }: Subject,
  { table, namespace, families, filterUser, action }: DeniedContext,
): HBaseError {
  const columns = families === undefined || families.length === 0 ? undefined : familiesText(families)
  const params = [
    ...(namespace === undefined ? [] : [`namespace=${namespace}`]),
    ...(table === undefined ? [] : [`table=${fullName(table)}`]),
    ...(columns === undefined ? [] : [`family=${columns}`]),
    ...(filterUser === undefined ? [] : [filterUser === null ? '' : `filterUser=${filterUser}`]),
  ]
  const scope = namespace ?? (table === undefined ? 'GLOBAL' : fullName(table))
  const family = namespace === undefined && columns !== undefined ? `family=${columns}, ` : ''
  return accessDenied(
    `Insufficient permissions (user=${user ?? 'UNKNOWN'}, scope=${scope}, ${family}params=[${params.join(',')}],action=${action ?? ''})`,
  )
}

export function deniedGlobally({ user }: Subject, action: Action): HBaseError {
  return accessDenied(`Insufficient permissions for user '${user ?? 'null'}' (global, action=${action})`)
}

export function deniedRead({ user }: Subject, table: TableName): HBaseError {
  return accessDenied(`Insufficient permissions for user '${user ?? 'null'}' (table=${table}, action=READ)`)
}

export function accessDenied(message: string): HBaseError {
  return new HBaseError('ACCESS_DENIED', message)
}

/** The name with its namespace, also with the default one. */
function fullName(table: TableName): string {
  return `${namespaceOf(table)}:${qualifierOf(table)}`
}

function familiesText(families: FamilyMap): string {
  return families
    .flatMap(([family, qualifiers]) =>
      qualifiers.length === 0
        ? [family.toString()]
        : qualifiers.map((qualifier) => `${family.toString()}:${qualifier.toString()}`),
    )
    .join('|')
}

/** What HBase answers to somebody who may not do something. HBase: AuthResult.toContextString, AccessChecker. */

import { HBaseError } from '../../../model/errors.ts'
import type { Action } from '../../../model/permission.ts'
import { namespaceOf, qualifierOf, type TableName } from '../../../model/table-name.ts'
import type { Subject } from './permissions/subject.ts'

/** A family with the qualifiers that are meant; none: the whole family. */
export type FamilyMap = readonly (readonly [family: Buffer, qualifiers: readonly Buffer[]])[]

export interface DeniedContext {
  readonly table?: TableName | undefined
  readonly namespace?: string | undefined
  readonly families?: FamilyMap | undefined
  /** Whose permissions are asked for; null: of nobody in particular, which HBase tells by a comma. Undefined: HBase does not look. */
  readonly filterUser?: string | null | undefined
  readonly action?: Action
}

/** In the context of a table, or of a namespace; there a table is one that is being made. */
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

/** With its namespace, the default one too. */
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

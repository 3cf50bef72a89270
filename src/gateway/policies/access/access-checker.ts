/** Checks the permissions of users. HBase: AccessChecker. */

import { HBaseError } from '../../../model/errors.ts'
import { META_TABLE } from '../../../model/meta-table.ts'
import type { Action } from '../../../model/permission.ts'
import type { TableName } from '../../../model/table-name.ts'
import type { Call } from '../../../store/call.ts'
import { denied, deniedGlobally, type FamilyMap } from './denials.ts'
import { Grants } from './permissions/grants.ts'
import { SERVER, type Subject, type Subjects } from './permissions/subject.ts'

export interface TableCheck {
  readonly family?: Buffer | undefined
  readonly qualifier?: Buffer | undefined
  /** See DeniedContext. */
  readonly filterUser?: string | null | undefined
}

export class AccessChecker {
  readonly subjects: Subjects
  readonly #current: () => Grants | Promise<Grants>

  /** `current`: returns the present permissions. */
  constructor(subjects: Subjects, current: () => Grants | Promise<Grants>) {
    this.subjects = subjects
    this.#current = current
  }

  /** The user of a call with the present permissions: at once where these need not be read first. */
  accessOf(call: Call): Access | Promise<Access> {
    const subject = this.subjectOf(call)
    const grants = this.#current()
    if (grants instanceof Grants) return new Access(subject, grants)
    return grants.then((read) => new Access(subject, read))
  }

  subjectOf({ isOwn, principal }: Call): Subject {
    return isOwn ? SERVER : this.subjects.of(principal?.user)
  }
}

/** The user of a call, and the permissions at that time. */
export class Access {
  readonly subject: Subject
  readonly grants: Grants

  constructor(subject: Subject, grants: Grants) {
    this.subject = subject
    this.grants = grants
  }

  /** The same permissions for another user. */
  as(subject: Subject): Access {
    return new Access(subject, this.grants)
  }

  requireGlobal(action: Action): void {
    if (!this.grants.allowsGlobal(this.subject, action)) throw deniedGlobally(this.subject, action)
  }

  requireNamespace(namespace: string, action: Action, filterUser: string | null = null): void {
    if (this.grants.allowsNamespace(this.subject, namespace, action)) return
    throw denied(this.subject, { namespace, action, filterUser })
  }

  /** Requires the right to create the table. HBase takes ADMIN, too, although its book names CREATE alone. */
  requireNewTable(namespace: string, table: TableName, families: FamilyMap): void {
    const { grants, subject } = this
    if ((['ADMIN', 'CREATE'] as const).some((action) => grants.allowsNamespace(subject, namespace, action)))
      return
    throw denied(this.subject, { namespace, table, families, action: 'CREATE' })
  }

  /** Requires one of the actions on the table, or on a part of it. */
  requireTable(
    table: TableName,
    actions: readonly Action[],
    { family, qualifier, filterUser = null }: TableCheck = {},
  ): void {
    if (this.allowsOne(table, actions, family, qualifier)) return
    const families: FamilyMap | undefined = family && [[family, qualifier === undefined ? [] : [qualifier]]]
    throw denied(this.subject, { table, families, action: actions.at(-1)!, filterUser })
  }

  allowsOne(table: TableName, actions: readonly Action[], family?: Buffer, qualifier?: Buffer): boolean {
    return actions.some((action) => this.grants.allowsTable(this.subject, table, action, family, qualifier))
  }

  /** Requires the action on any part of the table. HBase: AccessChecker.requireAccess, whose denial names no action. */
  requireSome(table: TableName, action: Action): void {
    if (!this.allowsSome(table, [action])) throw denied(this.subject, { table })
  }

  /** Whether the user has one of the actions on any part of the table. */
  allowsSome(table: TableName, actions: readonly Action[]): boolean {
    return actions.some((action) => this.grants.allowsSome(this.subject, table, action))
  }

  /**
   * The refusal of the first named family or column for which the user lacks the action; undefined where all are allowed. HBase:
   * AccessController.permissionGranted.
   */
  refusalOf(table: TableName, action: Action, families: FamilyMap): HBaseError | undefined {
    const { grants, subject } = this
    // All users must be able to find regions.
    if (table === META_TABLE && action === 'READ') return undefined
    if (grants.allowsTable(subject, table, action)) return undefined
    const refuse = (refused: FamilyMap): HBaseError => denied(subject, { table, families: refused, action })
    for (const [family, qualifiers] of families) {
      if (grants.allowsTable(subject, table, action, family)) continue
      if (qualifiers.length === 0) return refuse([[family, []]])
      const refused = qualifiers.find((each) => !grants.allowsTable(subject, table, action, family, each))
      if (refused !== undefined) return refuse([[family, [refused]]])
    }
    return families.length > 0 ? undefined : refuse([])
  }
}

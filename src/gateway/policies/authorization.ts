import type { Logger } from 'pino'
import { readGroups, watchGroups } from './access/permissions/groups-file.ts'
import { Subjects } from './access/permissions/subject.ts'
import type { LabelSettings } from './labels/label-settings.ts'

export interface AuthorizationSettings {
  /** Users who may do everything; a group has an `@` before its name. */
  readonly superusers: readonly string[]
  /** Path of the groups file; undefined: no user is in a group. */
  readonly groups: string | undefined
  /** Settings of labels; undefined: cells have no labels. */
  readonly labels?: LabelSettings | undefined
  /** True where labels are enforced, but users need no permissions. */
  readonly isOfLabelsAlone?: boolean
}

export interface Authorization {
  readonly subjects: Subjects
  readonly labels?: LabelSettings | undefined
  readonly hasPermissions: boolean
  /** See RereadFile. */
  trouble(): string | undefined
  /** Reads the groups again. */
  reload(): void
  close(): void
}

/** Reads the groups file. Throws GuardFileError. */
export function openAuthorization(
  { superusers, groups, labels, isOfLabelsAlone = false }: AuthorizationSettings,
  logger: Logger,
): Authorization {
  const subjects = new Subjects(superusers, groups === undefined ? new Map() : readGroups(groups))
  const file =
    groups === undefined
      ? undefined
      : watchGroups(groups, logger, (memberships) => subjects.regroup(memberships))
  return {
    subjects,
    labels,
    hasPermissions: !isOfLabelsAlone,
    trouble: () => file?.trouble,
    reload: () => file?.reload(),
    close: () => file?.close(),
  }
}

import type { Logger } from 'pino'
import type { LabelSettings } from '../labels/label-settings.ts'
import { readGroups, watchGroups } from './permissions/groups-file.ts'
import { Subjects } from './permissions/subject.ts'

export interface AuthorizationSettings {
  /** Users, and groups behind an `@`, who may do everything. */
  readonly superusers: readonly string[]
  /** Path of the groups file; undefined: nobody is in a group. */
  readonly groups: string | undefined
  /** Undefined: cells have no labels. */
  readonly labels?: LabelSettings | undefined
  /** True: labels are obeyed, but users need no permissions. */
  readonly isOfLabelsAlone?: boolean
}

export interface Authorization {
  readonly subjects: Subjects
  readonly labels?: LabelSettings | undefined
  readonly hasPermissions: boolean
  /** As in RereadFile. */
  trouble(): string | undefined
  /** Reads the groups again. */
  reload(): void
  close(): void
}

/** Throws GuardFileError. */
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

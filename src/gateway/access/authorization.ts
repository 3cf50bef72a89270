import type { Logger } from 'pino'
import { GroupsFile, readGroups } from './groups-file.ts'
import { Subjects } from './subject.ts'

export interface AuthorizationSettings {
  /** Users, and groups behind an `@`, who may do everything. */
  readonly superusers: readonly string[]
  /** Path of the groups file; undefined: nobody is in a group. */
  readonly groups: string | undefined
}

export interface Authorization {
  readonly subjects: Subjects
  close(): void
}

/** Throws GuardFileError. */
export function openAuthorization(
  { superusers, groups }: AuthorizationSettings,
  logger: Logger,
): Authorization {
  const subjects = new Subjects(superusers, groups === undefined ? new Map() : readGroups(groups))
  const file =
    groups === undefined
      ? undefined
      : new GroupsFile(groups, logger, (memberships) => subjects.regroup(memberships))
  return { subjects, close: () => file?.close() }
}

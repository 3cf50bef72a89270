/** Permissions of users, and labels of cells. */

import { InvalidArgumentError } from 'commander'
import type { AuthorizationSettings } from '../../gateway/policies/authorization.ts'
import { UsageError } from '../failures/usage-error.ts'
import { parsePath } from '../flags/paths.ts'
import { labelSettings, parseControllers } from './label-options.ts'
import { type SettingsOf, type Source, yesNo } from './setting.ts'

export interface AuthorizationValues {
  readonly authorization: boolean
  readonly visibilityLabels: boolean
  /** Users, and groups behind an @. */
  readonly superuser: readonly string[]
  /** The path of the groups file; undefined: there are no groups. */
  readonly groups: string | undefined
}

export const AUTHORIZATION_SETTINGS: SettingsOf<AuthorizationValues> = {
  authorization: yesNo(
    'Permissions',
    'users may do only what they are granted, as with the AccessController of HBase',
    { name: 'hbase.security.authorization', isOfCluster: true },
  ),
  visibilityLabels: yesNo(
    'Permissions',
    'cells may have labels, and users read those whose labels they have, as with the VisibilityController of HBase',
    { name: 'hbase.coprocessor.region.classes', parse: parseControllers, isOfCluster: true },
  ),
  superuser: {
    group: 'Permissions',
    takes: '<names>',
    about: 'users, and groups as @GROUP, who may do everything: NAME,@GROUP',
    parse: parseSuperusers,
    fallback: [],
    fallbackText: 'none',
    key: { name: 'hbase.superuser', isOfCluster: true },
  },
  groups: {
    group: 'Permissions',
    takes: '<file>',
    about: 'groups of users, for permissions: a line GROUP:USER,USER each',
    parse: parsePath,
    fallback: undefined,
  },
}

function parseSuperusers(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim())
  if (names.every((name) => name !== '' && name !== '@')) return names
  throw new InvalidArgumentError('It must be names with commas between them: NAME,@GROUP.')
}

/**
 * Undefined: any user may do everything. `source`: of the superusers; `properties`: of hbase-site.xml. Throws UsageError for settings that do not
 * fit each other.
 */
export function authorizationSettings(
  { superuser: superusers, groups, authorization: hasPermissions, visibilityLabels }: AuthorizationValues,
  source: Source,
  properties: ReadonlyMap<string, string>,
): AuthorizationSettings | undefined {
  const labels = labelSettings(visibilityLabels, properties)
  if (!hasPermissions && labels === undefined) {
    const isStated = source === 'cli' || source === 'env'
    if (isStated || groups !== undefined)
      throw new UsageError(
        '--superuser and --groups need --authorization or --visibility-labels: without them any user may do everything',
      )
    return undefined
  }
  if (superusers.length === 0)
    throw new UsageError(
      hasPermissions
        ? '--authorization needs --superuser NAME: no other user could grant the first permission'
        : '--visibility-labels needs --superuser NAME: no other user could add the first label',
    )
  if (labels === undefined) return { superusers, groups }
  return { superusers, groups, labels, isOfLabelsAlone: !hasPermissions }
}

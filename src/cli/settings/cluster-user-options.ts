/** The user of a call that the cluster behind Tidegate sees. */

import { PASSED_CONNECTIONS_MAX, type UserPassing } from '../../../adapters/hbase/connections/passed-user.ts'
import type { GuardSettings } from '../../gateway/identity/guard/guard.ts'
import { UsageError } from '../failures/usage-error.ts'
import { parsePositive } from '../flags/positive-number.ts'
import type { SettingsOf } from './setting.ts'

export interface ClusterUserValues {
  readonly clusterUser: 'own' | UserPassing['as']
  readonly clusterUserConnectionsMax: number
}

export const CLUSTER_USER_SETTINGS: SettingsOf<ClusterUserValues> = {
  clusterUser: {
    group: 'Cluster',
    takes: '<kind>',
    about:
      "the user of a call that a cluster sees: own, Tidegate's own user; caller, the client's; proxy, the client's, for " +
      "whom Tidegate's own acts by a rule of the cluster (hadoop.proxyuser.*)",
    choices: ['own', 'caller', 'proxy'],
    fallback: 'own',
  },
  clusterUserConnectionsMax: {
    group: 'Limits',
    takes: '<n>',
    about: 'connections of such users to the cluster; a new one takes the place of the one idle longest',
    parse: parsePositive,
    fallback: PASSED_CONNECTIONS_MAX,
  },
}

/** Undefined: Tidegate's own user. Throws UsageError for settings that do not fit each other. */
export function userPassing(
  {
    clusterUser: as,
    clusterUserConnectionsMax,
    insecure,
  }: ClusterUserValues & { readonly insecure: boolean },
  storeKind: string,
  { guard }: { readonly guard: GuardSettings | undefined },
): UserPassing | undefined {
  if (as === 'own') return undefined
  if (storeKind !== 'hbase')
    throw new UsageError(`--cluster-user ${as} is for a cluster: the store is ${storeKind}`)
  if (guard === undefined && !insecure)
    throw new UsageError(
      `--cluster-user ${as}: clients need no login, so that each could be any user of the cluster; give --users FILE, ` +
        'ask for tokens or certificates, or give --insecure where all clients are trusted',
    )
  return { as, connectionsMax: clusterUserConnectionsMax }
}

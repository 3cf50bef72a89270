/** Whom the cluster behind Tidegate is told as the user of a call. */

import { type Command, Option } from 'commander'
import { PASSED_CONNECTIONS_MAX, type UserPassing } from '../../../adapters/hbase/connections/passed-user.ts'
import type { GuardSettings } from '../../gateway/identity/guard/guard.ts'
import { UsageError } from '../failures/usage-error.ts'
import { parsePositive } from '../flags/positive-number.ts'

export function clusterUserOptions(): readonly Option[] {
  return [
    new Option(
      '--cluster-user <kind>',
      "whom a cluster is told as the user of a call: own, Tidegate's own user; caller, the client's; proxy, the client's, for " +
        "whom Tidegate's own acts by a rule of the cluster (hadoop.proxyuser.*)",
    )
      .env('TIDEGATE_CLUSTER_USER')
      .choices(['own', 'caller', 'proxy'])
      .default('own'),
    new Option(
      '--cluster-user-connections-max <n>',
      'limit: connections of such users to the cluster; the one idle longest makes room for another',
    )
      .env('TIDEGATE_CLUSTER_USER_CONNECTIONS_MAX')
      .argParser(parsePositive)
      .default(PASSED_CONNECTIONS_MAX),
  ]
}

/** Undefined: Tidegate's own user. Throws UsageError for settings that do not fit each other. */
export function readUserPassing(
  command: Command,
  storeKind: string,
  { guard }: { readonly guard: GuardSettings | undefined },
): UserPassing | undefined {
  const as = command.getOptionValue('clusterUser') as 'own' | UserPassing['as']
  if (as === 'own') return undefined
  if (storeKind !== 'hbase')
    throw new UsageError(`--cluster-user ${as} is for a cluster: the store is ${storeKind}`)
  if (guard === undefined && command.getOptionValue('insecure') !== true)
    throw new UsageError(
      `--cluster-user ${as}: nobody shows who he is, so that anybody could be any user of the cluster; give --users FILE, ` +
        'ask for tokens or certificates, or give --insecure where nobody would',
    )
  return { as, connectionsMax: command.getOptionValue('clusterUserConnectionsMax') as number }
}

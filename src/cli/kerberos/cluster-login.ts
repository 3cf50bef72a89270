/** The login to a secure cluster, with the principals of its servers. */

import type { ClusterKerberos } from '../../../adapters/hbase/config/cluster-kerberos.ts'
import { type Kerberos, KerberosError } from '../../kerberos/kerberos.ts'
import { parsePrincipal } from '../../kerberos/names/principal.ts'
import { canonicalHost, serverPrincipal } from '../../kerberos/names/server-principal.ts'
import type { ClusterKerberosSpec } from '../settings/kerberos-cluster-options.ts'

/** Rejects with KerberosError where the first login fails. `localHost`: the name of this machine, for `_HOST`. */
export async function openClusterKerberos(
  kerberos: Pick<Kerberos, 'logIn'>,
  spec: ClusterKerberosSpec,
  localHost: () => Promise<string> = () => canonicalHost(''),
): Promise<ClusterKerberos> {
  const { principal } = spec.login
  const named = principal === undefined ? undefined : serverPrincipal(principal, await localHost())
  const login = await kerberos.logIn({ ...spec.login, principal: named })
  const realm = parsePrincipal(login.principal)?.realm
  if (realm === undefined) throw new KerberosError(`the principal ${login.principal} has no realm`)
  // A cluster's masters and region servers are often one principal, of which a file may name either.
  const { masterPrincipal: master, regionServerPrincipal: regionServer } = spec
  const inRealm = (name: string): string => (name.includes('@') ? name : `${name}@${realm}`)
  return {
    login,
    masterPrincipal: inRealm(master ?? regionServer ?? 'hbase/_HOST'),
    regionServerPrincipal: inRealm(regionServer ?? master ?? 'hbase/_HOST'),
    protections: spec.protections,
    mayFallBack: spec.mayFallBack,
    asksForAes: spec.asksForAes,
    ...(spec.usesAddressNames && { hostName: (host: string) => canonicalHost(host) }),
  }
}

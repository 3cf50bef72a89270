import { hasHostPattern, serverPrincipal } from '../../../src/kerberos/names/server-principal.ts'
import type { ClusterKerberos } from '../config/cluster-kerberos.ts'
import type { ServiceName } from './server-connections.ts'

/** The principals of the servers of a service. HBase: SecurityInfo. */
function namesOf(
  { masterPrincipal, regionServerPrincipal }: ClusterKerberos,
  service: ServiceName,
): readonly string[] {
  if (service === 'MasterService' || service === 'HbckService') return [masterPrincipal]
  // Masters and region servers have this service.
  if (service === 'ClientMetaService') return [masterPrincipal, regionServerPrincipal]
  return [regionServerPrincipal]
}

/** The principals that a server of the service may have, each once. HBase: RpcConnection.getServerPrincipals. */
export async function serverPrincipals(
  kerberos: ClusterKerberos,
  service: ServiceName,
  host: string,
): Promise<readonly string[]> {
  const names = namesOf(kerberos, service)
  if (!names.some(hasHostPattern)) return [...new Set(names)]
  const hostName = (await kerberos.hostName?.(host)) ?? host
  return [...new Set(names.map((name) => serverPrincipal(name, hostName)))]
}

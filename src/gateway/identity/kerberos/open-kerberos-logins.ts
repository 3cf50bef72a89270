/** Logins by Kerberos at the doors: a service for each place, and the users of principals. */

import type { Kerberos, KerberosService, KerberosServiceOptions } from '../../../kerberos/kerberos.ts'
import { parsePrincipal } from '../../../kerberos/names/principal.ts'
import { canonicalHost, hasHostPattern, serverPrincipal } from '../../../kerberos/names/server-principal.ts'
import type { KerberosLogins, KerberosPlace } from '../guard/kerberos-logins.ts'
import { AuthToLocal } from './auth-to-local.ts'
import type { KerberosDoorSettings } from './kerberos-door-settings.ts'

export interface OpenKerberosLogins extends KerberosLogins {
  close(): void
}

/**
 * `realm`: the default realm of this machine; undefined: that of the services. Rejects with KerberosError where a keytab has no key of a
 * principal, and leaves no service open.
 */
export async function openKerberosLogins(
  kerberos: Pick<Kerberos, 'accept'>,
  settings: KerberosDoorSettings,
  realm: string | undefined,
): Promise<OpenKerberosLogins> {
  const { rules, restRules = rules, mechanism, protections } = settings
  const stated = Object.entries(settings.services) as [KerberosPlace, KerberosServiceOptions][]
  const services = new Map<string, KerberosService>()
  const placed = new Map<KerberosPlace, KerberosService>()
  const close = (): void => {
    for (const service of services.values()) service.close()
  }
  let realmOfService: string | undefined
  let rpcPrincipal: string | undefined
  let zookeeper: KerberosService | undefined
  try {
    const opened = async (named: KerberosServiceOptions): Promise<KerberosService> => {
      // Places with one principal share its service, and so its cache of replays.
      const key = JSON.stringify([named.principal, named.keytab])
      const service = services.get(key) ?? (await kerberos.accept(named))
      services.set(key, service)
      return service
    }
    for (const [place, options] of stated) {
      const named = await ofThisMachine(options)
      realmOfService ??= named.principal === undefined ? undefined : parsePrincipal(named.principal)?.realm
      placed.set(place, await opened(named))
      if (place === 'rpc') rpcPrincipal = named.principal ?? (await usualPrincipal(realm))
    }
    if (settings.services.rpc !== undefined)
      zookeeper = await opened({ keytab: settings.services.rpc.keytab })
  } catch (error) {
    close()
    throw error
  }
  const ofAll = new AuthToLocal(rules, mechanism, realm ?? realmOfService)
  const ofRest = new AuthToLocal(restRules, mechanism, realm ?? realmOfService)
  return {
    rpcPrincipal,
    zookeeper,
    takesAes: settings.takesAes,
    serviceAt: (place) => placed.get(place),
    protectionsAt: (place) => protections[place],
    userOf: (principal, place) => (place === 'rest' ? ofRest : ofAll).userOf(principal),
    close,
  }
}

/** The principal by which clients ask for tickets of a server that states none of its keytab. */
async function usualPrincipal(realm: string | undefined): Promise<string | undefined> {
  return realm === undefined ? undefined : serverPrincipal(`hbase/_HOST@${realm}`, await canonicalHost(''))
}

async function ofThisMachine(options: KerberosServiceOptions): Promise<KerberosServiceOptions> {
  const { principal } = options
  if (principal === undefined || !hasHostPattern(principal)) return options
  return { ...options, principal: serverPrincipal(principal, await canonicalHost('')) }
}

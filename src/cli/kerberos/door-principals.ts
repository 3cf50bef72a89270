/** A log line at the start with the principals that the doors take, and warnings where clients cannot get a ticket for them. */

import { readFileSync } from 'node:fs'
import type { Logger } from 'pino'
import type { KerberosPlace } from '../../gateway/identity/guard/kerberos-logins.ts'
import { PLACE_NAMES } from '../../gateway/identity/guard/taken-credentials.ts'
import type { KerberosDoorSettings } from '../../gateway/identity/kerberos/kerberos-door-settings.ts'
import type { KerberosServiceOptions } from '../../kerberos/kerberos.ts'
import { keytabPrincipals } from '../../kerberos/names/keytab-principals.ts'
import { parsePrincipal } from '../../kerberos/names/principal.ts'
import { canonicalHost, hasHostPattern, serverPrincipal } from '../../kerberos/names/server-principal.ts'
import { type AdvertiseValues, ANY_ADDRESS } from '../settings/advertise-options.ts'
import type { DoorName, PortSetting } from '../settings/door-ports.ts'

/** The places that the doors with open ports take logins at, and the principals there. */
interface TakenPrincipals {
  readonly place: KerberosPlace
  readonly keytab: string
  readonly principals: readonly string[]
}

export interface DoorPrincipalSettings extends Pick<AdvertiseValues, 'advertise'> {
  readonly host: string
  readonly ports: Readonly<Record<DoorName, PortSetting>>
}

/** `services`: of the doors; `advertised`: the host to which clients of native RPC are sent. */
export async function logDoorPrincipals(
  settings: DoorPrincipalSettings,
  services: KerberosDoorSettings['services'],
  advertised: string,
  logger: Logger,
): Promise<void> {
  const taken = await takenPrincipals(services, settings.ports)
  if (taken.length === 0) return
  const principals = byPrincipal(taken)
  const names = [...principals].map(([name, places]) => `${name} (${places.join(', ')})`)
  if (names.length > 0)
    logger.info({ principals: [...principals.keys()] }, `takes Kerberos as ${names.join('; ')}`)
  for (const warning of [...absentKinds(taken), ...absentHost(settings, advertised, taken)])
    logger.warn(warning)
}

/** Services whose keytab cannot be read here have no line: a plain file alone can. */
async function takenPrincipals(
  services: KerberosDoorSettings['services'],
  ports: DoorPrincipalSettings['ports'],
): Promise<TakenPrincipals[]> {
  const open = (Object.entries(services) as [KerberosPlace, KerberosServiceOptions][]).filter(
    ([place]) => ports[place === 'thrift-http' ? 'thrift' : place] !== 'off',
  )
  const found = await Promise.all(
    open.map(async ([place, { keytab, principal }]) => {
      const names = principal === undefined ? namesIn(keytab) : [await ofThisMachine(principal)]
      const principals = names?.filter((name) => principal !== undefined || isOfHttp(name) === isHttp(place))
      return principals && { place, keytab, principals }
    }),
  )
  return found.filter((each) => each !== undefined)
}

async function ofThisMachine(principal: string): Promise<string> {
  return hasHostPattern(principal) ? serverPrincipal(principal, await canonicalHost('')) : principal
}

function namesIn(keytab: string): readonly string[] | undefined {
  try {
    return keytabPrincipals(readFileSync(keytab.replace(/^(?:FILE|WRFILE):/, '')))
  } catch {
    return undefined
  }
}

function isHttp(place: KerberosPlace): boolean {
  return place !== 'thrift' && place !== 'rpc'
}

/** Clients of HTTP ask for tickets of `HTTP/HOST` alone. */
function isOfHttp(principal: string): boolean {
  return principal.startsWith('HTTP/')
}

/** The names of the places by principal. */
function byPrincipal(taken: readonly TakenPrincipals[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const { place, principals } of taken)
    for (const name of principals) found.set(name, [...(found.get(name) ?? []), PLACE_NAMES[place]])
  return found
}

/** A sentence for each keytab without a principal of the kind that clients ask for. */
function absentKinds(taken: readonly TakenPrincipals[]): readonly string[] {
  const places = new Map<string, string[]>()
  for (const { place, keytab, principals } of taken) {
    if (principals.some((name) => isOfHttp(name) === isHttp(place))) continue
    const wanted = isHttp(place) ? 'HTTP/HOST' : 'hbase/HOST'
    const key = `${keytab} has no principal ${wanted}`
    places.set(key, [...(places.get(key) ?? []), PLACE_NAMES[place]])
  }
  return [...places].map(
    ([fault, names]) =>
      `${fault}: clients get no ticket for ${names.join(', ')}; add it to the keytab (docs/kerberos-doors.md), with the name to which clients connect as HOST`,
  )
}

function absentHost(
  { advertise, host }: DoorPrincipalSettings,
  advertised: string,
  taken: readonly TakenPrincipals[],
): readonly string[] {
  // On one address without --advertise, clients are sent where they came from.
  if (advertise === undefined && !ANY_ADDRESS.has(host)) return []
  const hosts = taken.filter(({ place }) => place === 'rpc').flatMap(({ principals }) => hostsOf(principals))
  if (hosts.length === 0 || hosts.includes(advertised.toLowerCase())) return []
  return [
    `clients of native RPC are sent to ${advertised}, and the keytab has principals of ${hosts.join(', ')} alone: clients get no ticket; add hbase/${advertised}, or give --advertise with one of these names`,
  ]
}

function hostsOf(principals: readonly string[]): readonly string[] {
  const hosts = principals.map((name) => parsePrincipal(name)?.components[1]?.toLowerCase())
  return [...new Set(hosts.filter((each) => each !== undefined))]
}

/** Logins of commands by Kerberos: `--kerberos`, a keytab, or a named ticket cache. */

import type { Command } from 'commander'
import type { ClusterKerberos } from '../../../adapters/hbase/config/cluster-kerberos.ts'
import type { Endpoint, TicketLogin } from '../../../adapters/servers/requests/server-options.ts'
import { type Kerberos, KerberosError, type KerberosLogin } from '../../kerberos/kerberos.ts'
import { parsePrincipal } from '../../kerberos/names/principal.ts'
import { canonicalHost, serverPrincipal } from '../../kerberos/names/server-principal.ts'
import { PROTECTIONS, type Protection } from '../../wire/sasl/sasl.ts'
import { StartError } from '../failures/start-error.ts'
import { UsageError } from '../failures/usage-error.ts'
import { parsePath } from '../flags/paths.ts'
import { openSystemKerberos } from '../kerberos/open-kerberos.ts'
import { checkedPrincipal } from '../settings/kerberos-keys.ts'

export interface KerberosFlags {
  readonly kerberos?: true
  readonly kerberosPrincipal?: string
  readonly kerberosKeytab?: string
  readonly kerberosCache?: string
  readonly serverPrincipal?: string
}

export interface CommandKerberos {
  readonly login: KerberosLogin
  /** The principal of servers, with `_HOST` perhaps; undefined: that of their protocol, in the realm of the login. */
  readonly server: string | undefined
}

export function addKerberosOptions(command: Command): Command {
  return command
    .option('--kerberos', 'log in to servers by the Kerberos ticket that kinit has fetched')
    .option('--kerberos-principal <name>', 'the same, as this principal', checkedPrincipal)
    .option('--kerberos-keytab <file>', 'log in by the key of --kerberos-principal in this keytab', parsePath)
    .option(
      '--kerberos-cache <name>',
      'the ticket is in this cache, FILE:PATH, and not in that of the system',
    )
    .option(
      '--server-principal <name>',
      'the principal of the servers (default: hbase/_HOST, or over HTTP HTTP/_HOST, of the realm of your ticket)',
      checkedPrincipal,
    )
}

/** Undefined: no flag asks for Kerberos. Throws UsageError, and StartError where there is no ticket. `open`: for tests. */
export async function readKerberos(
  flags: KerberosFlags & { readonly user?: string },
  open: () => Promise<Pick<Kerberos, 'logIn'>> = openSystemKerberos,
): Promise<CommandKerberos | undefined> {
  const { kerberos, kerberosPrincipal: principal, kerberosKeytab: keytab, kerberosCache: cache } = flags
  const { user, serverPrincipal: server } = flags
  if (kerberos === undefined && (principal ?? keytab ?? cache) === undefined) {
    if (server !== undefined)
      throw new UsageError('--server-principal needs --kerberos, or --kerberos-keytab')
    return undefined
  }
  if (user !== undefined) throw new UsageError('--user and a login by Kerberos do not go together')
  if (keytab !== undefined && principal === undefined)
    throw new UsageError('--kerberos-keytab needs --kerberos-principal: whose key it has')
  if (keytab !== undefined && cache !== undefined)
    throw new UsageError('--kerberos-keytab and --kerberos-cache do not go together: give one of them')
  try {
    const named = principal && serverPrincipal(principal, await canonicalHost(''))
    return { login: await (await open()).logIn({ principal: named, keytab, cache }), server }
  } catch (error) {
    if (!(error instanceof KerberosError)) throw error
    throw new StartError(`Kerberos: ${error.message}`, { cause: error })
  }
}

/** A command takes any protection that the server has: the best one, or behind TLS the cheapest. */
function protectionsOf(isEncrypted: boolean): readonly Protection[] {
  return isEncrypted ? PROTECTIONS : PROTECTIONS.toReversed()
}

/** For servers of native RPC. */
export function clusterKerberosOf(kerberos: CommandKerberos, isEncrypted: boolean): ClusterKerberos {
  const principal = patternOf(kerberos, 'hbase')
  return {
    login: kerberos.login,
    masterPrincipal: principal,
    regionServerPrincipal: principal,
    protections: protectionsOf(isEncrypted),
    mayFallBack: false,
    hostName: (host) => canonicalHost(host),
  }
}

/** For a server of REST or Thrift. */
export async function ticketFor(
  kerberos: CommandKerberos,
  { host }: Endpoint,
  { isHttp, isEncrypted }: { readonly isHttp: boolean; readonly isEncrypted: boolean },
): Promise<TicketLogin> {
  const pattern = patternOf(kerberos, isHttp ? 'HTTP' : 'hbase')
  const target = serverPrincipal(pattern, await canonicalHost(host))
  return { login: kerberos.login, target, protections: protectionsOf(isEncrypted) }
}

function patternOf({ login, server }: CommandKerberos, service: string): string {
  const pattern = server ?? `${service}/_HOST`
  const realm = parsePrincipal(login.principal)?.realm
  return pattern.includes('@') || realm === undefined ? pattern : `${pattern}@${realm}`
}

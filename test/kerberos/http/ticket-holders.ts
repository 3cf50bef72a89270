/** Doors of HTTP on a real KDC, and clients with tickets. */

import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { KerberosLogins } from '../../../src/gateway/identity/guard/kerberos-logins.ts'
import { Refused } from '../../../src/gateway/identity/guard/login-errors.ts'
import { openKerberos } from '../../../src/kerberos/gss/open-kerberos.ts'
import type { Kerberos, KerberosLogin } from '../../../src/kerberos/kerberos.ts'
import {
  type NegotiatingDoors,
  type NegotiatingParts,
  openNegotiatingDoors,
} from '../../gateway/identity/guard/negotiate/negotiating-doors.ts'
import type { KerberosRealm } from '../../harness/kerberos/kerberos-realm.ts'
import { runningRealm } from '../../harness/kerberos/running-parts.ts'

const SERVICE = 'HTTP/localhost'

export interface TicketDoors {
  readonly realm: KerberosRealm
  readonly doors: NegotiatingDoors
  readonly folder: string
  /** The principal of the doors. */
  readonly target: string
  /** A new principal of that name and the path of its keytab. */
  user(name: string): Promise<{ readonly principal: string; readonly keytab: string }>
  /** A login within this process. */
  logIn(name: string): Promise<KerberosLogin>
  /** The path of a new cache with a ticket. */
  cache(name: string, clockOffsetSeconds?: number): Promise<string>
  close(): Promise<void>
}

/** The realm's programs share these variables, which the library reads too. */
function enterRealm({ environment }: KerberosRealm): () => void {
  const before = Object.keys(environment).map((name) => [name, process.env[name]] as const)
  Object.assign(process.env, environment)
  return () => {
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
  }
}

export async function openTicketDoors(options: NegotiatingParts = {}): Promise<TicketDoors> {
  const realm = runningRealm()
  const leave = enterRealm(realm)
  const folder = mkdtempSync(join(tmpdir(), 'http-tickets-'))
  const keytab = join(folder, 'service.keytab')
  const target = `${SERVICE}@${realm.realm}`
  // Another suite, or the secured HBase, may have added it.
  await realm.addPrincipal(SERVICE, { password: 'of the service' }).catch(() => undefined)
  await realm.keytab(keytab, [SERVICE])
  const kerberos: Kerberos = openKerberos()
  const service = await kerberos.accept({ principal: target, keytab })
  const logins: KerberosLogins = {
    serviceAt: () => service,
    protectionsAt: () => [],
    userOf: (principal) => {
      const [, user, ofRealm] = /^([^/@]+)(?:\/[^@]+)?@(.+)$/.exec(principal) ?? []
      if (user === undefined || ofRealm !== realm.realm) throw new Refused(`${principal} is no user here`)
      return user
    },
  }
  const doors = await openNegotiatingDoors({ ...options, parts: { ...options.parts, kerberos: logins } })
  const users = new Map<string, string>()
  const user = async (name: string): Promise<{ principal: string; keytab: string }> => {
    const path = users.get(name) ?? join(folder, `${name.replace('/', '.')}.keytab`)
    if (!users.has(name)) await realm.addPrincipal(name, { keytab: path })
    users.set(name, path)
    return { principal: `${name}@${realm.realm}`, keytab: path }
  }
  let caches = 0
  return {
    realm,
    doors,
    folder,
    target,
    user,
    logIn: async (name) => kerberos.logIn(await user(name)),
    cache: async (name, clockOffsetSeconds = 0) => {
      const path = join(folder, `${++caches}.cache`)
      const { principal, keytab: keys } = await user(name)
      await realm.kinit(path, principal, { keytab: keys }, { clockOffsetSeconds })
      return path
    },
    close: async () => {
      await doors.close()
      service.close()
      await kerberos.close()
      leave()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The output of curl: headers, body, and the status as the last line. */
export async function curl(
  { realm }: TicketDoors,
  cache: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const env = { ...process.env, ...realm.environment, KRB5CCNAME: cache, ...environment }
  const all = ['-s', '-i', '-w', '\n%{http_code}', '--negotiate', '-u', ':', ...args]
  return (await promisify(execFile)('curl', all, { env })).stdout
}

/** Thrift doors of Tidegate that take tickets of a realm, and happybase as their client. */

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { Guard } from '../../../src/gateway/identity/guard/guard.ts'
import type { KerberosLogins } from '../../../src/gateway/identity/guard/kerberos-logins.ts'
import { openKerberos } from '../../../src/kerberos/gss/open-kerberos.ts'
import type { Kerberos, KerberosService } from '../../../src/kerberos/kerberos.ts'
import { packageRoot } from '../../../src/package-root.ts'
import type { Protection } from '../../../src/wire/sasl/sasl.ts'
import { kerberosPython } from '../../harness/kerberos/kerberos-python.ts'
import type { KerberosRealm } from '../../harness/kerberos/kerberos-realm.ts'
import { type GuardedDoors, openGuardedDoors } from '../../security/guarded-doors.ts'

const PRINT_MS_MAX = 120_000
const ERROR_CHARACTERS = 500

/** The names of this process's variables that a realm replaces, until `restore`. */
export class RealmVariables {
  readonly #before: Readonly<Record<string, string | undefined>>

  constructor({ environment }: KerberosRealm) {
    this.#before = Object.fromEntries(Object.keys(environment).map((name) => [name, process.env[name]]))
    Object.assign(process.env, environment)
  }

  restore(): void {
    for (const [name, value] of Object.entries(this.#before))
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
  }
}

/** Doors over stores of their own, one for each protection, that share a service. */
export class KerberosDoors {
  readonly kerberos: Kerberos
  readonly #service: KerberosService
  readonly #servers = new Map<Protection, GuardedDoors>()

  private constructor(kerberos: Kerberos, service: KerberosService) {
    this.kerberos = kerberos
    this.#service = service
  }

  static async open(
    principal: string,
    keytab: string,
    protections: readonly Protection[],
  ): Promise<KerberosDoors> {
    const kerberos = openKerberos()
    const doors = new KerberosDoors(kerberos, await kerberos.accept({ principal, keytab }))
    for (const protection of protections) {
      const guard = new Guard({ certificates: false }, pino({ level: 'silent' }), {
        kerberos: doors.#logins(protection),
      })
      doors.#servers.set(protection, await openGuardedDoors({ context: () => ({ guard }) }))
    }
    return doors
  }

  #logins(protection: Protection): KerberosLogins {
    return {
      serviceAt: () => this.#service,
      protectionsAt: () => [protection],
      userOf: (principal) => principal.replace(/[/@].*/, ''),
    }
  }

  with(protection: Protection): GuardedDoors {
    return this.#servers.get(protection)!
  }

  async close(): Promise<void> {
    for (const server of this.#servers.values()) await server.close()
    this.#service.close()
    await this.kerberos.close()
  }
}

/** The text that the program prints with the tickets of the cache. Rejects with its errors. */
export async function printedWith(
  realm: KerberosRealm,
  cache: string,
  program: string,
  args: readonly string[],
): Promise<string> {
  const env = { ...process.env, ...realm.environment, KRB5CCNAME: `FILE:${cache}` }
  try {
    const options = { env, timeout: PRINT_MS_MAX, maxBuffer: 1 << 24 }
    return (await promisify(execFile)(program, args, options)).stdout
  } catch (error) {
    const { stderr } = error as { readonly stderr?: string }
    throw new Error(`${program} has failed: ${stderr?.slice(-ERROR_CHARACTERS)}`, { cause: error })
  }
}

/** Lengths of values in bytes. HBase takes values of 10 MB at most. */
export const VALUE_BYTES = [1, 1000, 65_535, 65_537, 131_073, 1_000_000, 3_000_000, 10_000_000] as const

/** `service`: the first part of the server's principal. `table`: has the family f. `options`: of pure-sasl's SASLClient. */
export interface HappybaseRun {
  readonly port: number
  readonly service?: string
  readonly table?: string
  readonly options?: Readonly<Record<string, unknown>>
}

/** What happybase_client.py reads. Rejects with what it prints. */
export async function happybase(
  realm: KerberosRealm,
  cache: string,
  { port, service = 'hbase', table = 't', options = {} }: HappybaseRun,
): Promise<Record<string, unknown>> {
  const file = fileURLToPath(new URL('test/kerberos/thrift/happybase_client.py', packageRoot()))
  const args = [file, String(port), service, table, JSON.stringify(options), JSON.stringify(VALUE_BYTES)]
  return JSON.parse(await printedWith(realm, cache, kerberosPython(), args)) as Record<string, unknown>
}

export function keytabIn(folder: string, name: string): string {
  return join(folder, `${name}.keytab`)
}

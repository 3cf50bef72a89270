/** The KDC of a comparison, and the login of its one user, who is the superuser of the secured cluster. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openKerberos } from '../../src/kerberos/gss/open-kerberos.ts'
import type { Kerberos, KerberosLogin } from '../../src/kerberos/kerberos.ts'
import { Kdc } from '../../test/harness/kerberos/kdc.ts'
import { addServiceKeys } from '../../test/harness/kerberos/service-keytab.ts'

const USER = 'hbase/localhost'
const GATEWAY = 'tidegate/bench'

export class BenchRealm {
  readonly kdc: Kdc
  readonly login: KerberosLogin
  readonly folder: string
  readonly #kerberos: Kerberos

  private constructor(kdc: Kdc, kerberos: Kerberos, login: KerberosLogin, folder: string) {
    this.kdc = kdc
    this.login = login
    this.folder = folder
    this.#kerberos = kerberos
  }

  /** Sets the variables by which this process, and those that it starts, find the KDC. */
  static async start(): Promise<BenchRealm> {
    const kdc = await Kdc.start()
    try {
      Object.assign(process.env, kdc.environment)
      const folder = mkdtempSync(join(tmpdir(), 'bench-kerberos-'))
      for (const principal of [USER, 'HTTP/localhost'])
        await addServiceKeys(kdc, principal, join(folder, 'services'))
      await kdc.addPrincipal(GATEWAY, { keytab: join(folder, 'gateway') })
      const kerberos = openKerberos()
      const login = await kerberos.logIn({
        principal: `${USER}@${kdc.realm}`,
        keytab: join(folder, 'services'),
      })
      return new BenchRealm(kdc, kerberos, login, folder)
    } catch (error) {
      await kdc.close()
      throw error
    }
  }

  full(principal: string): string {
    return `${principal}@${this.kdc.realm}`
  }

  /** Flags of a server whose clients log in. */
  get doorFlags(): readonly string[] {
    return ['--kerberos-service-keytab', join(this.folder, 'services')]
  }

  /** Flags of a server that logs in to the cluster, and acts there for its clients. */
  get clusterFlags(): readonly string[] {
    const login = [
      '--kerberos-principal',
      this.full(GATEWAY),
      '--kerberos-keytab',
      join(this.folder, 'gateway'),
    ]
    return [...login, '--cluster-user', 'proxy']
  }

  async close(): Promise<void> {
    this.login.close()
    await this.#kerberos.close()
    await this.kdc.close()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

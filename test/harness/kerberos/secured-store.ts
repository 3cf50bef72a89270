/** The secured HBase of `npm run test:kerberos` as a store. Its callers log in by keytabs, and close their stores. */

import type { ClusterKerberos } from '../../../adapters/hbase/config/cluster-kerberos.ts'
import { DEFAULT_HBASE_OPTIONS, type HBaseOptions } from '../../../adapters/hbase/config/hbase-options.ts'
import type { UserPassing } from '../../../adapters/hbase/connections/passed-user.ts'
import { openHBaseStore } from '../../../adapters/hbase/open-hbase-store.ts'
import { NODE_TIME } from '../../../adapters/hbase/retry/time.ts'
import { openKerberos } from '../../../src/kerberos/gss/open-kerberos.ts'
import type { Kerberos, KerberosLogin, KerberosLoginOptions } from '../../../src/kerberos/kerberos.ts'
import type { Store } from '../../../src/store/store.ts'
import type { KerberosRealm } from './kerberos-realm.ts'
import type { RunningHBase } from './running-parts.ts'

export interface SecuredStoreOptions extends Partial<Omit<ClusterKerberos, 'login'>> {
  readonly passing?: UserPassing
  readonly options?: Partial<HBaseOptions>
}

export class SecuredStores {
  readonly kerberos: Kerberos = openKerberos()
  readonly #hbase: RunningHBase
  readonly #open: { close(): unknown }[] = []
  readonly #environment: Readonly<Record<string, string | undefined>>

  /** Sets the variables by which this process finds the KDC, until `close`. */
  constructor(hbase: RunningHBase) {
    this.#hbase = hbase
    const { environment } = hbase.realm
    this.#environment = Object.fromEntries(Object.keys(environment).map((name) => [name, process.env[name]]))
    Object.assign(process.env, environment)
  }

  get realm(): KerberosRealm {
    return this.#hbase.realm
  }

  async logIn(options: KerberosLoginOptions): Promise<KerberosLogin> {
    const login = await this.kerberos.logIn(options)
    this.#open.push(login)
    return login
  }

  async open(login: KerberosLogin, options: SecuredStoreOptions = {}): Promise<Store> {
    const { passing, options: hbaseOptions, ...kerberos } = options
    const server = `hbase/localhost@${this.realm.realm}`
    const store = await openHBaseStore({
      cluster: {
        registry: 'zookeeper',
        servers: [{ host: '127.0.0.1', port: this.#hbase.ports.zookeeper }],
        znodeParent: '/hbase',
      },
      options: { ...DEFAULT_HBASE_OPTIONS, pauseMs: 20, ...hbaseOptions },
      user: 'nobody',
      passing,
      kerberos: {
        login,
        masterPrincipal: server,
        regionServerPrincipal: server,
        protections: ['authentication'],
        mayFallBack: false,
        ...kerberos,
      },
      time: NODE_TIME,
      random: Math.random,
      log: () => undefined,
    })
    this.#open.push(store)
    return store
  }

  async close(): Promise<void> {
    for (const each of this.#open.toReversed()) await each.close()
    await this.kerberos.close()
    for (const [name, value] of Object.entries(this.#environment))
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
  }
}

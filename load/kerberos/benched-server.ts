/** A server that takes part: Tidegate or a server of HBase, without Kerberos or with one of its protections. */

import { DEFAULT_HBASE_OPTIONS } from '../../adapters/hbase/config/hbase-options.ts'
import { openHBaseStore } from '../../adapters/hbase/open-hbase-store.ts'
import { NODE_TIME } from '../../adapters/hbase/retry/time.ts'
import type { KerberosLogin } from '../../src/kerberos/kerberos.ts'
import type { Store } from '../../src/store/store.ts'
import type { Protection } from '../../src/wire/sasl/sasl.ts'

/** Where Kerberos is used, and how it protects messages. */
export interface Kind {
  readonly name: string
  /** Undefined: no Kerberos at all. */
  readonly protection: Protection | undefined
  /** HBase's own AES in place of Kerberos's encryption. */
  readonly asksForAes: boolean
}

export const PLAIN: Kind = { name: 'plain', protection: undefined, asksForAes: false }

export const KINDS: readonly Kind[] = [
  PLAIN,
  { name: 'authentication', protection: 'authentication', asksForAes: false },
  { name: 'integrity', protection: 'integrity', asksForAes: false },
  { name: 'privacy', protection: 'privacy', asksForAes: false },
  { name: 'privacy with AES', protection: 'privacy', asksForAes: true },
]

export type Door = 'rest' | 'thrift' | 'rpc'

/** How clients log in to the server's doors. */
export interface DoorLogin {
  readonly login: KerberosLogin
  /** The server's principals. */
  readonly principals: Readonly<Record<Door, string>>
  /** The protection of Thrift's sockets. */
  readonly thriftProtection: Protection
}

export interface BenchedServer {
  readonly owner: 'Tidegate' | 'HBase'
  readonly kind: Kind
  /** Of `rpc`: that of ZooKeeper, which clients of native RPC ask for the servers. */
  readonly ports: Readonly<Record<Door, number>>
  /** The process at the door. */
  readonly pids: Readonly<Record<Door, number>>
  /** Undefined: clients do not log in. */
  readonly logins: DoorLogin | undefined
}

/** A client of native RPC, with the server's protection. The caller closes it. */
export function openNativeClient({ kind, logins, ports }: BenchedServer): Promise<Store> {
  return openHBaseStore({
    cluster: {
      registry: 'zookeeper',
      servers: [{ host: '127.0.0.1', port: ports.rpc }],
      znodeParent: '/hbase',
    },
    options: DEFAULT_HBASE_OPTIONS,
    user: 'bench',
    passing: undefined,
    ...(logins !== undefined && {
      kerberos: {
        login: logins.login,
        masterPrincipal: logins.principals.rpc,
        regionServerPrincipal: logins.principals.rpc,
        protections: [kind.protection ?? 'authentication'],
        asksForAes: kind.asksForAes,
        mayFallBack: false,
      },
    }),
    time: NODE_TIME,
    random: Math.random,
    log: () => undefined,
  })
}

/** Settings of logins by Kerberos at the doors. */

import type { KerberosServiceOptions } from '../../../kerberos/kerberos.ts'
import type { Protection } from '../../../wire/sasl/sasl.ts'
import type { KerberosPlace } from '../guard/kerberos-logins.ts'
import type { RuleMechanism } from './auth-to-local.ts'

export interface KerberosDoorSettings {
  /** The service of each place that takes logins. Its principal may contain `_HOST`, which stands for this machine. */
  readonly services: Readonly<Partial<Record<KerberosPlace, KerberosServiceOptions>>>
  /** The protections that sockets of Thrift and of native RPC take, best liked first. */
  readonly protections: Readonly<Record<'thrift' | 'rpc', readonly Protection[]>>
  /** True: a client of native RPC with privacy gets AES in place of Kerberos's encryption where it asks. HBase: hbase.rpc.crypto.encryption.aes.enabled. */
  readonly takesAes: boolean
  /** The text of hadoop.security.auth_to_local. */
  readonly rules: string
  /** The rules of REST instead of them: hbase.rest.authentication.kerberos.name.rules. Undefined: the same. */
  readonly restRules: string | undefined
  readonly mechanism: RuleMechanism
  readonly cookie: CookieSettings
}

/** The cookie by which a client of REST need not log in with each request. HBase: hbase.rest.authentication.* */
export interface CookieSettings {
  /** Path of the file with the secret that signs cookies; undefined: a secret of this server's own, until it ends. */
  readonly secretFile: string | undefined
  /** The server's own secret, which its threads share; undefined: one that is made where it is used. */
  readonly secret?: Uint8Array | undefined
  /** Seconds for which a cookie counts. */
  readonly validitySeconds: number
  /** Undefined: the host that the client has asked. */
  readonly domain: string | undefined
  /** Undefined: every path. */
  readonly path: string | undefined
}

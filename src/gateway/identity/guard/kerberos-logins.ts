/** Logins by Kerberos, as the guard and the doors use them. */

import type { KerberosService } from '../../../kerberos/kerberos.ts'
import type { Protection } from '../../../wire/sasl/sasl.ts'

/** The places where a client may log in by Kerberos. `thrift`: SASL on a socket; `thrift-http`: Thrift over HTTP. */
export type KerberosPlace = 'rest' | 'thrift' | 'thrift-http' | 'rpc' | 'web' | 'timeline'

/** The place of requests over HTTP at the door with that name. */
export function placeOfHttp({ door }: { readonly door: string }): KerberosPlace {
  return door === 'thrift' ? 'thrift-http' : (door as KerberosPlace)
}

export interface KerberosLogins {
  /** The server's principal, for clients of native RPC that ask for it before they log in; undefined: any of its keytab. */
  readonly rpcPrincipal?: string | undefined
  /** The service for clients of ZooKeeper: any principal in the keytab of native RPC, such as zookeeper/HOST. Undefined: they log in to nothing. */
  readonly zookeeper?: KerberosService | undefined
  /** True: a client of native RPC with privacy gets AES in place of Kerberos's encryption where it asks. */
  readonly takesAes?: boolean
  /** The service whose tickets count there; undefined: no login by Kerberos there. */
  serviceAt(place: KerberosPlace): KerberosService | undefined
  /** The protections that sockets of Thrift (hbase.thrift.security.qop) and of native RPC (hbase.rpc.protection) take, best liked first. */
  protectionsAt(place: 'thrift' | 'rpc'): readonly Protection[]
  /** The user of a principal, by hadoop.security.auth_to_local. Throws Refused where no rule names one. */
  userOf(principal: string, place: KerberosPlace): string
}

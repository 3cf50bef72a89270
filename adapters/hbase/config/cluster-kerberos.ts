import type { KerberosLogin } from '../../../src/kerberos/kerberos.ts'
import type { Protection } from '../../../src/wire/sasl/sasl.ts'

/** The login to a cluster that asks for Kerberos. */
export interface ClusterKerberos {
  readonly login: KerberosLogin
  /** The masters' principal, such as `hbase/_HOST@REALM`: `_HOST` stands for the name of the server's host. HBase: hbase.master.kerberos.principal. */
  readonly masterPrincipal: string
  /** As masterPrincipal. HBase: hbase.regionserver.kerberos.principal. */
  readonly regionServerPrincipal: string
  /** At least one, best liked first. HBase: hbase.rpc.protection. */
  readonly protections: readonly Protection[]
  /** True: a server without Kerberos is trusted too. HBase: hbase.ipc.client.fallback-to-simple-auth-allowed. */
  readonly mayFallBack: boolean
  /** True: behind `privacy` the connection asks for AES in place of Kerberos's encryption. HBase: hbase.rpc.crypto.encryption.aes.enabled. */
  readonly asksForAes?: boolean
  /**
   * The name that stands for `_HOST` in the principal of a server to which Tidegate connects by `host`. Undefined: the host as it is, in lower case.
   * HBase: hbase.unsafe.client.kerberos.hostname.disable.reversedns.
   */
  readonly hostName?: ((host: string) => Promise<string>) | undefined
}

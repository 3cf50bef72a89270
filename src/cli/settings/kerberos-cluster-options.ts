/** The login to a secure cluster: flags, and the keys of hbase-site.xml that HBase's clients and gateways read. */

import type { KerberosLoginOptions } from '../../kerberos/kerberos.ts'
import type { Protection } from '../../wire/sasl/sasl.ts'
import { UsageError } from '../failures/usage-error.ts'
import {
  AUTHENTICATION,
  CRYPTO_AES,
  FALL_BACK,
  isKerberos,
  keyOf,
  MASTER_PRINCIPAL,
  NO_REVERSE_NAMES,
  type Properties,
  principalOf,
  protectionsOf,
  REGION_SERVER_PRINCIPAL,
  REST_LOGIN,
  RPC_PROTECTION,
  THRIFT_LOGIN,
} from './kerberos-keys.ts'
import type { KerberosValues } from './kerberos-options.ts'
import { parseFlag } from './setting-flag.ts'

/** A login to a cluster by Kerberos. Principals may contain `_HOST`. */
export interface ClusterKerberosSpec {
  /** The `_HOST` of its principal stands for this machine. */
  readonly login: KerberosLoginOptions
  /** Principals of the cluster's servers; undefined: hbase/_HOST of the login's realm. */
  readonly masterPrincipal: string | undefined
  readonly regionServerPrincipal: string | undefined
  /** Protections that the connections may have, best liked first. */
  readonly protections: readonly Protection[]
  /** True: a server that asks for no Kerberos is served without it. */
  readonly mayFallBack: boolean
  /** True: after a login with privacy the connection asks for AES of HBase's own. */
  readonly asksForAes: boolean
  /** True: `_HOST` of a server is the name of its address, and not the name that the cluster states. */
  readonly usesAddressNames: boolean
}

type LoginValues = Pick<
  KerberosValues,
  'clusterAuthentication' | 'kerberosPrincipal' | 'kerberosKeytab' | 'kerberosCache'
>

/** Undefined: the cluster asks for no Kerberos. Throws UsageError for settings that do not fit each other. */
export function clusterKerberos(
  values: LoginValues,
  storeKind: string,
  properties: Properties,
): ClusterKerberosSpec | undefined {
  const { clusterAuthentication, kerberosPrincipal, kerberosKeytab, kerberosCache } = values
  const flag = statedFlag(values)
  if (storeKind !== 'hbase') {
    if (flag ?? clusterAuthentication)
      throw new UsageError(
        `${flag ?? '--cluster-authentication'} is for a cluster: the store is ${storeKind}; clients of this server log in by Kerberos with --kerberos-service-keytab FILE`,
      )
    return undefined
  }
  const ofKey = isKerberos(properties, AUTHENTICATION)
  const isOn =
    clusterAuthentication === undefined
      ? flag !== undefined || ofKey === true
      : clusterAuthentication === 'kerberos'
  if (!isOn) {
    if (flag !== undefined)
      throw new UsageError(`${flag} and --cluster-authentication simple do not go together`)
    return undefined
  }
  if (kerberosKeytab !== undefined && kerberosCache !== undefined)
    throw new UsageError('--kerberos-keytab and --kerberos-cache do not go together: give one of them')
  if (kerberosKeytab !== undefined && kerberosPrincipal === undefined)
    throw new UsageError('--kerberos-keytab needs --kerberos-principal: whose key it has')
  return {
    login: flag === undefined ? gatewayLogin(properties) : loginOf(values),
    masterPrincipal: principalOf(properties, MASTER_PRINCIPAL),
    regionServerPrincipal: principalOf(properties, REGION_SERVER_PRINCIPAL),
    protections: protectionsOf(properties, RPC_PROTECTION) ?? ['authentication'],
    mayFallBack: parseFlag(FALL_BACK, properties.get(FALL_BACK)),
    asksForAes: parseFlag(CRYPTO_AES, properties.get(CRYPTO_AES)),
    usesAddressNames: !parseFlag(NO_REVERSE_NAMES, properties.get(NO_REVERSE_NAMES)),
  }
}

/** A flag that states a login; undefined without one. */
function statedFlag({ kerberosPrincipal, kerberosKeytab, kerberosCache }: LoginValues): string | undefined {
  if (kerberosPrincipal !== undefined) return '--kerberos-principal'
  if (kerberosKeytab !== undefined) return '--kerberos-keytab'
  return kerberosCache === undefined ? undefined : '--kerberos-cache'
}

function loginOf(values: LoginValues): KerberosLoginOptions {
  const { kerberosPrincipal: principal, kerberosKeytab: keytab, kerberosCache: cache } = values
  return { principal, keytab, cache }
}

/** The login of HBase's REST or Thrift server, whose place Tidegate takes; without their keys the system's ticket cache. */
function gatewayLogin(properties: Properties): KerberosLoginOptions {
  const [rest, thrift] = [REST_LOGIN, THRIFT_LOGIN].map((keys) => loginOfKeys(properties, keys))
  const isOne =
    rest === undefined ||
    thrift === undefined ||
    (rest.principal === thrift.principal && rest.keytab === thrift.keytab)
  if (!isOne)
    throw new UsageError(
      `${REST_LOGIN.principal} and ${THRIFT_LOGIN.principal} name two logins to the cluster, and Tidegate has one: give --kerberos-principal NAME and --kerberos-keytab FILE`,
      REST_LOGIN.principal,
    )
  return rest ?? thrift ?? {}
}

function loginOfKeys(
  properties: Properties,
  keys: { readonly principal: string; readonly keytab: string },
): KerberosLoginOptions | undefined {
  const principal = principalOf(properties, keys.principal)
  const keytab = keyOf(properties, keys.keytab)
  if (keytab !== undefined && principal === undefined)
    throw new UsageError(`${keys.keytab} needs ${keys.principal}: whose key it has`, keys.keytab)
  // HBase's gateways need both; a principal alone is often there for clients of the gateway.
  return keytab === undefined ? undefined : { principal, keytab }
}

/** Keys of hbase-site.xml about Kerberos, and how their values are read. */

import { InvalidArgumentError } from 'commander'
import { parsePrincipal } from '../../kerberos/names/principal.ts'
import { PROTECTIONS, type Protection } from '../../wire/sasl/sasl.ts'
import { UsageError } from '../failures/usage-error.ts'

export const AUTHENTICATION = 'hbase.security.authentication'
export const MASTER_PRINCIPAL = 'hbase.master.kerberos.principal'
export const REGION_SERVER_PRINCIPAL = 'hbase.regionserver.kerberos.principal'
export const REGION_SERVER_KEYTAB = 'hbase.regionserver.keytab.file'
export const RPC_PROTECTION = 'hbase.rpc.protection'
export const FALL_BACK = 'hbase.ipc.client.fallback-to-simple-auth-allowed'
export const CRYPTO_AES = 'hbase.rpc.crypto.encryption.aes.enabled'
export const NO_REVERSE_NAMES = 'hbase.unsafe.client.kerberos.hostname.disable.reversedns'
/** The logins of HBase's gateways to their cluster. */
export const REST_LOGIN = {
  principal: 'hbase.rest.kerberos.principal',
  keytab: 'hbase.rest.keytab.file',
} as const
export const THRIFT_LOGIN = {
  principal: 'hbase.thrift.kerberos.principal',
  keytab: 'hbase.thrift.keytab.file',
} as const

export const REST_TYPE = 'hbase.rest.authentication.type'
export const REST_SERVICE = {
  principal: 'hbase.rest.authentication.kerberos.principal',
  keytab: 'hbase.rest.authentication.kerberos.keytab',
} as const
export const REST_RULES = 'hbase.rest.authentication.kerberos.name.rules'
export const COOKIE_SECRET = 'hbase.rest.authentication.signature.secret.file'
export const COOKIE_VALIDITY = 'hbase.rest.authentication.token.validity'
export const COOKIE_DOMAIN = 'hbase.rest.authentication.cookie.domain'
export const COOKIE_PATH = 'hbase.rest.authentication.cookie.path'
export const THRIFT_SPNEGO = {
  principal: 'hbase.thrift.spnego.principal',
  keytab: 'hbase.thrift.spnego.keytab.file',
} as const
export const THRIFT_QOP = 'hbase.thrift.security.qop'
/** HBase's Thrift servers do not start where frames are asked for together with THRIFT_QOP, except over HTTP. */
export const THRIFT_FRAMED = 'hbase.regionserver.thrift.framed'
export const THRIFT_SERVER_TYPE = 'hbase.regionserver.thrift.server.type'
export const THRIFT_HTTP = 'hbase.regionserver.thrift.http'
export const RULE_MECHANISM = 'hadoop.security.auth_to_local.mechanism'
export const REST_ACTING = 'hbase.rest.support.proxyuser'
export const THRIFT_ACTING = 'hbase.thrift.support.proxyuser'

/** Keys of a cluster as a client of it reads them, which `-D` may state in front of one. */
export const KERBEROS_CLUSTER_KEYS: readonly string[] = [
  AUTHENTICATION,
  MASTER_PRINCIPAL,
  REGION_SERVER_PRINCIPAL,
  RPC_PROTECTION,
  FALL_BACK,
  CRYPTO_AES,
  NO_REVERSE_NAMES,
  ...Object.values(REST_LOGIN),
  ...Object.values(THRIFT_LOGIN),
]

/** Keys of the doors, in front of any store. */
export const KERBEROS_DOOR_KEYS: readonly string[] = [
  REST_TYPE,
  ...Object.values(REST_SERVICE),
  REST_RULES,
  COOKIE_SECRET,
  COOKIE_VALIDITY,
  COOKIE_DOMAIN,
  COOKIE_PATH,
  ...Object.values(THRIFT_SPNEGO),
  ...Object.values(THRIFT_LOGIN),
  THRIFT_QOP,
  THRIFT_FRAMED,
  THRIFT_SERVER_TYPE,
  THRIFT_HTTP,
  RULE_MECHANISM,
  REST_ACTING,
  THRIFT_ACTING,
]

/** Keys of the embedded engine's server, which is HBase's region server for its clients. */
export const KERBEROS_SERVER_KEYS: readonly string[] = [
  AUTHENTICATION,
  REGION_SERVER_PRINCIPAL,
  REGION_SERVER_KEYTAB,
  RPC_PROTECTION,
  CRYPTO_AES,
]

export type Properties = ReadonlyMap<string, string>

/** Java: Configuration takes an empty value for none. */
export function keyOf(properties: Properties, key: string): string | undefined {
  const value = properties.get(key)?.trim()
  return value === '' ? undefined : value
}

/** The principal in a key. Throws UsageError. */
export function principalOf(properties: Properties, key: string): string | undefined {
  const text = keyOf(properties, key)
  if (text === undefined || text === '*') return text
  try {
    return checkedPrincipal(text)
  } catch (error) {
    throw new UsageError(`${key}: ${(error as Error).message}`, key)
  }
}

/** True for `kerberos`, in any case. Undefined where the key is not there. Throws UsageError. */
export function isKerberos(properties: Properties, key: string): boolean | undefined {
  const text = keyOf(properties, key)?.toLowerCase()
  if (text === undefined) return undefined
  if (text === 'kerberos' || text === 'simple') return text === 'kerberos'
  throw new UsageError(`${key} = "${text}" is invalid. It must be simple or kerberos.`, key)
}

const LEGACY: Readonly<Record<string, Protection>> = {
  auth: 'authentication',
  'auth-int': 'integrity',
  'auth-conf': 'privacy',
}

/** The protections in a list with commas. Undefined where the key is not there. Throws UsageError. */
export function protectionsOf(properties: Properties, key: string): readonly Protection[] | undefined {
  const words = keyOf(properties, key)?.split(',')
  return words?.map((each) => {
    const word = each.trim().toLowerCase()
    const protection = PROTECTIONS.find((name) => name === word) ?? LEGACY[word]
    if (protection === undefined)
      throw new UsageError(`${key}: "${each.trim()}" is none of ${PROTECTIONS.join(', ')}`, key)
    return protection
  })
}

/** Whether a value has the older names of protections, which HBase takes with a warning. */
export function hasLegacyName(properties: Properties, key: string): boolean {
  return Object.hasOwn(LEGACY, keyOf(properties, key)?.toLowerCase() ?? '')
}

/** The text. Throws InvalidArgumentError for one that is no principal. */
export function checkedPrincipal(text: string): string {
  if (parsePrincipal(text) !== undefined) return text
  throw new InvalidArgumentError(`"${text}" is no principal such as alice@REALM or HTTP/_HOST@REALM.`)
}

/** Logins of clients by Kerberos: flags, and the keys of HBase's REST, Thrift and region servers. */

import type { KerberosPlace } from '../../gateway/identity/guard/kerberos-logins.ts'
import type { RuleMechanism } from '../../gateway/identity/kerberos/auth-to-local.ts'
import type {
  CookieSettings,
  KerberosDoorSettings,
} from '../../gateway/identity/kerberos/kerberos-door-settings.ts'
import type { KerberosServiceOptions } from '../../kerberos/kerberos.ts'
import { messageOf } from '../../model/message-of.ts'
import { PROTECTIONS, type Protection } from '../../wire/sasl/sasl.ts'
import { UsageError } from '../failures/usage-error.ts'
import {
  AUTHENTICATION,
  COOKIE_DOMAIN,
  COOKIE_PATH,
  COOKIE_SECRET,
  COOKIE_VALIDITY,
  CRYPTO_AES,
  hasLegacyName,
  isKerberos,
  keyOf,
  type Properties,
  principalOf,
  protectionsOf,
  REGION_SERVER_KEYTAB,
  REGION_SERVER_PRINCIPAL,
  REST_RULES,
  REST_SERVICE,
  REST_TYPE,
  RPC_PROTECTION,
  RULE_MECHANISM,
  THRIFT_FRAMED,
  THRIFT_HTTP,
  THRIFT_LOGIN,
  THRIFT_QOP,
  THRIFT_SERVER_TYPE,
  THRIFT_SPNEGO,
} from './kerberos-keys.ts'
import { checkedRules, type KerberosValues } from './kerberos-options.ts'
import { parseFlag } from './setting-flag.ts'

type DoorValues = Pick<KerberosValues, 'kerberosServiceKeytab' | 'kerberosServicePrincipal' | 'kerberosRules'>
type Service = KerberosServiceOptions | undefined

/** Seconds: HBase's default, ten hours. */
const COOKIE_SECONDS = 36_000
const COOKIE_SECONDS_MAX = 10 ** 9

/** Undefined: no client logs in by Kerberos. Throws UsageError for settings that do not fit each other. */
export function doorKerberos(
  values: DoorValues,
  { storeKind, hasTls }: { readonly storeKind: string; readonly hasTls: boolean },
  properties: Properties,
): KerberosDoorSettings | undefined {
  const { http, sasl } = namedServices(values)
  const rest = restService(http, properties)
  const pages = http ?? rest
  const qop = qopOf(properties)
  const services: Record<KerberosPlace, Service> = {
    rest,
    'thrift-http': spnegoAtThrift(pages, { isPrivate: qop === 'privacy', hasTls }, properties),
    web: pages,
    timeline: pages,
    thrift: qop === undefined ? sasl : keyedService(THRIFT_QOP, THRIFT_LOGIN, sasl, properties),
    rpc: storeKind === 'hbase' ? sasl : serverService(sasl, properties),
  }
  const stated = Object.entries(services).filter(([, service]) => service !== undefined)
  if (stated.length === 0) return undefined
  const rpc = protectionsOf(properties, RPC_PROTECTION)
  return {
    services: Object.fromEntries(stated),
    protections: { thrift: qop === undefined ? ALL : [qop], rpc: rpc ?? ALL },
    takesAes: parseFlag(CRYPTO_AES, properties.get(CRYPTO_AES)),
    rules: values.kerberosRules,
    restRules: restRulesOf(properties),
    mechanism: mechanismOf(properties),
    cookie: cookieOf(properties),
  }
}

/** A client that can protect its messages should. */
const ALL: readonly Protection[] = PROTECTIONS.toReversed()

/** The services of the flags. Principals of HTTP are those of SPNEGO, the others those of SASL. */
function namedServices({ kerberosServiceKeytab: keytab, kerberosServicePrincipal: names }: DoorValues): {
  readonly http: Service
  readonly sasl: Service
} {
  if (keytab === undefined) {
    if (names.length > 0)
      throw new UsageError(
        '--kerberos-service-principal needs --kerberos-service-keytab: the keys of these principals',
      )
    return { http: undefined, sasl: undefined }
  }
  if (names.length === 0) return { http: { keytab }, sasl: { keytab } }
  const ofHttp = names.filter((name) => name.startsWith('HTTP/'))
  const others = names.filter((name) => !name.startsWith('HTTP/'))
  for (const [several, kind] of [
    [ofHttp, 'HTTP'],
    [others, 'SASL'],
  ] as const)
    if (several.length > 1)
      throw new UsageError(
        `--kerberos-service-principal names ${several.length} principals for ${kind} (${several.join(', ')}): name one, or leave the flag out, so that any of the keytab counts`,
      )
  const [http, sasl] = [ofHttp[0], others[0]]
  return {
    http: http === undefined ? undefined : { principal: http, keytab },
    sasl: sasl === undefined ? undefined : { principal: sasl, keytab },
  }
}

function restService(http: Service, properties: Properties): Service {
  const isOn = isKerberos(properties, REST_TYPE)
  if (isOn === undefined) return http
  return isOn ? keyedService(REST_TYPE, REST_SERVICE, http, properties) : undefined
}

function spnegoAtThrift(
  http: Service,
  { isPrivate, hasTls }: { readonly isPrivate: boolean; readonly hasTls: boolean },
  properties: Properties,
): Service {
  const isKeyed = keyOf(properties, THRIFT_SPNEGO.keytab) !== undefined
  if (isPrivate && !hasTls) {
    if (isKeyed)
      throw new UsageError(
        `${THRIFT_QOP} = privacy: Thrift over HTTP is not encrypted without --tls-certificate and --tls-key; give them, or leave ${THRIFT_SPNEGO.keytab} out`,
        THRIFT_QOP,
      )
    return undefined
  }
  return isKeyed ? keyedService(THRIFT_SPNEGO.keytab, THRIFT_SPNEGO, http, properties) : http
}

/** The embedded engine is the region server of HBase's configuration. */
function serverService(sasl: Service, properties: Properties): Service {
  const isOn = isKerberos(properties, AUTHENTICATION)
  if (isOn !== true) return sasl
  const keys = { principal: REGION_SERVER_PRINCIPAL, keytab: REGION_SERVER_KEYTAB }
  return keyedService(AUTHENTICATION, keys, sasl, properties)
}

/** The service of two keys; each falls back to the flags. `asked`: the key that asks for the service. */
function keyedService(
  asked: string,
  keys: { readonly principal: string; readonly keytab: string },
  named: Service,
  properties: Properties,
): KerberosServiceOptions {
  const keytab = keyOf(properties, keys.keytab) ?? named?.keytab
  if (keytab === undefined)
    throw new UsageError(
      `${asked} asks for logins by Kerberos, and there is no keytab: give ${keys.keytab}, or --kerberos-service-keytab FILE for all doors`,
      asked,
    )
  const principal = principalOf(properties, keys.principal) ?? named?.principal
  return principal === undefined || principal === '*' ? { keytab } : { principal, keytab }
}

/** Undefined: sockets of Thrift take every protection. Throws UsageError. */
function qopOf(properties: Properties): Protection | undefined {
  const protections = protectionsOf(properties, THRIFT_QOP)
  if (protections !== undefined && protections.length > 1)
    throw new UsageError(`${THRIFT_QOP}: it is one of ${PROTECTIONS.join(', ')}, and no list`, THRIFT_QOP)
  const protection = protections?.[0]
  if (protection !== undefined) checkNoFrames(properties)
  return protection
}

/** Types of HBase's Thrift server whose clients always send frames. HBase: ThriftServer's ImplType. */
const FRAMED_TYPES = ['nonblocking', 'hsha', 'threadedselector']

/** Throws UsageError where a file asks for frames, too: HBase refuses to start with both, so that the file may be meant for other clients than it serves. */
function checkNoFrames(properties: Properties): void {
  if (isTrue(properties, THRIFT_HTTP)) return
  const type = keyOf(properties, THRIFT_SERVER_TYPE)
  const isFramedType = type !== undefined && FRAMED_TYPES.includes(type)
  if (!isFramedType && !isTrue(properties, THRIFT_FRAMED)) return
  const key = isFramedType ? THRIFT_SERVER_TYPE : THRIFT_FRAMED
  throw new UsageError(
    `${key} = ${keyOf(properties, key)} and ${THRIFT_QOP}: HBase's Thrift server does not start with both. Leave ${key} out: Tidegate serves clients with and without frames`,
    key,
  )
}

function isTrue(properties: Properties, key: string): boolean {
  return keyOf(properties, key)?.toLowerCase() === 'true'
}

function restRulesOf(properties: Properties): string | undefined {
  const rules = keyOf(properties, REST_RULES)
  try {
    return rules && checkedRules(rules)
  } catch (error) {
    throw new UsageError(`${REST_RULES}: ${messageOf(error)}`, REST_RULES)
  }
}

/** A sentence for each stated key that has no effect, that closes a door to Kerberos, or is understood by its old name. */
export function idleKerberosKeys(
  storeKind: string,
  properties: Properties,
  kerberos: KerberosDoorSettings | undefined,
): readonly string[] {
  const has = (key: string): boolean => keyOf(properties, key) !== undefined
  const sentences: string[] = []
  if (has(REST_SERVICE.keytab) && !has(REST_TYPE))
    sentences.push(
      `${REST_SERVICE.keytab} has no effect: ${REST_TYPE} is not kerberos, so that REST takes no Kerberos by it`,
    )
  if (storeKind !== 'hbase' && has(THRIFT_LOGIN.keytab) && !has(THRIFT_QOP))
    sentences.push(
      `${THRIFT_LOGIN.keytab} has no effect: there is no ${THRIFT_QOP}, so that sockets of Thrift take no Kerberos by it`,
    )
  const qop = qopOf(properties)
  const { services } = kerberos ?? {}
  if (services?.web !== undefined && services['thrift-http'] === undefined)
    sentences.push(
      `Thrift over HTTP takes no tickets of Kerberos: ${THRIFT_QOP} = ${qop} needs TLS there; give --tls-certificate and --tls-key`,
    )
  if (hasLegacyName(properties, THRIFT_QOP))
    sentences.push(`${THRIFT_QOP} = ${keyOf(properties, THRIFT_QOP)} is an old name: write ${qop}`)
  return sentences
}

function mechanismOf(properties: Properties): RuleMechanism {
  const text = keyOf(properties, RULE_MECHANISM)?.toLowerCase() ?? 'hadoop'
  if (text === 'hadoop' || text === 'mit') return text
  throw new UsageError(`${RULE_MECHANISM} = "${text}" is invalid. It must be hadoop or mit.`, RULE_MECHANISM)
}

function cookieOf(properties: Properties): CookieSettings {
  const text = keyOf(properties, COOKIE_VALIDITY) ?? String(COOKIE_SECONDS)
  const validitySeconds = /^\d{1,10}$/.test(text) ? Number(text) : 0
  if (validitySeconds < 1 || validitySeconds > COOKIE_SECONDS_MAX)
    throw new UsageError(
      `${COOKIE_VALIDITY} = "${text}" is invalid. It must be a whole number of seconds from 1 to ${COOKIE_SECONDS_MAX}.`,
      COOKIE_VALIDITY,
    )
  return {
    secretFile: keyOf(properties, COOKIE_SECRET),
    validitySeconds,
    domain: keyOf(properties, COOKIE_DOMAIN),
    path: keyOf(properties, COOKIE_PATH),
  }
}

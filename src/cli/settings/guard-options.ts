/** Logins: files, tokens, and whether an address that others reach may be open to any client. */

import { isIPv4 } from 'node:net'
import { InvalidArgumentError } from 'commander'
import type { GuardSettings } from '../../gateway/identity/guard/guard.ts'
import type { ProxyRules } from '../../gateway/identity/guard/proxy-users.ts'
import { isUrl, type TokenSettings } from '../../gateway/identity/guard/tokens/token-settings.ts'
import type { KerberosDoorSettings } from '../../gateway/identity/kerberos/kerberos-door-settings.ts'
import type { TlsSettings } from '../../gateway/identity/tls/tls-settings.ts'
import type { AuthorizationSettings } from '../../gateway/policies/authorization.ts'
import { UsageError } from '../failures/usage-error.ts'
import { addPaths, parsePath } from '../flags/paths.ts'
import { type AuthorizationValues, authorizationSettings } from './authorization-options.ts'
import { doorKerberos, idleKerberosKeys } from './kerberos-door-options.ts'
import { REST_ACTING, THRIFT_ACTING } from './kerberos-keys.ts'
import type { KerberosValues } from './kerberos-options.ts'
import { PROXY_USER, proxyRules } from './proxy-user-options.ts'
import { type SettingsOf, type Source, yesNo } from './setting.ts'
import { parseFlag } from './setting-flag.ts'
import type { StoreSpec } from './store-options.ts'
import { type TlsValues, tlsSettings } from './tls-options.ts'

export interface LoginValues {
  /** The path of the password file; undefined: there are no passwords. */
  readonly users: string | undefined
  /** Paths of secrets, and of public keys, that sign tokens. */
  readonly jwtSecret: readonly string[]
  readonly jwtKey: readonly string[]
  /** The path or the URL of a key set; undefined: there is none. */
  readonly jwtKeySet: string | undefined
  readonly jwtIssuer: string | undefined
  readonly jwtAudience: string | undefined
  readonly jwtUserClaim: string
  /** Seconds by which the clocks of the issuer and of this machine may differ. */
  readonly jwtSkewS: number
  /** Rules as `NAME for USERS from HOSTS`. */
  readonly proxyUser: readonly string[]
  /** True: an open server may bind more than the loopback. */
  readonly insecure: boolean
}

export interface AccessSettings {
  /** Undefined: connections are not encrypted. */
  readonly tls: TlsSettings | undefined
  /** Undefined: clients need no login. */
  readonly guard: GuardSettings | undefined
  /** Undefined: any user may do everything. */
  readonly authorization: AuthorizationSettings | undefined
  /** Addresses and ranges of the proxies that may say where a request comes from. */
  readonly trustedProxies: readonly string[]
  /** A sentence for each thing that the settings leave open to other machines; empty where nothing is. */
  readonly open: readonly string[]
  /** A sentence for each stated setting that has no effect. */
  readonly idle: readonly string[]
}

const SKEW_SECONDS_MAX = 3600

export const LOGIN_SETTINGS: SettingsOf<LoginValues> = {
  users: {
    group: 'Logins',
    takes: '<file>',
    about: 'clients log in as a user of this file, with a password; "tidegate user add" writes it',
    parse: parsePath,
    fallback: undefined,
  },
  jwtSecret: {
    group: 'Logins',
    takes: '<file>',
    about:
      'clients may show a token (JWT) that is signed with this secret: HS256; may be repeated, while secrets change',
    parse: addPaths,
    repeats: true,
    fallback: [],
  },
  jwtKey: {
    group: 'Logins',
    takes: '<file>',
    about:
      'clients may show a token that this public key (PEM) verifies: RS256, ES256; may be repeated, while keys change',
    parse: addPaths,
    repeats: true,
    fallback: [],
  },
  jwtKeySet: {
    group: 'Logins',
    takes: '<file>',
    about:
      'the same for the keys of a JSON Web Key Set: a file, or a URL of https, or of http on this machine',
    parse: parsePath,
    fallback: undefined,
  },
  jwtIssuer: {
    group: 'Logins',
    takes: '<name>',
    about: 'tokens must be of this issuer (iss)',
    fallback: undefined,
  },
  jwtAudience: {
    group: 'Logins',
    takes: '<name>',
    about: 'tokens must be for this audience (aud)',
    fallback: undefined,
  },
  jwtUserClaim: {
    group: 'Logins',
    takes: '<claim>',
    about: 'the claim of a token that names the user',
    fallback: 'sub',
  },
  jwtSkewS: {
    group: 'Logins',
    takes: '<n>',
    about: "seconds by which the clocks of a token's issuer and of this machine may differ",
    parse: parseSkew,
    fallback: 60,
  },
  proxyUser: PROXY_USER,
  insecure: yesNo('Logins', 'bind more than the loopback, though clients need no login'),
}

function parseSkew(text: string): number {
  const seconds = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN
  if (seconds <= SKEW_SECONDS_MAX) return seconds
  throw new InvalidArgumentError(`It must be a whole number from 0 to ${SKEW_SECONDS_MAX}.`)
}

interface AccessValues extends LoginValues, KerberosValues, TlsValues, AuthorizationValues {
  readonly store: StoreSpec
  readonly host: string
  readonly trustedProxies: readonly string[]
}

/**
 * `source`: of the superusers; `properties`: of hbase-site.xml. Throws UsageError for settings that do not fit each other, and for an address that
 * others reach where clients need no login.
 */
export function accessSettings(
  values: AccessValues,
  source: Source,
  doors: readonly string[],
  properties: ReadonlyMap<string, string>,
): AccessSettings {
  const { host, store } = values
  const tls = tlsSettings(values, doors)
  const rules = proxyRules(values.proxyUser, properties)
  const kerberos = doorKerberos(values, { storeKind: store.kind, hasTls: tls !== undefined }, properties)
  const guard = guardOf(values, { tls, rules, kerberos, closedToActing: closedToActing(properties) })
  const authorization = authorizationSettings(values, source, properties)
  if (authorization !== undefined && guard === undefined && !values.insecure) {
    throw new UsageError(
      `${authorization.isOfLabelsAlone === true ? '--visibility-labels' : '--authorization'}: clients need no login, so that each could call itself a superuser; give --users FILE, ` +
        'ask for Kerberos, tokens or certificates, or give --insecure where all clients are trusted',
    )
  }
  const open = [...openings(host, tls, guard), ...unshownNames(authorization, guard)]
  if (guard === undefined && open.length > 0 && !values.insecure) {
    throw new UsageError(
      `--host ${host}: ${open[0]}; make users with "tidegate user add NAME --users FILE" and give --users FILE, ` +
        'or ask for certificates with --tls-client-ca, or give --insecure where the network lets no other client in',
    )
  }
  return {
    tls,
    guard,
    authorization,
    trustedProxies: values.trustedProxies,
    open,
    idle: [...idleRules(rules, guard), ...idleKerberosKeys(store.kind, properties, kerberos)],
  }
}

interface GuardBase {
  readonly tls: TlsSettings | undefined
  readonly rules: ProxyRules
  readonly kerberos: KerberosDoorSettings | undefined
  readonly closedToActing: readonly string[]
}

/** The doors whose key says that no user acts for others there. HBase's default is that; here the rules decide without the keys. */
function closedToActing(properties: ReadonlyMap<string, string>): readonly string[] {
  const keys = [
    ['rest', REST_ACTING],
    ['thrift', THRIFT_ACTING],
  ] as const
  return keys
    .filter(([, key]) => properties.has(key) && !parseFlag(key, properties.get(key)))
    .map(([door]) => door)
}

function guardOf(
  values: LoginValues,
  { tls, rules, kerberos, closedToActing: closed }: GuardBase,
): GuardSettings | undefined {
  const { users, jwtSecret: secrets, jwtKey: keys, jwtKeySet: keySet } = values
  const { jwtIssuer: issuer, jwtAudience: audience, jwtUserClaim: userClaim, jwtSkewS: skewSeconds } = values
  const hasTokens = secrets.length > 0 || keys.length > 0 || keySet !== undefined
  if (!hasTokens && (issuer ?? audience) !== undefined)
    throw new UsageError('--jwt-issuer and --jwt-audience need --jwt-secret, --jwt-key or --jwt-key-set')
  if (keySet !== undefined && /^http:/i.test(keySet) && !isLoopbackUrl(keySet))
    throw new UsageError(`--jwt-key-set ${keySet}: an attacker on the way could replace its keys; use https`)
  if (keySet !== undefined && isUrl(keySet) && !URL.canParse(keySet))
    throw new UsageError(`--jwt-key-set ${keySet}: it is no URL`)
  const tokens: TokenSettings = { secrets, keys, keySet, issuer, audience, userClaim, skewSeconds }
  const certificates = tls !== undefined && tls.clientAuthorities.length > 0
  if (users === undefined && !hasTokens && !certificates && kerberos === undefined) return undefined
  return {
    users,
    tokens: hasTokens ? tokens : undefined,
    certificates,
    proxyRules: rules,
    ...(kerberos && { kerberos }),
    ...(closed.length > 0 && { closedToActing: new Set(closed) }),
  }
}

function isLoopbackUrl(text: string): boolean {
  return URL.canParse(text) && isLoopback(new URL(text).hostname.replace(/^\[(.*)\]$/, '$1'))
}

function openings(
  host: string,
  tls: TlsSettings | undefined,
  guard: GuardSettings | undefined,
): readonly string[] {
  if (isLoopback(host)) return []
  return [
    ...(guard === undefined ? ['other machines reach it, and clients need no login'] : []),
    ...(tls === undefined
      ? ['what clients send, passwords too, can be read on the way: there is no --tls-certificate']
      : []),
  ]
}

function idleRules(rules: ProxyRules, guard: GuardSettings | undefined): readonly string[] {
  if (rules.size === 0 || guard !== undefined) return []
  return [
    '--proxy-user (hadoop.proxyuser.*) has no effect: clients need no login here, so that doAs counts for nothing; give --users FILE, or ask for tokens or certificates',
  ]
}

/** Where clients need no login, their names count without proof. */
function unshownNames(
  authorization: AuthorizationSettings | undefined,
  guard: GuardSettings | undefined,
): readonly string[] {
  if (authorization === undefined || guard !== undefined) return []
  return ['a client of native RPC has the permissions of any user that it names, without a password']
}

/** False for other names: a name may stand for any address. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))
}

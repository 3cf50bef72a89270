/** The settings of encryption and of logins: files, tokens and whether an address that others reach may be open to all. */

import { isIPv4 } from 'node:net'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { GuardSettings } from '../../gateway/identity/guard/guard.ts'
import type { ProxyRules } from '../../gateway/identity/guard/proxy-users.ts'
import { isUrl, type TokenSettings } from '../../gateway/identity/guard/tokens/token-settings.ts'
import type { TlsSettings } from '../../gateway/identity/tls/tls-settings.ts'
import type { AuthorizationSettings } from '../../gateway/policies/authorization.ts'
import { UsageError } from '../failures/usage-error.ts'
import { RepeatableOption } from '../flags/given-once.ts'
import { addPaths } from '../flags/path-list.ts'
import { authorizationOptions, readAuthorization } from './authorization-options.ts'
import { parseYesNo } from './door-options.ts'
import { proxyRules, proxyUserOption } from './proxy-user-options.ts'
import { readTlsSettings, tlsOptions } from './tls-options.ts'
import { trustedProxiesOption } from './trusted-proxies-option.ts'

export interface AccessSettings {
  /** Undefined: connections are not encrypted. */
  readonly tls: TlsSettings | undefined
  /** Undefined: nobody is asked who he is. */
  readonly guard: GuardSettings | undefined
  /** Undefined: everybody may do everything. */
  readonly authorization: AuthorizationSettings | undefined
  /** Proxies whose word counts about where requests come from: addresses, and ranges of them. */
  readonly trustedProxies: readonly string[]
  /** What the settings leave open to others than this machine, as sentences. Empty where nothing is. */
  readonly open: readonly string[]
  /** Settings that are stated and have no effect, as sentences. */
  readonly idle: readonly string[]
}

const DEFAULT_SKEW_SECONDS = 60
const SKEW_SECONDS_MAX = 3600

export function accessOptions(): readonly Option[] {
  return [
    ...tlsOptions(),
    ...authorizationOptions(),
    fileOption(
      '--users <file>',
      'clients name a user and a password of this file, which "tidegate user add" writes',
    ),
    new RepeatableOption(
      '--jwt-secret <file>',
      'clients may show a token (JWT) that is signed with this secret: HS256; may be repeated, while secrets change',
    )
      .env('TIDEGATE_JWT_SECRET')
      .argParser(addPaths)
      .default([]),
    new RepeatableOption(
      '--jwt-key <file>',
      'clients may show a token that is signed for this public key (PEM): RS256, ES256; may be repeated, while keys change',
    )
      .env('TIDEGATE_JWT_KEY')
      .argParser(addPaths)
      .default([]),
    fileOption(
      '--jwt-key-set <file>',
      'the same for the keys of a JSON Web Key Set: a file, or a URL of https, or of http on this machine',
    ),
    new Option('--jwt-issuer <name>', 'tokens must be of this issuer (iss)').env('TIDEGATE_JWT_ISSUER'),
    new Option('--jwt-audience <name>', 'tokens must be for this audience (aud)').env(
      'TIDEGATE_JWT_AUDIENCE',
    ),
    new Option('--jwt-user-claim <claim>', 'the claim of a token that names the user')
      .env('TIDEGATE_JWT_USER_CLAIM')
      .default('sub'),
    new Option('--jwt-skew-s <n>', "seconds by which a token's issuer and this machine may differ")
      .env('TIDEGATE_JWT_SKEW_S')
      .argParser(parseSkew)
      .default(DEFAULT_SKEW_SECONDS),
    proxyUserOption(),
    trustedProxiesOption(),
    // A variable that says no must not be taken for a yes.
    new Option('--insecure [yes]', 'bind more than the loopback although anybody may come in')
      .env('TIDEGATE_INSECURE')
      .preset('true')
      .argParser(parseYesNo)
      .default(false),
  ]
}

function fileOption(flags: string, about: string): Option {
  const name = flags.slice(2).split(' ')[0]!
  return new Option(flags, about)
    .env(`TIDEGATE_${name.toUpperCase().replaceAll('-', '_')}`)
    .argParser(checkPath)
}

function checkPath(path: string): string {
  if (path !== '' && path.trim() === path && !path.includes('\0')) return path
  throw new InvalidArgumentError('A path is missing, or begins or ends with a space.')
}

function parseSkew(text: string): number {
  const seconds = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN
  if (seconds <= SKEW_SECONDS_MAX) return seconds
  throw new InvalidArgumentError(`It must be a whole number from 0 to ${SKEW_SECONDS_MAX}.`)
}

/** Throws UsageError for settings that do not fit each other, and for an address that others reach where anybody may come in. */
export function readAccessSettings(
  command: Command,
  host: string,
  doors: readonly string[],
  properties: ReadonlyMap<string, string> = new Map(),
): AccessSettings {
  const tls = readTlsSettings(command, doors)
  const rules = proxyRules(command.getOptionValue('proxyUser') as readonly string[], properties)
  const guard = guardOf(command, tls, rules)
  const authorization = readAuthorization(command, properties)
  const isInsecure = command.getOptionValue('insecure') === true
  if (authorization !== undefined && guard === undefined && !isInsecure) {
    throw new UsageError(
      `${authorization.isOfLabelsAlone === true ? '--visibility-labels' : '--authorization'}: nobody shows who he is, so that anybody could say that he is a superuser; give --users FILE, ` +
        'ask for tokens or certificates, or give --insecure where nobody would',
    )
  }
  const open = [...openings(host, tls, guard), ...unshownNames(authorization, guard)]
  if (guard === undefined && open.length > 0 && !isInsecure) {
    throw new UsageError(
      `--host ${host}: ${open[0]}; make users with "tidegate user add NAME --users FILE" and give --users FILE, ` +
        'or ask for certificates with --tls-client-ca, or give --insecure where the network lets nobody else in',
    )
  }
  const trustedProxies = command.getOptionValue('trustedProxies') as readonly string[]
  return { tls, guard, authorization, trustedProxies, open, idle: idleRules(rules, guard) }
}

function guardOf(
  command: Command,
  tls: TlsSettings | undefined,
  rules: ProxyRules,
): GuardSettings | undefined {
  const text = (name: string): string | undefined => command.getOptionValue(name) as string | undefined
  const list = (name: string): readonly string[] => command.getOptionValue(name) as readonly string[]
  const [users, keySet] = [text('users'), text('jwtKeySet')]
  const [secrets, keys] = [list('jwtSecret'), list('jwtKey')]
  const hasTokens = secrets.length > 0 || keys.length > 0 || keySet !== undefined
  const [issuer, audience] = [text('jwtIssuer'), text('jwtAudience')]
  if (!hasTokens && (issuer ?? audience) !== undefined)
    throw new UsageError('--jwt-issuer and --jwt-audience need --jwt-secret, --jwt-key or --jwt-key-set')
  if (keySet !== undefined && /^http:/i.test(keySet) && !isLoopbackUrl(keySet))
    throw new UsageError(
      `--jwt-key-set ${keySet}: somebody on the way could put in keys of his own; use https`,
    )
  const userClaim = text('jwtUserClaim')!
  const skewSeconds = command.getOptionValue('jwtSkewS') as number
  if (keySet !== undefined && isUrl(keySet) && !URL.canParse(keySet))
    throw new UsageError(`--jwt-key-set ${keySet}: it is no URL`)
  const tokens: TokenSettings = { secrets, keys, keySet, issuer, audience, userClaim, skewSeconds }
  const certificates = tls !== undefined && tls.clientAuthorities.length > 0
  if (users === undefined && !hasTokens && !certificates) return undefined
  return { users, tokens: hasTokens ? tokens : undefined, certificates, proxyRules: rules }
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
    ...(guard === undefined ? ['others than this machine reach it, and anybody may come in'] : []),
    ...(tls === undefined
      ? ['what clients send, passwords too, can be read on the way: there is no --tls-certificate']
      : []),
  ]
}

function idleRules(rules: ProxyRules, guard: GuardSettings | undefined): readonly string[] {
  if (rules.size === 0 || guard !== undefined) return []
  return [
    '--proxy-user (hadoop.proxyuser.*) has no effect: nobody logs in here, so that doAs counts for nothing; give --users FILE, or ask for tokens or certificates',
  ]
}

/** Who calls himself a superuser is one. */
function unshownNames(
  authorization: AuthorizationSettings | undefined,
  guard: GuardSettings | undefined,
): readonly string[] {
  if (authorization === undefined || guard !== undefined) return []
  return ['a client of native RPC has the permissions of whatever user it names, without a password']
}

/** A name may stand for any address. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))
}

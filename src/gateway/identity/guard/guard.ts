/** Checks logins: the user of a client by a password, a token or a certificate. Doors ask the guard; stores do not know of it. */

import type { Socket } from 'node:net'
import type { Logger } from 'pino'
import type { KerberosService } from '../../../kerberos/kerberos.ts'
import { HBaseError, isHBaseError } from '../../../model/errors.ts'
import type { Principal } from '../../../store/call.ts'
import type { Protection, SaslServer } from '../../../wire/sasl/sasl.ts'
import type { ConnectionOrigin } from '../../connections/connection-origin.ts'
import type { AuditLog } from '../../observing/audit/audit-log.ts'
import type { DelegationTokens } from '../delegation/delegation-tokens.ts'
import type { DelegationSettings } from '../delegation/signed-tokens.ts'
import type { KerberosDoorSettings } from '../kerberos/kerberos-door-settings.ts'
import { ForeignPages, type LoginRequest } from './foreign-pages.ts'
import { HttpLogins } from './http-logins.ts'
import { type KerberosLogins, type KerberosPlace, placeOfHttp } from './kerberos-logins.ts'
import type { LoginCounts } from './login-counts.ts'
import { Refused } from './login-errors.ts'
import type { LoginPlace } from './login-place.ts'
import { LoginReports } from './login-reports.ts'
import { HttpNegotiation, type LoginAnswer } from './negotiate/http-negotiation.ts'
import type { SignedCookies } from './negotiate/signed-cookies.ts'
import { PasswordLogins } from './passwords/password-logins.ts'
import type { Users } from './passwords/users-file.ts'
import { checkPrincipalName, isPrincipalName } from './principal-name.ts'
import { type GroupsOf, type ProxyRules, ProxyUsers } from './proxy-users.ts'
import { ShownHeaders, type Verified } from './shown-headers.ts'
import { takenCredentials } from './taken-credentials.ts'
import { HeldLogin, TicketAttempts } from './ticket-attempts.ts'
import type { TokenSettings } from './tokens/token-settings.ts'
import { Tokens } from './tokens/tokens.ts'

export interface GuardSettings {
  /** Path of the password file; undefined: passwords are not accepted. */
  readonly users?: string | undefined
  /** Settings of tokens; undefined: tokens are not accepted. */
  readonly tokens?: TokenSettings | undefined
  /** True where the common name (CN) of a client's certificate is its user. */
  readonly certificates: boolean
  /** Settings of delegation tokens, which count where clients of native RPC log in by Kerberos. */
  readonly delegation?: DelegationSettings | undefined
  /** The users who may act for others; undefined: none may. */
  readonly proxyRules?: ProxyRules | undefined
  /** Logins by Kerberos; undefined: none are taken. */
  readonly kerberos?: KerberosDoorSettings | undefined
  /** The doors where no user acts for others, even by a rule. */
  readonly closedToActing?: ReadonlySet<string> | undefined
}

/** The parts that a guard needs beside its settings. */
export interface GuardParts {
  /** Receives logins; undefined: there is no audit log. */
  readonly audit?: AuditLog | undefined
  /** Logins by Kerberos; undefined: none are taken. The owner closes them. */
  readonly kerberos?: KerberosLogins | undefined
  /** HBase's delegation tokens, which the guard closes; undefined: none are issued or taken. */
  readonly delegation?: DelegationTokens | undefined
  /** Cookies of HTTP clients that have logged in by Kerberos; undefined: each request negotiates. */
  readonly cookies?: SignedCookies | undefined
  /** Origins of pages whose scripts may use the REST door (--cors-origin). */
  readonly corsOrigins?: readonly string[] | undefined
  /** The groups of users; undefined: no user is in a group. */
  readonly groupsOf?: GroupsOf | undefined
  /** Milliseconds since any fixed moment. */
  readonly now?: () => number
  /** Milliseconds since 1970, for the cookies. */
  readonly wallNow?: () => number
}

export class Guard {
  /** Undefined: no client logs in by Kerberos. */
  readonly kerberos: KerberosLogins | undefined
  /** Undefined: there are no delegation tokens. */
  readonly delegation: DelegationTokens | undefined
  readonly #settings: GuardSettings
  readonly #logger: Logger
  readonly #reports: LoginReports
  readonly #passwords: PasswordLogins | undefined
  readonly #tokens: Tokens | undefined
  readonly #proxyUsers: ProxyUsers
  readonly #http: HttpLogins
  readonly #negotiation: HttpNegotiation | undefined
  readonly #shown = new ShownHeaders()
  readonly #ticketAttempts: TicketAttempts
  readonly #delegationAttempts: TicketAttempts

  /** Throws UsersFileError, TokenKeysError. */
  constructor(settings: GuardSettings, logger: Logger, parts: GuardParts = {}) {
    const { audit, kerberos, delegation, groupsOf, now = () => performance.now() } = parts
    this.kerberos = kerberos
    this.delegation = delegation
    this.#settings = settings
    this.#logger = logger
    this.#reports = new LoginReports(logger, audit)
    this.#ticketAttempts = new TicketAttempts(now)
    this.#delegationAttempts = new TicketAttempts(now)
    this.#negotiation = kerberos && this.#openNegotiation(kerberos, parts)
    this.#proxyUsers = new ProxyUsers(settings.proxyRules ?? new Map(), groupsOf)
    this.#passwords = settings.users === undefined ? undefined : this.#openPasswords(settings.users, now)
    try {
      this.#tokens = settings.tokens && new Tokens(settings.tokens, { logger })
    } catch (error) {
      this.#passwords?.close()
      throw error
    }
    this.#http = new HttpLogins(this, {
      tokens: this.#tokens,
      negotiation: this.#negotiation,
      shown: this.#shown,
      reports: this.#reports,
      foreignPages: new ForeignPages(parts.corsOrigins),
      now,
    })
  }

  #openPasswords(path: string, now: () => number): PasswordLogins {
    return new PasswordLogins(path, {
      logger: this.#logger,
      now,
      changed: () => this.#shown.clear(),
      succeeded: (user, place) => this.#reports.succeeded(user, place),
      failed: (user, place, error) => this.#reports.failed(user ?? 'an unknown user', place, error),
    })
  }

  #openNegotiation(kerberos: KerberosLogins, { cookies, wallNow = Date.now }: GuardParts): HttpNegotiation {
    return new HttpNegotiation({
      kerberos,
      cookies,
      attempts: this.#ticketAttempts,
      wallNow,
      userOf: (principal, at, place) => this.ofKerberos(principal, at, place),
      advice: (at) => this.advice(at),
      failed: (place, error) => this.reportKerberosFailure(place, error),
    })
  }

  get counts(): LoginCounts {
    return this.#reports.counts
  }

  /** The users of the password file; undefined: there is none. */
  get users(): Users | undefined {
    return this.#passwords?.users
  }

  /**
   * The challenges of the header WWW-Authenticate: the logins that HTTP clients may use there. Negotiate is the last: of several headers, clients
   * of Java see the last one, and some of them know no other login.
   */
  challengesAt(place: Pick<LoginPlace, 'door'>): string[] {
    return [
      ...(this.#passwords === undefined ? [] : ['Basic realm="Tidegate", charset="UTF-8"']),
      ...(this.#tokens === undefined ? [] : ['Bearer']),
      ...(this.#negotiation?.isOpenAt(place) === true ? ['Negotiate'] : []),
    ]
  }

  /** The header Set-Cookie of a refused login, which takes back the cookie of an earlier one; undefined where there are no cookies. */
  forgettingCookie(place: LoginPlace): string | undefined {
    return this.#negotiation?.forgetting(place)
  }

  /** The folder of the keys that sign delegation tokens; undefined: there are none. */
  get tokenFolder(): string | undefined {
    return this.#settings.delegation?.folder
  }

  /** Whether SASL clients may log in by a password. */
  get takesPasswords(): boolean {
    return this.#passwords !== undefined
  }

  /** The ways to log in at a place, for people. */
  advice(at: KerberosPlace): string {
    return takenCredentials(this.#settings, at, this.kerberos)
  }

  /** The user in the client's certificate, which TLS has checked; undefined where there is none. */
  ofCertificate({ certificateName: name }: ConnectionOrigin): Principal | undefined {
    if (!this.#settings.certificates || name === undefined || !isPrincipalName(name)) return undefined
    return { user: name, method: 'CERTIFICATE' }
  }

  /** The server's side of a login by ticket. Its first step rejects with THROTTLED where too many tickets of the client's network have failed. */
  ticketServer(service: KerberosService, protections: readonly Protection[], place: LoginPlace): SaslServer {
    return new HeldLogin(service.saslServer(protections), this.#ticketAttempts, place)
  }

  /** The same by a delegation token. */
  delegationServer(
    tokens: DelegationTokens,
    protections: readonly Protection[],
    place: LoginPlace,
  ): SaslServer {
    return new HeldLogin(tokens.digestServer(protections), this.#delegationAttempts, place)
  }

  /** The user of a client that has proved its principal, `alice@REALM`. Throws Refused where the principal is no user here. */
  ofKerberos(principal: string, at: KerberosPlace, place: LoginPlace): Principal {
    try {
      const user = this.kerberos?.userOf(principal, at)
      if (user === undefined) throw new Refused(`Kerberos is not taken here: ${this.advice(at)}`)
      if (!isPrincipalName(user)) throw new Refused(`the principal ${principal} is no user here`)
      this.#reports.succeeded(user, place)
      return { user, method: 'KERBEROS' }
    } catch (error) {
      this.#reports.failed(principal, place, error)
      throw error
    }
  }

  /** Reports a login by Kerberos that failed before the client had proved its principal. */
  reportKerberosFailure(place: LoginPlace, error: unknown): void {
    // A login that was not looked at for want of time or memory has not failed by its client's fault.
    if (isHBaseError(error) && error.code !== 'ACCESS_DENIED' && error.code !== 'THROTTLED')
      this.#reports.refused('a Kerberos client', place, error)
    else this.#reports.failed('a Kerberos client', place, error)
  }

  /** Reports a login by a delegation token that the client could not prove. */
  reportDelegationFailure(place: LoginPlace, error: unknown): void {
    this.#reports.failed('a delegation token', place, error)
  }

  /** The user of a delegation token, whose SASL login is done. `identifier`: the `authenticated` name of that login. Throws SaslFailure. */
  ofDelegationToken(identifier: string, place: LoginPlace): Principal {
    try {
      const user = this.delegation?.userOf(identifier)
      if (user === undefined) throw new Refused(`delegation tokens are not taken here: ${this.advice('rpc')}`)
      this.#reports.succeeded(user, place)
      return { user, method: 'TOKEN' }
    } catch (error) {
      this.#reports.failed('a delegation token', place, error)
      throw error
    }
  }

  /** As HttpLogins.ofHttp. */
  ofHttp(request: LoginRequest, place: LoginPlace, answer: LoginAnswer): Principal | Promise<Principal> {
    return this.#http.ofHttp(request, place, answer)
  }

  /** As HttpLogins.ofVisitor. */
  ofVisitor(request: LoginRequest, place: LoginPlace, answer: LoginAnswer): Principal | Promise<Principal> {
    return this.#http.ofVisitor(request, place, answer)
  }

  /** Like ofHttp. `note` is called for a right password, with the time until which it need not be checked again. */
  ofPassword(
    name: string,
    password: string,
    place: LoginPlace,
    note?: (verified: Verified) => void,
  ): Principal | Promise<Principal> {
    if (this.#passwords === undefined)
      throw new Refused(`passwords are not taken here: ${this.advice(placeOfHttp(place))}`)
    return this.#passwords.principalOf(name, password, place, note)
  }

  /** Like ofPassword, for all requests of a connection. The connection ends once the user has another password, or is removed. */
  async ofConnection(name: string, password: string, place: LoginPlace, socket: Socket): Promise<Principal> {
    const principal = await this.ofPassword(name, password, place)
    this.#passwords?.endWithUser(socket, principal.user)
    return principal
  }

  /** The principal acting for `user`. Throws ACCESS_DENIED where it may not, ILLEGAL_ARGUMENT for an empty name and one that no user can have. */
  async actingFor(principal: Principal, user: string, place: LoginPlace): Promise<Principal> {
    const real = principal.realUser ?? principal.user
    const { method } = principal
    if (user === real) return { user, method }
    try {
      if (this.#settings.closedToActing?.has(place.door) === true)
        throw new HBaseError(
          'ACCESS_DENIED',
          `no user acts for others at this door: hbase.${place.door}.support.proxyuser is false`,
        )
      if (user !== '') checkPrincipalName(user)
      // HBase: DigestSaslServerAuthenticationProvider, by which the user of a token acts for itself alone.
      if (method === 'TOKEN')
        throw new Refused(`${real} has shown a delegation token: its user acts for no other user`)
      await this.#proxyUsers.check(real, user, place)
    } catch (error) {
      this.#reports.refused(user, place, error, real)
      throw error
    }
    return { user, realUser: real, method }
  }

  /** Writes a refused login to the audit log. `user`: the user that the client claims to be. */
  reportRefusal(user: string | undefined, place: LoginPlace, error: unknown, realUser?: string): void {
    this.#reports.refused(user, place, error, realUser)
  }

  /** Failures to read files again, as sentences. Their older content stays in use. */
  get troubles(): readonly string[] {
    return [this.#passwords?.trouble, this.#tokens?.trouble].filter((trouble) => trouble !== undefined)
  }

  /** Reads the files of users and keys again. */
  reload(): void {
    this.#passwords?.reload()
    this.#tokens?.reload()
  }

  close(): void {
    this.#passwords?.close()
    this.#tokens?.close()
    this.delegation?.close()
  }
}

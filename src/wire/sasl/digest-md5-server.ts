/**
 * The server's side of SASL DIGEST-MD5 (RFC 2831), by which HBase's clients show delegation tokens. It speaks as Java's does for HBase: realm `default`,
 * no protocol, a new nonce for each login. The client must act for itself.
 */

import {
  type Directives,
  joinDirectives,
  malformed,
  neededValue,
  oneText,
  oneValue,
  quotedDirective,
  readDirectives,
} from './digest-md5-directives.ts'
import { digestLayer } from './digest-md5-layer.ts'
import {
  CIPHER,
  DIGEST_URI,
  DigestSession,
  isSameProof,
  NONCE_COUNT,
  newNonce,
  QOP,
  REALM,
  RESPONSE_BYTES_MAX,
  type SessionFacts,
} from './digest-md5-session.ts'
import { type Protection, SaslFailure, type SaslLayer, type SaslServer, type SaslStep } from './sasl.ts'

export interface DigestServerParts {
  /** Protections that the server takes, best liked first. */
  readonly protections: readonly Protection[]
  /** The password of a user; undefined: there is no such user. It may reject with SaslFailure, which then is that of the login. */
  readonly passwordOf: (username: string) => Promise<string | undefined>
  /** Default: a new one. A server must not use one twice. */
  readonly nonce?: Buffer
}

type State = 'begins' | 'waits' | 'done' | 'over'

export class DigestMd5Server implements SaslServer {
  readonly #parts: DigestServerParts
  readonly #nonce: Buffer
  #state: State = 'begins'
  #layer: SaslLayer | undefined
  #authenticated = ''
  #authorized = ''

  constructor(parts: DigestServerParts) {
    this.#parts = parts
    this.#nonce = parts.nonce ?? newNonce()
  }

  get authenticated(): string {
    return this.#authenticated
  }

  get authorized(): string {
    return this.#authorized
  }

  get layer(): SaslLayer | undefined {
    return this.#layer
  }

  async step(token: Buffer): Promise<SaslStep> {
    const state = this.#state
    // A failure ends the login: its nonce counts for one response.
    this.#state = 'over'
    if (state === 'begins') {
      if (token.length > 0)
        throw new SaslFailure('DIGEST-MD5: a client has nothing to say before the challenge')
      this.#state = 'waits'
      return { token: this.#challenge(), isDone: false }
    }
    if (state !== 'waits') throw new SaslFailure('DIGEST-MD5: the login is over')
    const answer = await this.#check(readDirectives(token, RESPONSE_BYTES_MAX))
    this.#state = 'done'
    return { token: answer, isDone: true }
  }

  close(): void {
    this.#state = 'over'
  }

  #challenge(): Buffer {
    const { protections } = this.#parts
    return joinDirectives([
      quotedDirective('realm', REALM),
      quotedDirective('nonce', this.#nonce),
      quotedDirective('qop', protections.map((protection) => QOP[protection]).join(',')),
      'charset=utf-8',
      ...(protections.includes('privacy') ? [quotedDirective('cipher', CIPHER)] : []),
      'algorithm=md5-sess',
    ])
  }

  /** The server's proof. Throws SaslFailure where the client's is wrong. */
  async #check(response: Directives): Promise<Buffer> {
    checkForm(response)
    const username = neededValue(response, 'username').toString()
    if (!isSameProof(neededValue(response, 'nonce'), this.#nonce))
      throw new SaslFailure('DIGEST-MD5: the response is to another challenge')
    const protection = this.#protectionOf(response)
    const proof = neededValue(response, 'response')
    const facts: Omit<SessionFacts, 'password'> = {
      username,
      realm: REALM,
      nonce: this.#nonce,
      cnonce: neededValue(response, 'cnonce'),
      authzid: oneValue(response, 'authzid'),
      qop: QOP[protection],
      // Java hashes the client's spelling, whose letters may be of another case.
      digestUri: neededValue(response, 'digest-uri').toString(),
    }
    const password = await this.#parts.passwordOf(username)
    if (password === undefined) throw new SaslFailure('DIGEST-MD5: the user or the password is wrong')
    const session = new DigestSession({ ...facts, password })
    if (!isSameProof(proof, session.ofClient))
      throw new SaslFailure('DIGEST-MD5: digest response format violation. Mismatched response.')
    const authorized = facts.authzid?.toString() ?? ''
    if (authorized !== '' && authorized !== username)
      throw new SaslFailure('DIGEST-MD5: the client is not authorized to act for another user')
    this.#authenticated = username
    this.#authorized = authorized
    this.#layer = digestLayer(protection, session.secret, 'server')
    return joinDirectives([Buffer.concat([Buffer.from('rspauth='), session.ofServer])])
  }

  #protectionOf(response: Directives): Protection {
    const qop = oneText(response, 'qop') ?? QOP.authentication
    const protection = this.#parts.protections.find((each) => QOP[each] === qop)
    if (protection === undefined)
      throw new SaslFailure('DIGEST-MD5: the client wants a protection (qop) that is not offered')
    if (protection === 'privacy' && oneText(response, 'cipher') !== CIPHER)
      throw new SaslFailure(`DIGEST-MD5: auth-conf needs the cipher ${CIPHER}`)
    return protection
  }
}

/** Checks the directives that every response has in the same form. Throws SaslFailure. */
function checkForm(response: Directives): void {
  const charset = oneText(response, 'charset')
  if (charset !== undefined && charset !== 'utf-8') throw malformed('its charset is not utf-8')
  if ((oneText(response, 'realm') ?? '') !== REALM) throw malformed(`its realm is not ${REALM}`)
  if (neededValue(response, 'digest-uri').toString().toLowerCase() !== DIGEST_URI)
    throw malformed(`its digest-uri is not ${DIGEST_URI}`)
  const count = oneText(response, 'nc')
  if (count !== undefined && Number.parseInt(count, 16) !== Number(NONCE_COUNT))
    throw malformed('its nonce was used before')
  checkMaxbuf(oneText(response, 'maxbuf'))
}

/** The longest message that the other side takes. HBase's peers state a number, and take longer messages. Throws SaslFailure for what is no number. */
export function checkMaxbuf(text: string | undefined): void {
  if (text !== undefined && !/^\d{1,10}$/.test(text)) throw malformed('its maxbuf is no number')
}

/** The client's side of SASL DIGEST-MD5 (RFC 2831), as Java's is for HBase: realm `default`, no protocol. The client acts for itself. */

import {
  type Directives,
  joinDirectives,
  malformed,
  neededValue,
  oneText,
  oneValue,
  quotedDirective,
  readDirectives,
} from '../../src/wire/sasl/digest-md5-directives.ts'
import { digestLayer } from '../../src/wire/sasl/digest-md5-layer.ts'
import { checkMaxbuf } from '../../src/wire/sasl/digest-md5-server.ts'
import {
  CHALLENGE_BYTES_MAX,
  CIPHER,
  DIGEST_URI,
  DigestSession,
  isSameProof,
  NONCE_COUNT,
  newNonce,
  QOP,
} from '../../src/wire/sasl/digest-md5-session.ts'
import {
  type Protection,
  type SaslExchange,
  SaslFailure,
  type SaslLayer,
  type SaslStep,
} from '../../src/wire/sasl/sasl.ts'

export interface DigestClientParts {
  readonly username: string
  readonly password: string
  /** Protections that the client takes, best liked first. */
  readonly protections: readonly Protection[]
  /** The client's own nonce. Default: a new one. */
  readonly cnonce?: Buffer
}

/** The bytes that Java states, which neither side keeps to. */
const MAXBUF = 65536

interface Asked {
  readonly session: DigestSession
  readonly protection: Protection
}

export class DigestMd5Client implements SaslExchange {
  readonly #parts: DigestClientParts
  #state: 'begins' | 'answers' | 'waits' | 'over' = 'begins'
  #asked: Asked | undefined
  #layer: SaslLayer | undefined

  constructor(parts: DigestClientParts) {
    this.#parts = parts
  }

  get layer(): SaslLayer | undefined {
    return this.#layer
  }

  async step(token: Buffer): Promise<SaslStep> {
    const state = this.#state
    this.#state = 'over'
    switch (state) {
      case 'begins':
        // The server speaks first: an empty message asks it to.
        this.#state = 'answers'
        return token.length === 0 ? { token: Buffer.alloc(0), isDone: false } : this.step(token)
      case 'answers': {
        const response = this.#respond(readDirectives(token, CHALLENGE_BYTES_MAX))
        this.#state = 'waits'
        return { token: response, isDone: false }
      }
      case 'waits':
        this.#check(readDirectives(token, CHALLENGE_BYTES_MAX))
        return { token: undefined, isDone: true }
      case 'over':
        throw new SaslFailure('DIGEST-MD5: the login is over')
    }
  }

  close(): void {
    this.#state = 'over'
    this.#asked = undefined
  }

  #respond(challenge: Directives): Buffer {
    if (oneText(challenge, 'algorithm') !== 'md5-sess') throw malformed('its algorithm is not md5-sess')
    const charset = oneText(challenge, 'charset')
    if (charset !== undefined && charset !== 'utf-8') throw malformed('its charset is not utf-8')
    checkMaxbuf(oneText(challenge, 'maxbuf'))
    const { username, password, cnonce = newNonce() } = this.#parts
    const realm = challenge.get('realm')?.[0]?.toString() ?? ''
    const nonce = neededValue(challenge, 'nonce')
    const protection = this.#protectionOf(challenge)
    const [qop, digestUri] = [QOP[protection], DIGEST_URI]
    const session = new DigestSession({
      username,
      realm,
      password,
      nonce,
      cnonce,
      authzid: undefined,
      qop,
      digestUri,
    })
    this.#asked = { session, protection }
    return joinDirectives([
      ...(charset === undefined ? [] : ['charset=utf-8']),
      quotedDirective('username', username),
      ...(realm === '' ? [] : [quotedDirective('realm', realm)]),
      quotedDirective('nonce', nonce),
      `nc=${NONCE_COUNT}`,
      quotedDirective('cnonce', cnonce),
      quotedDirective('digest-uri', digestUri),
      `maxbuf=${MAXBUF}`,
      `response=${session.ofClient.toString()}`,
      `qop=${qop}`,
      ...(protection === 'privacy' ? [quotedDirective('cipher', CIPHER)] : []),
    ])
  }

  #protectionOf(challenge: Directives): Protection {
    const offered = words(oneText(challenge, 'qop') ?? QOP.authentication)
    const hasCipher = words(oneText(challenge, 'cipher') ?? '').includes(CIPHER)
    const protection = this.#parts.protections.find(
      (each) => offered.includes(QOP[each]) && (each !== 'privacy' || hasCipher),
    )
    if (protection === undefined)
      throw new SaslFailure('DIGEST-MD5: the server offers no protection (qop) that the client takes')
    return protection
  }

  #check(answer: Directives): void {
    const { session, protection } = this.#asked!
    const proof = oneValue(answer, 'rspauth')
    if (proof === undefined || !isSameProof(proof, session.ofServer))
      throw new SaslFailure('DIGEST-MD5: the server does not know the password')
    this.#layer = digestLayer(protection, session.secret, 'client')
  }
}

function words(list: string): readonly string[] {
  return list.split(/[, \t\n]+/)
}

/**
 * Hadoop's cookie hadoop.auth: the login of a client, signed, so that not every request negotiates. Servers with one secret take each other's
 * cookies, HBase's REST server among them. Hadoop: AuthToken, Signer.
 */

import { createHmac, timingSafeEqual } from 'node:crypto'
import { isPrincipalName } from '../principal-name.ts'

export const COOKIE_NAME = 'hadoop.auth'

/** Most cookies of a request whose signatures are checked. */
const COOKIES_MAX = 4
/** Most characters of a cookie's value that are looked at. */
const VALUE_LENGTH_MAX = 4096
const SIGNATURE = '&s='
/** Characters of a signature: base64 of 32 bytes. */
const SIGNATURE_LENGTH = 44
/** Characters that end a part of the text, or the cookie. */
const UNQUOTABLE = /[&;,"\\\s\p{Cc}]|[^\x20-\x7e]/u
const TIME = /^-?\d{1,16}$/

export interface AuthCookie {
  readonly user: string
  readonly principal: string
  /** The way of the login. It differs by door, so that the cookie of one door counts at no other. */
  readonly type: string
  /** Milliseconds since 1970. */
  readonly expiresMs: number
}

/** The cookie as text: `u=alice&p=alice@REALM&t=kerberos&e=1700000000000`; undefined where a name has a character that no cookie may have. */
export function cookieText({ user, principal, type, expiresMs }: AuthCookie): string | undefined {
  if ([user, principal, type].some((part) => part === '' || UNQUOTABLE.test(part))) return undefined
  return `u=${user}&p=${principal}&t=${type}&e=${expiresMs}`
}

/**
 * The cookie of a text; undefined for any other text. A part of which Hadoop knows the name `i`, the end of a client's idle time, shortens the
 * cookie's life.
 */
export function readCookieText(text: string): AuthCookie | undefined {
  const parts = new Map<string, string>()
  for (const part of text.split('&')) {
    const equals = part.indexOf('=')
    if (equals < 0) return undefined
    const name = part.slice(0, equals)
    // Of two users in one text, readers may take either.
    if (parts.has(name)) return undefined
    parts.set(name, part.slice(equals + 1))
  }
  const {
    u: user = '',
    p: principal = '',
    t: type = '',
    e: expires = '',
    i: idle = '-1',
  } = Object.fromEntries(parts)
  if (!isPrincipalName(user) || principal === '' || type === '') return undefined
  if (!TIME.test(expires) || !TIME.test(idle)) return undefined
  const times = [Number(expires), Number(idle)].filter((time) => time !== -1)
  return { user, principal, type, expiresMs: Math.min(...times) }
}

/** Signs cookies with one secret. */
export class CookieSigner {
  readonly #secret: Buffer

  constructor(secret: Buffer) {
    this.#secret = secret
  }

  signed(text: string): string {
    return `${text}${SIGNATURE}${this.#signature(text)}`
  }

  /** The text that was signed; undefined where the signature is another, or absent. */
  verified(signed: string): string | undefined {
    if (signed.length > VALUE_LENGTH_MAX) return undefined
    const at = signed.lastIndexOf(SIGNATURE)
    if (at < 0) return undefined
    const text = signed.slice(0, at)
    const shown = Buffer.from(signed.slice(at + SIGNATURE.length), 'latin1')
    if (shown.length !== SIGNATURE_LENGTH) return undefined
    return timingSafeEqual(shown, Buffer.from(this.#signature(text), 'latin1')) ? text : undefined
  }

  #signature(text: string): string {
    return createHmac('sha256', this.#secret).update(text, 'utf8').digest('base64')
  }
}

/**
 * The values of the first cookies hadoop.auth in a header Cookie, without their quotes. There may be several: of servers at other ports of the host,
 * of the whole domain, of paths.
 */
export function cookiesOf(header: string): string[] {
  const values: string[] = []
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=')
    if (equals < 0 || pair.slice(0, equals).trim() !== COOKIE_NAME) continue
    const value = pair.slice(equals + 1).trim()
    values.push(
      value.length >= 2 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value,
    )
    if (values.length === COOKIES_MAX) break
  }
  return values
}

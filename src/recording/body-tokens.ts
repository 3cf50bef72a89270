/** Removes tokens from HTTP bodies: Hadoop's servers answer a request for a delegation token with JSON that contains one. */

import { gunzipSync } from 'node:zlib'
import { bodyOf, type HttpHead, headerOf } from './http-messages.ts'

/** The members of JSON that hold tokens. Hadoop: DelegationTokenAuthenticationHandler. OAuth's servers use the other names. */
const TOKEN = /("(?:urlString|access_token|refresh_token|id_token)"\s*:\s*")(?:[^"\\]|\\.)*"/g
const JSON_TYPE = /[/+]json\b/i
/** The most bytes of a message to search: answers with tokens are short. */
const BODY_BYTES_MAX = 64 * 1024
const OF_THE_BODY: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding', 'content-encoding'])

/** The headers and the body with `instead` in place of each token; undefined where there is none. */
export function withoutBodyTokens(
  message: Buffer,
  head: HttpHead,
  instead: string,
): { readonly headers: HttpHead['headers']; readonly body: Buffer } | undefined {
  if (message.length > BODY_BYTES_MAX || !JSON_TYPE.test(headerOf(head, 'content-type') ?? ''))
    return undefined
  const text = plainBody(message, head)?.toString('latin1')
  const kept = text?.replaceAll(TOKEN, `$1${instead}"`)
  if (kept === undefined || kept === text) return undefined
  const body = Buffer.from(kept, 'latin1')
  const others = head.headers.filter(([name]) => !OF_THE_BODY.has(name.toLowerCase()))
  return { headers: [...others, ['Content-Length', String(body.length)]], body }
}

/** The body without its encoding; undefined where the encoding is not known. */
function plainBody(message: Buffer, head: HttpHead): Buffer | undefined {
  const encoding = headerOf(head, 'content-encoding')?.toLowerCase() ?? 'identity'
  try {
    const body = bodyOf(message)
    if (encoding === 'identity') return body
    return encoding === 'gzip' ? gunzipSync(body, { maxOutputLength: BODY_BYTES_MAX }) : undefined
  } catch {
    return undefined
  }
}

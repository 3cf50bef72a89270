import type { IncomingHttpHeaders } from 'node:http'
import { applicationErrorText } from '../../src/wire/thrift/client-codec.ts'
import type { HttpAnswer } from './http-client.ts'

const LENGTH_MAX = 200

/** Advice behind a status 401, where the server takes a password. */
export function passwordHint(headers: IncomingHttpHeaders): string {
  return /\bbasic\b/i.test(headers['www-authenticate'] ?? '') ? ': log in with --user' : ''
}

/** The same, or else the server's own words: a Thrift exception, or text. */
export function loginHint({ headers, body }: HttpAnswer): string {
  const hint = passwordHint(headers)
  if (hint !== '') return hint
  const [line = ''] = (applicationErrorText(body) ?? body.toString('utf8')).trim().split(/\r?\n/)
  return line === '' ? '' : `: ${line.slice(0, LENGTH_MAX)}`
}

import type { IncomingHttpHeaders } from 'node:http'
import { applicationErrorText } from '../../../src/wire/thrift/client-codec.ts'
import type { HttpAnswer } from './http-client.ts'

const LENGTH_MAX = 200

/** Advice after a status 401 from a server that takes passwords; else empty. */
export function passwordHint(headers: IncomingHttpHeaders): string {
  return /\bbasic\b/i.test(headers['www-authenticate'] ?? '') ? ': log in with --user' : ''
}

/** The advice of passwordHint, or else the first line of the server's own message: a Thrift exception, or text. */
export function loginHint({ headers, body }: HttpAnswer): string {
  const hint = passwordHint(headers)
  if (hint !== '') return hint
  const [line = ''] = (applicationErrorText(body) ?? body.toString('utf8')).trim().split(/\r?\n/)
  return line === '' ? '' : `: ${line.slice(0, LENGTH_MAX)}`
}

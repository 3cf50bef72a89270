/** Answers of servers to logins over HTTP, in a form that two servers can be compared by. */

import { request as httpRequest } from 'node:http'

export interface LoginQuestion {
  readonly port: number
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** A body makes it a POST. */
  readonly body?: Buffer
}

export interface LoginAnswer {
  readonly status: number
  /** Each challenge; TOKEN in place of the server's token. */
  readonly challenges: readonly string[]
  /** Each cookie; in place of its value, its parts with TIME and SIGNATURE. */
  readonly cookies: readonly string[]
  /** The header Cookie for the first of them; empty without one. */
  readonly kept: string
}

export function askLogin({ port, path, headers = {}, body }: LoginQuestion): Promise<LoginAnswer> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST'
    const length = body === undefined ? {} : { 'content-length': String(body.length) }
    const options = { port, path, method, headers: { ...length, ...headers }, agent: false }
    const request = httpRequest({ ...options, host: 'localhost' }, (response) => {
      response.resume()
      response.once('end', () => {
        const cookies = response.headers['set-cookie'] ?? []
        resolve({
          status: response.statusCode ?? 0,
          challenges: (response.headersDistinct['www-authenticate'] ?? []).map((challenge) =>
            challenge.replace(/^Negotiate [A-Za-z0-9+/]{20,}=*$/, 'Negotiate TOKEN'),
          ),
          cookies: cookies.map((cookie) =>
            cookie.replace(/&e=\d{13}&s=[A-Za-z0-9+/]{43}=/, '&e=TIME&s=SIGNATURE'),
          ),
          kept: cookies[0]?.split('; ')[0] ?? '',
        })
      })
    })
    request.once('error', reject)
    request.end(body)
  })
}

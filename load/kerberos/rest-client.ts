/** Requests of REST to a server of a comparison, with a login where it asks for one. */

import { request as httpRequest } from 'node:http'
import type { BenchTable } from '../bench-table.ts'
import type { BenchedServer } from './benched-server.ts'

/** As JSON. `cookie`: a line of the head; undefined: none. */
export function restRequest(path: string, cookie: string | undefined): Buffer {
  const lines = [`GET ${path} HTTP/1.1`, 'Host: localhost', 'Accept: application/json']
  return Buffer.from([...lines, ...(cookie === undefined ? [] : [cookie]), '', ''].join('\r\n'))
}

/** The line with the cookie that the server gives to a client with a ticket; undefined where it asks for no login. */
export async function cookieOf(server: BenchedServer): Promise<string | undefined> {
  if (server.logins === undefined) return undefined
  const cookie = await askWithTicket(server, '/version')
  if (cookie === undefined) throw new Error(`${server.owner}, ${server.kind.name}, has set no cookie`)
  return `Cookie: ${cookie}`
}

/** Logs in on a connection of its own, and gets a row. */
export async function logInAndGet(server: BenchedServer, table: BenchTable): Promise<void> {
  await askWithTicket(server, `/${table.name}/${table.rows[0]}`)
}

/** With a ticket where the server asks for one. Resolves to the first cookie. Rejects where the answer is no 200. */
async function askWithTicket(
  { ports, logins, owner, kind }: BenchedServer,
  path: string,
): Promise<string | undefined> {
  const token = await logins?.login.negotiate(logins.principals.rest)
  const headers = {
    accept: 'application/json',
    ...(token !== undefined && { authorization: `Negotiate ${token.toString('base64')}` }),
  }
  return new Promise((resolve, reject) => {
    const asked = { host: '127.0.0.1', port: ports.rest, path, headers, agent: false }
    const request = httpRequest(asked, (response) => {
      response.resume()
      response.once('end', () => {
        if (response.statusCode === 200) resolve(response.headers['set-cookie']?.[0]?.split(';')[0])
        else reject(new Error(`${owner}, ${kind.name}: status ${response.statusCode} for ${path}`))
      })
    })
    request.once('error', reject)
    request.end()
  })
}

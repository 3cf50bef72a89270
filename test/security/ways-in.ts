/** The ways by which a request of HTTP comes to a door: what Node's parser takes, what it refuses and the door mends, and pipelines. */

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import type { Issued } from '../harness/certificates.ts'

export type Headers = Readonly<Record<string, string>>

/** `login`: the headers of the request that is looked at. */
export type Form = (path: string, login: Headers) => Buffer

const AHEAD = 'GET /version HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ahead\r\n\r\n'

function request(method: string, path: string, login: Headers): string {
  const lines = Object.entries({ Host: 'h', ...login }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
}

/** Each one's last answer is that of the request with the login. */
export const FORMS: Readonly<Record<string, Form>> = {
  'a request': (path, login) => Buffer.from(request('GET', path, login)),
  'a raw byte in its line': (path, login) => Buffer.from(request('GET', `${path}&x=é`, login)),
  'a raw byte, behind another request': (path, login) =>
    Buffer.from(AHEAD + request('GET', `${path}&x=é`, login)),
  'a raw byte, behind another raw line': (path, login) =>
    Buffer.from(AHEAD.replace('/version', '/é') + request('GET', `${path}&x=é`, login)),
  'behind a raw line': (path, login) =>
    Buffer.from(AHEAD.replace('/version', '/é') + request('GET', path, login)),
  'an offer to upgrade': (path, login) =>
    Buffer.from(request('GET', path, { ...login, Connection: 'Upgrade', Upgrade: 'h2c' })),
  'an offer to upgrade, in a raw line': (path, login) =>
    Buffer.from(request('GET', `${path}&x=é`, { ...login, Connection: 'Upgrade', Upgrade: 'h2c' })),
  'a method that Node does not know': (path, login) => Buffer.from(request('FROB', path, login)),
}

/** With `tls` the connection is encrypted, and shows the client's certificate where there is one. */
export interface Line {
  readonly port: number
  /** The client's address. */
  readonly from?: string
  readonly tls?: { readonly authority: string; readonly own?: Issued }
}

export interface Said {
  /** Of the last answer. */
  readonly status: number
  /** Of the client's end. */
  readonly port: number
}

/** Resolves once as many answers have come as the bytes have requests. */
export async function say(line: Line, bytes: Buffer): Promise<Said> {
  const socket = await connected(line)
  const { localPort: port } = socket
  const wanted = Array.from(bytes.toString('latin1').matchAll(/ HTTP\/1\.1\r\n/g)).length
  const statuses = await new Promise<string[]>((resolve, reject) => {
    let text = ''
    socket.on('error', reject)
    socket.on('close', () => reject(new Error(`the connection was closed behind ${text}`)))
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
      const found = Array.from(text.matchAll(/HTTP\/1\.1 (\d+)/g), ([, status = '']) => status)
      if (found.length >= wanted) resolve(found)
    })
    socket.write(bytes)
  })
  socket.destroy()
  return { status: Number(statuses.at(-1)), port: port! }
}

/** All that the server sends before it ends the connection. */
export async function answerTo(line: Line, bytes: Buffer): Promise<string> {
  const socket = await connected(line)
  let text = ''
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')))
  socket.write(bytes)
  await once(socket, 'close')
  return text
}

export function connected({ port, from: localAddress = '127.0.0.1', tls }: Line): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const at = { port, host: '127.0.0.1', localAddress }
    const own = tls?.own && { cert: tls.own.certificate, key: tls.own.key }
    const socket: Socket =
      tls === undefined
        ? connect(at, () => resolve(socket))
        : connectTls({ ...at, ca: tls.authority, ...own } as ConnectionOptions, () => resolve(socket))
    socket.once('error', reject)
  })
}

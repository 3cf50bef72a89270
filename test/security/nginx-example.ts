/** The example of nginx in docs/security-reference.md, word for word but for its addresses, files and password, before doors of a server. */

import { readFileSync, writeFileSync } from 'node:fs'
import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { Agent, request } from 'node:https'
import { expect } from 'vitest'
import { writeUser } from '../../src/gateway/identity/guard/passwords/users-file.ts'
import type { TidegateOptions } from '../../src/library/start-tidegate.ts'
import { Authority, type PemFolder } from '../harness/certificates.ts'
import { freePort, Nginx } from '../harness/nginx.ts'

const PAGE = readFileSync('docs/security-reference.md', 'utf8')
const USERS = ['ann', 'bob'] as const
/** The password of the proxy's own user. */
export const KNOX = 'the password of knox'

export interface Question {
  readonly user?: string
  readonly password?: string
  readonly headers?: OutgoingHttpHeaders
  /** Chunks go as chunks, bytes with their length. */
  readonly body?: string | Buffer | readonly Buffer[]
  /** The client's own; undefined: as the system likes. */
  readonly localAddress?: string
}

export interface Reply {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
  /** The client's side of the connection. */
  readonly localPort: number
}

export interface Audited {
  readonly door: string
  readonly user?: string
  readonly realUser?: string
  readonly address?: string
  readonly action: string
  readonly scope?: string
}

/** The options of a server behind the example. */
export async function optionsBehindNginx({ path }: PemFolder): Promise<TidegateOptions> {
  const users = `${path}/users`
  await writeUser(users, 'knox', KNOX)
  const [, proxyUser, trustedProxies] = /--proxy-user "([^"]+)" --trusted-proxies (127\.0\.0\.1)\n/.exec(
    PAGE,
  )!
  return { users, proxyUser: proxyUser!, trustedProxies: trustedProxies!, auditLog: `${path}/audit.log` }
}

export function audited({ path }: PemFolder, action: string): Audited[] {
  const lines = readFileSync(`${path}/audit.log`, 'utf8').trim().split('\n')
  return lines.map((line) => JSON.parse(line) as Audited).filter((line) => line.action === action)
}

export class NginxExample {
  /** By the names of the doors. */
  readonly ports: ReadonlyMap<string, number>
  readonly #nginx: Nginx
  readonly #agent: Agent

  private constructor(nginx: Nginx, ports: ReadonlyMap<string, number>, ca: string) {
    this.#nginx = nginx
    this.ports = ports
    this.#agent = new Agent({ keepAlive: true, maxSockets: 1, ca })
  }

  /** `doors`: the ports of the server's own. */
  static async start(folder: PemFolder, doors: Readonly<Record<string, number>>): Promise<NginxExample> {
    const authority = await Authority.make()
    const { certificate, key } = await authority.issue({ name: 'localhost', hosts: ['localhost'] })
    const lines = USERS.map((name) => `${name}:{PLAIN}secret of ${name}\n`)
    writeFileSync(`${folder.path}/hbase-users`, lines.join(''))
    const files = [folder.file('server.crt', certificate), folder.file('server.key', key)]
    const ports = new Map<string, number>()
    let servers = ''
    for (const [door, behind] of Object.entries(doors)) {
      const port = await freePort()
      ports.set(door, port)
      servers += filledIn(/```nginx\n([\s\S]*?)```/.exec(PAGE)![1]!, [
        ['upstream tidegate {', `upstream ${door} {`],
        ['proxy_pass http://tidegate;', `proxy_pass http://${door};`],
        ['server 127.0.0.1:8080;', `server 127.0.0.1:${behind};`],
        ['listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`],
        ['/etc/nginx/server.crt', files[0]!],
        ['/etc/nginx/server.key', files[1]!],
        ['/etc/nginx/hbase-users', `${folder.path}/hbase-users`],
        [base64('knox:PASSWORD'), base64(`knox:${KNOX}`)],
      ])
    }
    return new NginxExample(await Nginx.start(folder.path, servers), ports, authority.certificate)
  }

  ask(door: string, method: string, path: string, question: Question = {}): Promise<Reply> {
    const { user = 'ann', password = `secret of ${user}`, headers: more, body, localAddress } = question
    const json = { accept: 'application/json', 'content-type': 'application/json' }
    const options = { host: 'localhost', port: this.ports.get(door), agent: this.#agent, method, path }
    const from = localAddress === undefined ? {} : { localAddress }
    return replyTo(
      request({ ...options, ...from, headers: { ...json, ...more }, auth: `${user}:${password}` }),
      body,
    )
  }

  async stop(): Promise<void> {
    this.#agent.destroy()
    await this.#nginx.stop()
  }
}

function filledIn(text: string, values: readonly (readonly [there: string, here: string])[]): string {
  let filled = text
  for (const [there, here] of values) {
    expect(filled.split(there), there).toHaveLength(2)
    filled = filled.replace(there, () => here)
  }
  return filled
}

export function replyTo(asked: ClientRequest, body: Question['body']): Promise<Reply> {
  return new Promise((resolve, reject) => {
    asked.once('error', reject)
    asked.once('response', (answer: IncomingMessage) => void received(answer).then(resolve, reject))
    for (const chunk of Array.isArray(body) ? (body as readonly Buffer[]) : []) asked.write(chunk)
    asked.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : undefined)
  })
}

async function received(answer: IncomingMessage): Promise<Reply> {
  const { localPort = 0 } = answer.socket
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk as Buffer)
  const { statusCode: status = 0, headers } = answer
  return { status, headers, body: Buffer.concat(chunks), localPort }
}

export function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

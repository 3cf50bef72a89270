/** A client of REST with one connection, which stays open. */

import { Agent, request } from 'node:http'

export interface RestAnswer {
  readonly status: number
  /** Names and values as they came. */
  readonly head: readonly string[]
  readonly body: Buffer
}

export interface RestAsked {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export class RestConnection {
  readonly #port: number
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })

  constructor(port: number) {
    this.#port = port
  }

  ask(method: string, path: string, { headers = {}, body }: RestAsked = {}): Promise<RestAnswer> {
    const json = { accept: 'application/json', 'content-type': 'application/json' }
    const options = { host: '127.0.0.1', port: this.#port, agent: this.#agent, method, path }
    return new Promise((resolve, reject) => {
      const sent = request({ ...options, headers: { ...json, ...headers } }, (answer) => {
        const chunks: Buffer[] = []
        answer.on('error', reject)
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () =>
          resolve({ status: answer.statusCode!, head: answer.rawHeaders, body: Buffer.concat(chunks) }),
        )
      })
      sent.on('error', reject)
      sent.end(body)
    })
  }

  /** Opens a scanner of the table. Resolves to its path. */
  async scanner(table: string, spec: string): Promise<string> {
    const { head } = await this.ask('PUT', `/${table}/scanner`, { body: spec })
    return new URL(head[head.indexOf('Location') + 1]!).pathname
  }

  close(): void {
    this.#agent.destroy()
  }
}

/** The thread that has the scanner; 1 is the main one. */
export function threadOfScanner(path: string): number {
  return Number.parseInt(path.slice(path.lastIndexOf('s') + 1), 16) >>> 22
}

import { startTidegate, type Tidegate, type TidegateOptions } from '../../../src/library/start-tidegate.ts'

/** Base64, as bytes travel between the console and its server. */
export function b64(text: string, encoding: BufferEncoding = 'utf8'): string {
  return Buffer.from(text, encoding).toString('base64')
}

export function queryOf(parameters: readonly (readonly [string, string])[]): string {
  const query = new URLSearchParams()
  for (const [key, value] of parameters) query.append(key, value)
  return query.toString()
}

/** A server with a console, and what the console asks of it. */
export class ConsoleClient {
  readonly server: Tidegate

  private constructor(server: Tidegate) {
    this.server = server
  }

  static async start(options: TidegateOptions = {}): Promise<ConsoleClient> {
    return new ConsoleClient(await startTidegate({ web: 0, ...options }))
  }

  get origin(): string {
    return `http://127.0.0.1:${this.server.ports.web}`
  }

  ask(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(`${this.origin}${path}`, init)
  }

  /** The answer of a read, with any status. */
  async read<T>(name: string, parameters: readonly (readonly [string, string])[] = []): Promise<T> {
    const answer = await this.ask(`/console/api/${name}?${queryOf(parameters)}`)
    return (await answer.json()) as T
  }

  send(body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    const own = { 'Content-Type': 'application/json', 'X-Tidegate-Console': '1' }
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    return this.ask('/console/api/changes', { method: 'POST', headers: { ...own, ...headers }, body: text })
  }

  /** Throws where the change is refused. */
  async change(body: unknown): Promise<void> {
    const answer = await this.send(body)
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
    await answer.text()
  }

  async put(
    table: string,
    row: string,
    value: string,
    { timestamp, qualifier = b64('q') }: { timestamp?: string; qualifier?: string } = {},
  ): Promise<void> {
    await this.change({ kind: 'put', table, row, family: b64('f'), qualifier, value, timestamp })
  }
}

export interface ShownRow {
  readonly row: string
  readonly cells: readonly {
    readonly family: string
    readonly qualifier: string
    readonly timestamp: string
    readonly value: string
    readonly length: number
  }[]
  readonly total: number
}

export interface ShownPage {
  readonly rows: readonly ShownRow[]
  readonly isCut: boolean
  readonly examined: number
  readonly next?: string
}

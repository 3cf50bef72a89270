import { type Cells, TABLE, type WritingDoor } from './writing-door.ts'

export class RestWriter implements WritingDoor {
  readonly #url: string

  constructor(port: number, table: string = TABLE) {
    this.#url = `http://127.0.0.1:${port}/${table}`
  }

  put(row: string, cells: Cells): Promise<unknown> {
    return this.#send(row, { [row]: Object.entries(cells) })
  }

  batch(rows: Readonly<Record<string, Cells>>): Promise<unknown> {
    const entries = Object.entries(rows).map(([row, cells]) => [row, Object.entries(cells)] as const)
    return this.#send('rows', Object.fromEntries(entries))
  }

  async remove(row: string): Promise<unknown> {
    return told(await fetch(`${this.#url}/${row}`, { method: 'DELETE' }))
  }

  increment(row: string, column: string): Promise<unknown> {
    return this.#send(`${row}?check=increment`, { [row]: [[column, '1']] })
  }

  append(row: string, column: string, text: string): Promise<unknown> {
    return this.#send(`${row}?check=append`, { [row]: [[column, text]] })
  }

  async checkAndPut(row: string, column: string, expected: string, value: string): Promise<boolean> {
    const cells = [
      [column, value],
      [column, expected],
    ] as const
    return (await this.#send(`${row}?check=put`, { [row]: cells })) === 200
  }

  close(): void {
    // fetch keeps its own connections.
  }

  /** The status of the answer. */
  async #send(
    path: string,
    rows: Readonly<Record<string, readonly (readonly [string, string])[]>>,
  ): Promise<number> {
    const Row = Object.entries(rows).map(([row, cells]) => ({
      key: base64(row),
      Cell: cells.map(([column, value]) => ({ column: base64(column), $: base64(value) })),
    }))
    const headers = { 'content-type': 'application/json', accept: 'application/json' }
    return told(
      await fetch(`${this.#url}/${path}`, { method: 'PUT', headers, body: JSON.stringify({ Row }) }),
    )
  }
}

async function told(response: Response): Promise<number> {
  const text = await response.text()
  if (response.ok || response.status === 304) return response.status
  throw new Error(`${response.status} ${text}`)
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

import type { RestRequest } from '../../conformance/src/runner/case.ts'
import { RestClient } from '../../conformance/src/runner/rest-client.ts'
import { Retryable } from './calls.ts'
import {
  dataCells,
  type OpenScan,
  type ScanDoor,
  type ScanSpec,
  type SeenCell,
  type SeenRow,
  type WriteDoor,
} from './door-client.ts'
import { Family, TABLE } from './settings.ts'

interface JsonCell {
  readonly column: string
  readonly timestamp?: number
  readonly $: string
}

interface JsonRow {
  readonly key: string
  readonly Cell: readonly JsonCell[]
}

const JSON_TYPE = 'application/json'
/** Longer than any deadline: a longer request hangs. */
const CLIENT_TIMEOUT_MS = 60_000
/** A GET of a scan answers 500 where the cluster is unreachable, as HBase's gateway does. */
const RETRYABLE_STATUSES = new Set([503])
const RETRYABLE_SCAN_STATUSES = new Set([503, 500])

function encoded(text: string | Buffer): string {
  return Buffer.from(text).toString('base64')
}

function decoded(text: string): Buffer {
  return Buffer.from(text, 'base64')
}

function cell(family: string, qualifier: string, value: string | Buffer): JsonCell {
  return { column: encoded(`${family}:${qualifier}`), $: encoded(value) }
}

function body(rows: readonly JsonRow[]): Buffer {
  return Buffer.from(JSON.stringify({ Row: rows }))
}

function rowsOf(json: Buffer): SeenRow[] {
  const { Row = [] } = JSON.parse(json.toString()) as { Row?: readonly JsonRow[] }
  return Row.map(({ key, Cell }) => ({
    row: decoded(key).toString(),
    cells: Cell.map(({ column, $ }) => {
      const name = decoded(column).toString()
      return { qualifier: name.slice(name.indexOf(':') + 1), value: decoded($) }
    }),
  }))
}

export class RestWrites implements WriteDoor {
  readonly name = 'REST'
  readonly #client: RestClient

  constructor(url: string) {
    this.#client = new RestClient(url, CLIENT_TIMEOUT_MS)
  }

  async put(rows: readonly string[], version: number): Promise<void> {
    const Cell = dataCells(version).map(({ qualifier, value }) => ({
      ...cell(Family.data, qualifier, value),
      timestamp: version,
    }))
    const set = rows.map((row) => ({ key: encoded(row), Cell }))
    await this.#change(rows.length === 1 ? rows[0]! : 'many', '', set)
  }

  async increment(row: string, amount: number): Promise<void> {
    const rows = [{ key: encoded(row), Cell: [cell(Family.counter, 'n', String(amount))] }]
    await this.#change(row, '?check=increment', rows)
  }

  async append(row: string, token: string): Promise<void> {
    const rows = [{ key: encoded(row), Cell: [cell(Family.log, 'x', token)] }]
    await this.#change(row, '?check=append', rows)
  }

  async get(row: string, family: string): Promise<readonly SeenCell[]> {
    const { status, body: text } = await this.#client.send(get(`/${TABLE}/${row}/${family}`))
    if (status === 404) return []
    if (status !== 200) throw failure(status, text, RETRYABLE_STATUSES)
    return rowsOf(text)[0]!.cells
  }

  async step(row: string, from: number, token: string): Promise<boolean> {
    const Cell = [
      cell(Family.chain, `h${from + 1}`, token),
      cell(Family.chain, 'v', String(from + 1)),
      cell(Family.chain, 'v', String(from)),
    ]
    return (await this.#change(row, '?check=put', [{ key: encoded(row), Cell }])) === 200
  }

  close(): void {
    this.#client.close()
  }

  async #change(row: string, query: string, rows: readonly JsonRow[]): Promise<number> {
    const { status, body: text } = await this.#client.send({
      door: 'rest',
      method: 'PUT',
      path: `/${TABLE}/${row}${query}`,
      headers: { 'content-type': JSON_TYPE },
      body: body(rows),
    })
    if (status === 200 || status === 304) return status
    throw failure(status, text, RETRYABLE_STATUSES)
  }
}

/** GET of all rows in one answer. */
export class RestScans implements ScanDoor {
  readonly name = 'REST scan in one answer'
  readonly resumes = false
  readonly deadlines = 3
  readonly #client: RestClient

  constructor(url: string) {
    this.#client = new RestClient(url, CLIENT_TIMEOUT_MS)
  }

  supports({ batch, start, reversed }: ScanSpec): boolean {
    // A reversed scan of this door must name its first row.
    return batch === 0 && !(reversed && start === '')
  }

  async open(spec: ScanSpec): Promise<OpenScan> {
    let done = false
    const next = async (): Promise<readonly SeenRow[] | undefined> => {
      if (done) return undefined
      const rows = await this.#scan(spec)
      done = true
      return rows
    }
    return { next, close: () => Promise.resolve() }
  }

  close(): void {
    this.#client.close()
  }

  async #scan({ family, start, stop, reversed, limit }: ScanSpec): Promise<SeenRow[]> {
    const query = new URLSearchParams({ column: family })
    if (start !== '') query.set('startrow', start)
    if (stop !== '') query.set('endrow', stop)
    if (reversed) query.set('reversed', 'true')
    if (limit > 0) query.set('limit', String(limit))
    const path = `/${TABLE}/*?${query.toString()}`
    let answer: { status: number; body: Buffer }
    try {
      answer = await this.#client.send(get(path))
    } catch (error) {
      // Its rows had begun to arrive.
      throw new Retryable(`the connection ended: ${String(error)}`)
    }
    if (answer.status === 200) return rowsOf(answer.body)
    throw failure(answer.status, answer.body, RETRYABLE_SCAN_STATUSES)
  }
}

/** Scanners with an address, read in portions. */
export class RestScanners implements ScanDoor {
  readonly name = 'REST scanner'
  readonly resumes = true
  readonly deadlines = 2
  readonly #client: RestClient

  constructor(url: string) {
    this.#client = new RestClient(url, CLIENT_TIMEOUT_MS)
  }

  supports({ reversed, batch, limit }: ScanSpec): boolean {
    return !reversed && batch === 0 && limit === 0
  }

  async open({ family, start, stop, page }: ScanSpec): Promise<OpenScan> {
    const spec = {
      batch: page,
      column: [encoded(family)],
      ...(start !== '' && { startRow: encoded(start) }),
      ...(stop !== '' && { endRow: encoded(stop) }),
    }
    const opened = await this.#client.send({
      door: 'rest',
      method: 'PUT',
      path: `/${TABLE}/scanner`,
      headers: { 'content-type': JSON_TYPE },
      body: Buffer.from(JSON.stringify(spec)),
    })
    if (opened.status !== 201) throw failure(opened.status, opened.body, RETRYABLE_STATUSES)
    const path = new URL(opened.headers.get('location')!).pathname
    return {
      next: async () => {
        const answer = await this.#client.send(get(path))
        if (answer.status === 204) return undefined
        if (answer.status === 200) return rowsOf(answer.body)
        throw failure(answer.status, answer.body, RETRYABLE_STATUSES)
      },
      close: async () => {
        await this.#client.send({ door: 'rest', method: 'DELETE', path, headers: {}, body: undefined })
      },
    }
  }

  close(): void {
    this.#client.close()
  }
}

function get(path: string): RestRequest {
  return { door: 'rest', method: 'GET', path, headers: { accept: JSON_TYPE }, body: undefined }
}

function failure(status: number, text: Buffer, retryable: ReadonlySet<number>): Error {
  const message = `${status} ${text.toString().replaceAll(/\s+/g, ' ')}`
  return retryable.has(status) ? new Retryable(message) : new Error(message)
}

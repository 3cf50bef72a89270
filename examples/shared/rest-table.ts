/** Tables over the npm package `hbase`: its callbacks as promises. */

import { promisify } from 'node:util'
import {
  type Done,
  type NpmCell,
  type NpmClient,
  type NpmScan,
  type NpmTable,
  npmHbase,
} from './npm-hbase.ts'

/** A cell that was read: its row's key, `family:qualifier`, its time, and in `$` its value. */
export type Cell = NpmCell & { readonly key: string }

export interface NewCell {
  readonly key: string
  readonly column: string
  readonly $: string
  /** The server's time where there is none. */
  readonly timestamp?: number
}

export interface GetOptions {
  readonly columns?: readonly string[]
  /** A time range, the end not included, for a get that names columns. Text, so that the largest of 64 bits can be said. */
  readonly start?: string | number
  readonly end?: string | number
  /** Versions of each column; 1 if not given. */
  readonly v?: number
}

const CELLS_PER_PUT = 1000

export class RestClient {
  /** HTTP requests so far. */
  requests = 0
  readonly #npm: NpmClient

  constructor(host: string, port: number, encoding: 'utf8' | 'latin1' = 'utf8') {
    this.#npm = npmHbase({ host, port, encoding })
    this.#npm.on('request', () => this.requests++)
  }

  table(name: string): RestTable {
    return new RestTable(this.#npm, name)
  }

  /** For paths that the package has no method for. */
  get(path: string): Promise<unknown> {
    return called((done) => this.#npm.connection.get(path, done))
  }

  put(path: string, body: object): Promise<unknown> {
    return called((done) => this.#npm.connection.put(path, body, done))
  }

  delete(path: string): Promise<unknown> {
    return called((done) => this.#npm.connection.delete(path, done))
  }

  /** Makes the namespace if it is not there. */
  async createNamespace(name: string): Promise<void> {
    const { Namespace } = (await this.get('/namespaces')) as { Namespace: readonly string[] }
    if (Namespace.includes(name)) return
    await called((done) => this.#npm.connection.post(`/namespaces/${name}`, '', done))
  }
}

export class RestTable {
  readonly #client: NpmClient
  readonly #name: string
  readonly #table: NpmTable

  constructor(client: NpmClient, name: string) {
    this.#client = client
    this.#name = name
    this.#table = client.table(name)
  }

  /** `attributes`: of the table, by their names in HBase. */
  async create(families: readonly object[], attributes: object = {}): Promise<void> {
    await called((done) => this.#table.create({ ...attributes, ColumnSchema: families }, done))
  }

  exists(): Promise<boolean> {
    return called((done) => this.#table.exists(done))
  }

  async drop(): Promise<void> {
    await called((done) => this.#table.delete(done))
  }

  async put(cells: readonly NewCell[]): Promise<void> {
    for (let i = 0; i < cells.length; i += CELLS_PER_PUT) {
      await called((done) => this.#table.row(null).put(cells.slice(i, i + CELLS_PER_PUT), done))
    }
  }

  /** The cells of a row, or of all rows that begin with a prefix: `10,*`. None where there is no row. */
  async get(key: string, { columns = [], ...options }: GetOptions = {}): Promise<Cell[]> {
    try {
      const cells = await called<NpmCell[]>((done) => this.#table.row(key).get(columns, options, done))
      return cells.map((cell) => ({ key, ...cell }))
    } catch (error) {
      if ((error as { code?: unknown }).code === 404) return []
      throw error
    }
  }

  async delete(key: string, columns?: readonly string[]): Promise<void> {
    const row = this.#table.row(key)
    await called<true>((done) => (columns === undefined ? row.delete(done) : row.delete(columns, done)))
  }

  /** Deletes the versions of the column up to that time. The package has no method for it. */
  async deleteUpTo(key: string, column: string, timestamp: number): Promise<void> {
    const path = [this.#name, key, column].map(encodeURIComponent).join('/')
    await called((done) => this.#client.connection.delete(`/${path}/${timestamp}`, done))
  }

  /** The newest cell of each column that the scan finds, in order. A scanner that names no number of versions gets all of them. */
  async scan(options: NpmScan = {}): Promise<Cell[]> {
    return (await called<NpmCell[]>((done) =>
      this.#table.scan({ maxVersions: 1, ...options }, done),
    )) as Cell[]
  }

  /** The rows that begin with the prefix, which ends in a character of ASCII. */
  scanPrefix(prefix: string, options: NpmScan = {}): Promise<Cell[]> {
    return this.scan({ startRow: prefix, endRow: endOfPrefix(prefix), ...options })
  }
}

/** The first key behind all that begin with the prefix: `10,` gives `10-`, as `-` follows the comma. */
export function endOfPrefix(prefix: string): string {
  return prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1)
}

/** Calls a method whose last parameter is a callback. */
function called<T>(start: (done: Done<T>) => void): Promise<T> {
  return promisify(start)()
}

/** The npm package `hbase`, a client of HBase's REST, unchanged: the types that it lacks, as far as the examples use it. */

import { createRequire } from 'node:module'

export type Done<T> = (error: (Error & { readonly code?: number }) | null, result: T) => void

export interface NpmCell {
  readonly key?: string
  readonly column: string
  readonly timestamp: number
  /** The value. */
  readonly $: string
}

export interface NpmScan {
  readonly startRow?: string
  /** Not included. */
  readonly endRow?: string
  readonly column?: readonly string[]
  /** In milliseconds since 1970. */
  readonly startTime?: number
  /** Not included. */
  readonly endTime?: number
  readonly maxVersions?: number
  /** Cells in each answer. */
  readonly batch?: number
  /** A filter in the JSON of HBase's REST. The package makes base64 of the values that need it. */
  readonly filter?: object
}

export interface NpmRow {
  get(columns: readonly string[], options: object, done: Done<NpmCell[]>): void
  put(cells: readonly object[], done: Done<true>): void
  delete(done: Done<true>): void
  delete(columns: readonly string[], done: Done<true>): void
}

export interface NpmTable {
  create(schema: object, done: Done<true>): void
  delete(done: Done<true>): void
  exists(done: Done<boolean>): void
  row(key: string | null): NpmRow
  scan(options: NpmScan, done: Done<NpmCell[]>): void
}

export interface NpmClient {
  readonly connection: {
    get(path: string, done: Done<unknown>): void
    put(path: string, body: string | object, done: Done<unknown>): void
    post(path: string, body: string | object, done: Done<unknown>): void
    delete(path: string, done: Done<unknown>): void
  }
  table(name: string): NpmTable
  on(event: 'request', listener: () => void): void
}

interface NpmOptions {
  readonly host: string
  readonly port: number
  /** How bytes are strings: `latin1` for keys and values that are no text. */
  readonly encoding: 'utf8' | 'latin1'
}

export const npmHbase = createRequire(import.meta.url)('hbase') as (options: NpmOptions) => NpmClient

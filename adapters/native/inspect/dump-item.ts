/** One thing that a dump shows: a line for people, or an object for programs. */

export interface DumpItem {
  readonly kind: string
  readonly [field: string]: unknown
}

export interface DumpOptions {
  /** Whether to show cells: with values, their keys only, or not at all. */
  readonly cells: 'values' | 'keys' | 'none'
  /** Most cells, records or edits to show. */
  readonly limit: number
}

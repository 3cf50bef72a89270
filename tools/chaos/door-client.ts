/** The requests of writers and scanners, at any door. */

import { DATA_QUALIFIERS } from './settings.ts'

/** Throws Retryable; any other error is a finding. */
export interface WriteDoor {
  readonly name: string
  /** All data columns of each row, with the version as value and timestamp; several rows in one request. */
  put(rows: readonly string[], version: number): Promise<void>
  increment(row: string, amount: number): Promise<void>
  append(row: string, token: string): Promise<void>
  /** A row's cells of one family. */
  get(row: string, family: string): Promise<readonly SeenCell[]>
  /** The chain's number from `from` to the next one, and a column for the step with the token in it. */
  step(row: string, from: number, token: string): Promise<boolean>
  close(): void
}

export interface SeenCell {
  readonly qualifier: string
  readonly value: Buffer
}

/** A row, or a part of one. */
export interface SeenRow {
  readonly row: string
  readonly cells: readonly SeenCell[]
}

export interface ScanSpec {
  readonly family: string
  /** '' for the first (reversed: last) row of the table. */
  readonly start: string
  /** '' for the end; exclusive. */
  readonly stop: string
  readonly reversed: boolean
  /** Cells of a part of a row; 0: whole rows. */
  readonly batch: number
  /** 0: none. */
  readonly limit: number
  /** Rows of a request. */
  readonly page: number
}

export interface OpenScan {
  /** Undefined at the end. May be called again after Retryable. */
  next(): Promise<readonly SeenRow[] | undefined>
  close(): Promise<void>
}

export interface ScanDoor {
  readonly name: string
  /** Whether a scanner goes on where it was after a Retryable. */
  readonly resumes: boolean
  /** Store calls of one request, in sequence. */
  readonly deadlines: number
  supports(spec: ScanSpec): boolean
  open(spec: ScanSpec): Promise<OpenScan>
  close(): void
}

const PADDING = 'x'.repeat(80)

export function dataCells(version: number): SeenCell[] {
  return DATA_QUALIFIERS.map((qualifier) => ({ qualifier, value: Buffer.from(`${version}|${PADDING}`) }))
}

/** The number in a chain's cells. */
export function headOf(cells: readonly SeenCell[]): number {
  return Number(cells.find(({ qualifier }) => qualifier === 'v')?.value.toString() ?? 0)
}

export function versionOf(value: Buffer): number {
  return Number.parseInt(value.toString('latin1'), 10)
}

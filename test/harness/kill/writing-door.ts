/** What a writer of a kill loop does, whatever its protocol. */

export const TABLE = 'killed'

/** A row's columns and their values. */
export type Cells = Readonly<Record<string, string>>

export interface WritingDoor {
  put(row: string, cells: Cells): Promise<unknown>
  batch(rows: Readonly<Record<string, Cells>>): Promise<unknown>
  remove(row: string): Promise<unknown>
  /** By 1. */
  increment(row: string, column: string): Promise<unknown>
  append(row: string, column: string, text: string): Promise<unknown>
  /** Resolves to whether the column had the value `expected`, so that the put was made. */
  checkAndPut(row: string, column: string, expected: string, value: string): Promise<boolean>
  close(): void
}

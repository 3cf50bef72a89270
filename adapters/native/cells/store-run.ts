import type { CellRun } from './cell-run.ts'

/** A store file's cells, as its family's reads see them. */
export interface StoreRun extends CellRun {
  readonly path: string
  /** Whether any cell may have tags. */
  readonly hasTags: boolean
  /** Size of the file; 0 where it cannot be read. */
  readonly fileBytes: number
}

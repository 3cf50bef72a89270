import type { HBaseError } from '../../../src/model/errors.ts'
import type { CellIterator, CellRun } from './cell-run.ts'

/** A run whose cells cannot be read: each read that needs them throws its error. */
export class RefusingRun implements CellRun {
  readonly maxSequenceId = 0
  readonly error: HBaseError

  constructor(error: HBaseError) {
    this.error = error
  }

  mayHaveRow(): boolean {
    throw this.error
  }

  mayHaveRows(): boolean {
    throw this.error
  }

  mayHaveTimes(): boolean {
    throw this.error
  }

  iterator(): CellIterator {
    throw this.error
  }

  pointIterator(): CellIterator {
    throw this.error
  }
}

import type { HBaseError } from '../../../src/model/errors.ts'

/** The writes that wait for one commit of the log; its outcome is theirs. */
export class CommitGroup {
  readonly committed: Promise<void>
  resolve!: () => void
  reject!: (failure: HBaseError) => void

  constructor() {
    this.committed = new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
    })
  }
}

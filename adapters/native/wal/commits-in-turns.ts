import type { HBaseError } from '../../../src/model/errors.ts'
import type { CommitGroup } from './commit-group.ts'
import { appendInTurns, type CurrentLog } from './current-log.ts'
import type { LogFiles } from './log-files.ts'
import type { TakenRecords } from './pending-records.ts'

/** Records that one commit writes. */
export interface Commit {
  readonly current: CurrentLog
  readonly records: TakenRecords
  /** The writers that wait for these records. A writer that asks while they are written waits for the next commit. */
  readonly group: CommitGroup | undefined
  /** The sequence id of the last write before this commit. */
  readonly sequenceId: number
}

export interface CommitsInTurnsParts {
  readonly files: LogFiles
  readonly failure: () => HBaseError | undefined
  /** Whether the log has ended for good: the folder may be another process's. */
  readonly isStopped: () => boolean
  readonly fail: (error: unknown) => void
  /** Called once all records of a commit are in the file. */
  readonly written: (commit: Commit) => void
  /** Called once the next commit may begin. */
  readonly resume: () => void
}

/** Writes commits of many megabytes, one at a time, while the event loop runs; the writers of each do not wait for those who come meanwhile. */
export class CommitsInTurns {
  readonly #parts: CommitsInTurnsParts
  #writing: Promise<void> | undefined

  constructor(parts: CommitsInTurnsParts) {
    this.#parts = parts
  }

  /** While a commit is written. */
  get writing(): Promise<void> | undefined {
    return this.#writing
  }

  begin(commit: Commit): void {
    this.#writing = this.#write(commit).finally(() => {
      this.#writing = undefined
      this.#parts.resume()
    })
  }

  async #write(commit: Commit): Promise<void> {
    const { files, failure, isStopped, fail, written } = this.#parts
    try {
      if (await appendInTurns(commit.current, commit.records, () => failure() !== undefined)) {
        written(commit)
        return
      }
      // A start takes what is left for an unfinished record.
      if (!isStopped()) files.takeBackAppend()
    } catch (error) {
      files.takeBackAppend()
      fail(error)
    }
    commit.group?.reject(failure()!)
  }
}

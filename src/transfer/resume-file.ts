/** The position of a copy, in a file that is complete at every moment, so that another run can resume there. */

import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'

export interface CopyState {
  /** The source and the destination of the copy: another copy must not resume from this state. */
  readonly job: string
  readonly tables: Readonly<Record<string, TableState>>
}

export interface TableState {
  /** In files of older versions, which copied one range: the last row that the destination has whole, in base64; empty: none. */
  readonly row: string
  /** The table is copied. */
  readonly done: boolean
  readonly ranges?: readonly RangeState[] | undefined
}

/** A CopyRange, with rows in base64. */
export interface RangeState {
  readonly start: string
  readonly stop: string
  readonly row?: string | undefined
  readonly done: boolean
}

export interface StateKeeper {
  load(): CopyState | undefined
  /** Saves the state, so that it survives a crash. */
  save(state: CopyState): void
}

/** The state in a file. Throws where the file has other contents. */
export function resumeFile(path: string): StateKeeper {
  return {
    load: () => {
      let text: string
      try {
        text = readFileSync(path, 'utf8')
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw error
      }
      return checked(path, text)
    },
    save: (state) => {
      const next = `${path}.new`
      const file = openSync(next, 'w', 0o600)
      try {
        writeSync(file, `${JSON.stringify(state)}\n`)
        fsyncSync(file)
      } finally {
        closeSync(file)
      }
      renameSync(next, path)
    },
  }
}

function checked(path: string, text: string): CopyState {
  try {
    const state = JSON.parse(text) as CopyState
    if (typeof state.job === 'string' && Object.values(state.tables).every(isEntry)) return state
  } catch {
    // Reported below.
  }
  throw new Error(`${path} is no resume file of tidegate copy`)
}

function isEntry({ row, done, ranges }: TableState): boolean {
  const areRanges = ranges === undefined || (Array.isArray(ranges) && ranges.every(isRange))
  return typeof row === 'string' && typeof done === 'boolean' && areRanges
}

function isRange({ start, stop, row, done }: RangeState): boolean {
  const areRows = typeof start === 'string' && typeof stop === 'string'
  return areRows && (row === undefined || typeof row === 'string') && typeof done === 'boolean'
}

/** Where a copy stands, in a file that is whole at every moment: another run goes on from there. */

import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'

export interface CopyState {
  /** What is copied where: another copy must not go on from this state. */
  readonly job: string
  /** By table: the last row that the destination has whole, in base64; `done` where the table is copied. */
  readonly tables: Readonly<Record<string, { readonly row: string; readonly done: boolean }>>
}

export interface StateKeeper {
  load(): CopyState | undefined
  /** Resolves when the state would survive a crash. */
  save(state: CopyState): void
}

/** Throws where the file has something else. */
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
    // Told below.
  }
  throw new Error(`${path} is no resume file of tidegate copy`)
}

function isEntry({ row, done }: CopyState['tables'][string]): boolean {
  return typeof row === 'string' && typeof done === 'boolean'
}

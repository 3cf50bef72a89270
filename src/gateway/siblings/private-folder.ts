import { statSync } from 'node:fs'

const OTHERS = 0o077

/** Throws where others than this process's user may enter the folder. Windows has no such modes, and names of pipes for all. */
export function checkIsPrivate(folder: string): void {
  if (process.getuid === undefined) return
  const { mode, uid } = statSync(folder)
  if (uid !== process.getuid()) throw new Error(`${folder} belongs to another user than this process's`)
  if ((mode & OTHERS) !== 0) throw new Error(`${folder} may be entered by others than its user`)
}

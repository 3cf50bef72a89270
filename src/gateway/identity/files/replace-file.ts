/** Replaces a small file in one step. The accounts that could read it before still can. */

import {
  closeSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs'

/** The mode of a new file: for its owner alone. */
const MODE = 0o600
const MODE_BITS = 0o7777

/**
 * Readers see the old text or the new one, never a part. A symbolic link stays, and its target is replaced. Owner,
 * group and mode are kept: throws, and changes nothing, where this process may not keep them.
 */
export function replaceFile(path: string, text: string): void {
  const target = targetOf(path)
  const before = statSync(target, { throwIfNoEntry: false })
  const temporary = `${target}.${process.pid}.tmp`
  const file = openSync(temporary, 'wx', MODE)
  try {
    try {
      writeFileSync(file, text)
      if (before !== undefined) keepOwner(file, before)
      fchmodSync(file, before === undefined ? MODE : before.mode & MODE_BITS)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(temporary, target)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

function targetOf(path: string): string {
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found === undefined ? path : realpathSync(path)
}

function keepOwner(file: number, { uid, gid }: Stats): void {
  const now = fstatSync(file)
  if (now.uid === uid && now.gid === gid) return
  try {
    fchownSync(file, uid, gid)
  } catch (cause) {
    throw new Error(
      `it is of user ${uid} and group ${gid}, which this account may not give to a file: run the command as that user, or as root`,
      { cause },
    )
  }
}

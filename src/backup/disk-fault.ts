/** Disks that take no files, in words: the system's own ones name neither the folder nor the remedy. */

import { isHBaseError } from '../model/errors.ts'

const FAULTS: Readonly<Record<string, string>> = {
  ENOSPC: 'its disk is full: free space there',
  EDQUOT: 'the space that this user may use on its disk is full: free space there',
  EROFS: 'its disk can only be read: mount it so that it can be written',
}

/** An Error with the folder and the remedy where its disk has refused a file, else the error itself. Failures of a server are of its own disk. */
export function withDisk(error: unknown, folder: string): unknown {
  if (!(error instanceof Error) || isHBaseError(error)) return error
  const fault = FAULTS[(error as NodeJS.ErrnoException).code ?? '']
  return fault === undefined ? error : new Error(`${folder}: ${fault} (${error.message})`, { cause: error })
}

/** Does work that writes into the folder. Throws as the work, but by withDisk. */
export async function onDiskOf<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw withDisk(error, folder)
  }
}

/** Folders of the embedded engine that commands open: no server may have them. */

import { readdirSync, statSync } from 'node:fs'
import { resolve } from 'node:path'

/** The folder's name in help and messages. */
export const DIRECTORY = 'the folder of --store native:DIRECTORY'

/** The full path of a folder that is not empty and that no server uses. Throws for other folders: a mistyped name makes no store. */
export async function folderOfStore(directory: string): Promise<string> {
  checkHasFiles(directory)
  return stoppedFolder(directory)
}

function checkHasFiles(directory: string): void {
  const facts = statSync(directory, { throwIfNoEntry: false })
  if (facts === undefined) throw new Error(`${directory} is not there`)
  if (!facts.isDirectory()) throw new Error(`${directory} is a file: name ${DIRECTORY}`)
  if (readdirSync(directory).length === 0) throw new Error(`${directory} has no store: it is empty`)
}

/** As folderOfStore, for a command that changes nothing. `owner`: the process of the server that uses the folder; undefined: none does. */
export async function folderWithOwner(
  directory: string,
): Promise<{ readonly folder: string; readonly owner: string | undefined }> {
  checkHasFiles(directory)
  const { lockOwner } = await import('../../../adapters/native/platform/node-directory-lock.ts')
  const folder = resolve(directory)
  return { folder, owner: await lockOwner(folder) }
}

/** The folder's full path. Throws while a server uses it: its files would change under a reader. */
export async function stoppedFolder(directory: string): Promise<string> {
  const { lockOwner } = await import('../../../adapters/native/platform/node-directory-lock.ts')
  const folder = resolve(directory)
  const owner = await lockOwner(folder)
  if (owner !== undefined) throw new Error(`${directory} is in use by process ${owner}: stop it first`)
  return folder
}

/** Reads from the disk: makes the system forget the pages of a folder's files. */

import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Linux: dd's `nocache` with a count of 0 drops the pages of the whole file. They must be on the disk first. */
export function forgetPages(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    execFileSync('sync', ['-d', path])
    execFileSync('dd', [`if=${path}`, 'iflag=nocache', 'count=0', 'status=none'])
  }
}

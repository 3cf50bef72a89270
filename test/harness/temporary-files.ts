/** Vitest runs `setup` before a whole run of tests and `teardown` after it. */

import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

let folder: string | undefined

/**
 * Gives the run a folder of its own for temporary files, so that the reporter sees which ones tests leave behind. Its name is
 * short: the path of a socket has at most 107 bytes. Vitest runs this for each project of the run, too.
 */
export function setup(): void {
  if (process.env['TIDEGATE_TESTS_FOLDER'] !== undefined) return
  folder = mkdtempSync(join(tmpdir(), 'tg-'))
  // Some tests run programs as another user.
  chmodSync(folder, 0o755)
  process.env['TIDEGATE_TESTS_FOLDER'] = folder
  process.env['TMPDIR'] = folder
}

export function teardown(): void {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
}

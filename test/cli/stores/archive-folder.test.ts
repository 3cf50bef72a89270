/** Places that can never be a folder of archived logs are refused at the start. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkArchiveFolder } from '../../../src/cli/stores/archive-folder.ts'
import { inTemporaryFolder } from '../../harness/tidegate-process.ts'

function check(path: string | undefined): Promise<void> {
  return checkArchiveFolder(path, () => '--archive-log x')
}

test('a file, and a place behind one, is refused; a folder that is there, or may come, is not', async () => {
  await inTemporaryFolder(async (folder) => {
    const file = join(folder, 'file')
    await writeFile(file, '')
    await expect(check(file)).rejects.toThrow('--archive-log x: that is a file: name a folder')
    const behind = join(file, 'a', 'b')
    await expect(check(behind)).rejects.toThrow(
      `--archive-log x: that cannot be a folder, since ${file} is a file`,
    )
    await check(folder)
    await check(undefined)
    await check(join(folder, 'a', 'b'))
  })
})

/** A start on a folder that holds nothing but a store has nothing to warn of, whether a stop or a kill left it. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openNativeStore } from '../../../adapters/native/open-native-store.ts'
import { NODE_CLOCK } from '../../../adapters/native/platform/node-clock.ts'
import { NODE_FILE_SYSTEM } from '../../../adapters/native/platform/node-file-system.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { inTemporaryFolder } from '../../harness/tidegate-process.ts'

/** Above the highest number that the system gives a process. */
const NO_PROCESS = 9_999_999

async function warningsOfStart(directory: string): Promise<string[]> {
  const warnings: string[] = []
  const store = await openNativeStore({
    directory,
    fileSystem: NODE_FILE_SYSTEM,
    clock: NODE_CLOCK,
    random: Math.random,
    log: (level, message) => {
      if (level !== 'info') warnings.push(message)
    },
  })
  await store.catalog.listTables(OWN_CALL)
  await store.close()
  return warnings
}

test('on a new folder, on one after a stop, and on one after a kill', async () => {
  await inTemporaryFolder(async (folder) => {
    const directory = join(folder, 'store')
    expect(await warningsOfStart(directory)).toEqual([])
    expect(await warningsOfStart(directory)).toEqual([])
    writeFileSync(join(directory, 'LOCK'), `${NO_PROCESS} 0 LOCK.0123456789abcdef\n`)
    for (const left of ['LOCK.0123456789abcdef', `LOCK.${NO_PROCESS}`, `LOCK.stale.${NO_PROCESS}`])
      writeFileSync(join(directory, left), '')
    expect(await warningsOfStart(directory)).toEqual([])
  })
})

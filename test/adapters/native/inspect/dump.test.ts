import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { dump } from '../../../../adapters/native/inspect/dump.ts'
import { NODE_FILE_SYSTEM } from '../../../../adapters/native/platform/node-file-system.ts'
import { damageableStore } from './damaged-store.ts'

const OPTIONS = { cells: 'none', limit: 10 } as const

it('says what to do where a store has lost its manifests', async () => {
  const files = await damageableStore()
  files.remove('/s/manifest')
  files.remove('/s/manifest.copy')
  expect(() => dump(files, '/s', OPTIONS)).toThrow(/no manifest that can be read.*from a copy/)
})

it('says of a folder without anything that it is no store', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-'))
  try {
    expect(() => dump(NODE_FILE_SYSTEM, folder, OPTIONS)).toThrow(
      `${folder} is no store, store file, log or manifest`,
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
})

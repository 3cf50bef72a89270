import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** Faults planted where lint looks: if they are not found, the net has a hole. */
const folder = 'test/tidy/planted'
const faults = `import { open } from 'node:fs/promises'
async function planted(): Promise<void> {
  const file = await open('x')
  file.sync()
}
planted()
`

beforeAll(() => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/faults.ts`, faults)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Lint reads the whole project's types, which takes a busy machine half a minute. */
const TIMEOUT_MS = 180_000

test(
  'lint finds the floating promises, those typed by node too',
  () => {
    const lint = spawnSync(process.execPath, ['node_modules/oxlint/bin/oxlint', '--type-aware', folder], {
      encoding: 'utf8',
    })
    expect(lint.status).not.toBe(0)
    expect(lint.stdout.match(/no-floating-promises/g)).toHaveLength(2)
  },
  TIMEOUT_MS,
)

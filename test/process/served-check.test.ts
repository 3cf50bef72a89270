/** `tidegate check` beside the server that has the folder, and by threads. */

import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeShop } from '../docs/shop.ts'
import { inTemporaryFolder, MAIN, startTidegate } from '../harness/tidegate-process.ts'

function check(
  folder: string,
  ...flags: string[]
): { readonly output: string; readonly code: number | null } {
  const { stdout, status } = spawnSync(process.execPath, [MAIN, 'check', folder, ...flags], {
    encoding: 'utf8',
  })
  return { output: stdout, code: status }
}

function storeFile(folder: string): string {
  const below = readdirSync(join(folder, 'data'), { recursive: true, encoding: 'utf8' })
  return join(folder, 'data', below.find((path) => /\/f\/\d{10}$/.test(path))!)
}

test('finds damage while the server runs, which reports it on /health', { timeout: 120_000 }, () =>
  inTemporaryFolder(async (folder) => {
    const shop = join(folder, 'shop')
    await makeShop(shop)
    const server = await startTidegate(`native:${shop}`)
    try {
      expect(check(shop)).toMatchObject({ code: 0 })
      const path = storeFile(shop)
      const bytes = readFileSync(path)
      bytes[1000]! ^= 1
      writeFileSync(path, bytes)
      const { output, code } = check(shop, '--limit', '50m', '--json')
      expect(code).toBe(1)
      expect(output).toContain(path)
      const health = async (): Promise<string> =>
        (await fetch(`http://127.0.0.1:${server.port('web')}/health`)).text()
      await expect.poll(health, { timeout: 60_000 }).toContain(`"path":"${path}"`)
    } finally {
      await server.stop()
    }
    const { output, code } = check(shop)
    expect(code).toBe(1)
    expect(output).toContain('ERROR')
  }),
)

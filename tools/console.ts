/**
 * The console, and the documentation as a site, in headless Chromium: `npm run test:console`. Each page is opened, clicked through
 * and looked at by axe-core.
 * `-- --pictures FOLDER` keeps pictures of the pages. Without Chromium the tool says what is missing, and runs the rest.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { own } from '../test/harness/processes/owned-children.ts'

const VITEST = new URL('../../node_modules/vitest/vitest.mjs', import.meta.url).pathname
const NAMES = ['chromium', 'chromium-headless-shell', 'chromium-browser', 'google-chrome']

function chromiumPath(): string | undefined {
  const stated = process.env['TIDEGATE_CHROMIUM']
  if (stated !== undefined) return stated
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find((path) => existsSync(path))
}

const { values } = parseArgs({ options: { pictures: { type: 'string' } } })
const chromium = chromiumPath()
if (chromium === undefined) {
  process.stdout.write(
    `no browser: none of ${NAMES.join(', ')} is in PATH. Debian has it (apt-get install chromium-headless-shell), or ` +
      'TIDEGATE_CHROMIUM names another one. Only the modules of the console are tested.\n',
  )
}
const env = {
  ...process.env,
  ...(chromium !== undefined && { TIDEGATE_CHROMIUM: chromium }),
  ...(values.pictures !== undefined && { TIDEGATE_PICTURES: resolve(values.pictures) }),
}
const child = spawn(
  process.execPath,
  [VITEST, 'run', 'test/console', 'test/doors/web', 'test/docs/site-browser'],
  {
    stdio: 'inherit',
    env,
  },
)
own(child)
const [code] = (await once(child, 'exit')) as [number | null]
process.exitCode = code === 0 ? 0 : 1

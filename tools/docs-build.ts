/** The documentation as a site in dist/docs-site: `npm run docs:build`. Its pages need no server. A link that leads nowhere is an error. */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../src/package-root.ts'
import { makeSite } from '../test/harness/docs-site/site.ts'

const folder = new URL('dist/docs-site/', packageRoot())
const { files, broken } = makeSite(packageRoot())
rmSync(folder, { recursive: true, force: true })
for (const [name, content] of files) {
  const path = fileURLToPath(new URL(name, folder))
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}
for (const link of broken) process.stdout.write(`leads nowhere: ${link}\n`)
process.stdout.write(`${files.size} files in ${fileURLToPath(folder)}\n`)
process.exitCode = broken.length === 0 ? 0 : 1

/** Builds the image and tries it, by Docker or Podman, or without them in a root file system: `npm run test:container`. */

import { fileURLToPath } from 'node:url'
import { packageRoot } from '../src/package-root.ts'
import { CHECKS } from '../test/harness/container/checks.ts'
import type { Builder } from '../test/harness/container/container.ts'
import { containerEngine, engineBuilder } from '../test/harness/container/engine-builder.ts'
import { plainRootBuilder } from '../test/harness/container/plain-root.ts'

const ROOT = fileURLToPath(packageRoot())

async function someBuilder(): Promise<Builder | undefined> {
  const engine = await containerEngine()
  return engine === undefined ? await plainRootBuilder(ROOT) : await engineBuilder(engine, ROOT)
}

async function main(): Promise<void> {
  const builder = await someBuilder()
  if (builder === undefined) {
    process.stderr.write(
      'There is neither Docker nor Podman here, with a service that builds images, nor a Linux where `unshare` may make namespaces: install one of them.\n',
    )
    process.exitCode = 2
    return
  }
  process.stdout.write(`by ${builder.name}\n`)
  let failed = 0
  try {
    for (const [name, check] of CHECKS) {
      const trouble = await check(builder)
      process.stdout.write(trouble === undefined ? `ok: ${name}\n` : `FAILED: ${name}\n${trouble}\n`)
      if (trouble !== undefined) failed++
    }
  } finally {
    await builder.remove()
  }
  process.stdout.write(`${CHECKS.length - failed} passed, ${failed} failed\n`)
  process.exitCode = failed === 0 ? 0 : 1
}

await main()

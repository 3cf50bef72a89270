/**
 * Reads the files of deployment as others do, builds the image and tries it, by Docker or Podman, or without them in a root file system:
 * `npm run test:container`.
 */

import { fileURLToPath } from 'node:url'
import { packageRoot } from '../src/package-root.ts'
import { CHECKS } from '../test/harness/container/checks.ts'
import type { Builder } from '../test/harness/container/container.ts'
import { checkDeploymentFiles } from '../test/harness/container/deployment-files.ts'
import { containerEngine, engineBuilder } from '../test/harness/container/engine-builder.ts'
import { plainRootBuilder } from '../test/harness/container/plain-root.ts'

const ROOT = fileURLToPath(packageRoot())

async function someBuilder(): Promise<Builder | undefined> {
  const engine = await containerEngine()
  return engine === undefined ? await plainRootBuilder(ROOT) : await engineBuilder(engine, ROOT)
}

interface Counts {
  passed: number
  failed: number
  skipped: number
}

function tell(counts: Counts, name: string, trouble: string | undefined): void {
  process.stdout.write(trouble === undefined ? `ok: ${name}\n` : `FAILED: ${name}\n${trouble}\n`)
  counts[trouble === undefined ? 'passed' : 'failed']++
}

function tryFiles(counts: Counts): void {
  for (const { name, trouble, missing } of checkDeploymentFiles(ROOT)) {
    if (missing === undefined) tell(counts, name, trouble)
    else {
      counts.skipped++
      process.stdout.write(`not checked: ${name}: this machine has no ${missing}\n`)
    }
  }
}

async function main(): Promise<void> {
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 }
  tryFiles(counts)
  const builder = await someBuilder()
  if (builder === undefined) {
    process.stderr.write(
      'There is neither Docker nor Podman here, with a service that builds images, nor a Linux where `unshare` may make namespaces: install one of them.\n',
    )
    process.exitCode = 2
    return
  }
  process.stdout.write(`by ${builder.name}\n`)
  try {
    for (const [name, check] of CHECKS) tell(counts, name, await check(builder))
  } finally {
    await builder.remove()
  }
  process.stdout.write(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`)
  process.exitCode = counts.failed === 0 ? 0 : 1
}

await main()

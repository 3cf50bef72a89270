/**
 * The suites that need a running HBase of two region servers, without data of value: `npm run test:live`.
 *
 * Starts such an HBase, runs every live.test.ts, live-*.test.ts and the store suite on it, and stops it. If Java or Maven
 * is missing the tool says so and runs nothing.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { own } from '../test/harness/processes/owned-children.ts'
import { missingTools } from '../test/harness/real-hbase/jars.ts'
import { QUICK_SETTINGS } from '../test/harness/real-hbase/quick-settings.ts'
import { RealHBase } from '../test/harness/real-hbase/real-hbase.ts'

const VITEST = new URL('../../node_modules/vitest/vitest.mjs', import.meta.url).pathname
const SUITES = [
  'test/adapters/hbase',
  'test/store/hbase',
  'test/doors/rpc/admin/live',
  'test/replication/live',
  'test/transfer/live',
  'test/transfer/verify/live',
]

async function runVitest(paths: readonly string[], env: Readonly<Record<string, string>>): Promise<boolean> {
  const args = [VITEST, 'run', '--no-file-parallelism', ...paths]
  const child = spawn(process.execPath, args, { stdio: 'inherit', env: { ...process.env, ...env } })
  own(child)
  const [code] = (await once(child, 'exit')) as [number | null]
  return code === 0
}

const missing = missingTools()
if (missing.length > 0) {
  process.stdout.write(`no live suites: this machine has no ${missing.join(' and no ')}\n`)
} else {
  const hbase = await RealHBase.start({ servers: 2, gateways: false, settings: QUICK_SETTINGS })
  try {
    const { zookeeper } = hbase.ports
    const passed = await runVitest(SUITES, {
      TIDEGATE_REAL_HBASE: `zookeeper:${zookeeper}`,
      TIDEGATE_EMPTY_HBASE: `127.0.0.1:${zookeeper}`,
    })
    process.exitCode = passed ? 0 : 1
  } finally {
    await hbase.stop()
  }
}

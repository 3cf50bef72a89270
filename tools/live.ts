/**
 * The suites that need a running HBase of two region servers, without data of value: `npm run test:live`.
 *
 * Starts such an HBase, runs every live.test.ts, live-*.test.ts and the store suite on it, and stops it. Then the same with one whose servers
 * encrypt, for the suite of TLS. If Java or Maven is missing the tool says so and runs nothing.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { own } from '../test/harness/processes/owned-children.ts'
import { missingTools } from '../test/harness/real-hbase/jars.ts'
import { QUICK_SETTINGS } from '../test/harness/real-hbase/quick-settings.ts'
import { RealHBase } from '../test/harness/real-hbase/real-hbase.ts'
import { startTlsHBase } from '../test/harness/real-hbase/tls-hbase.ts'

const VITEST = new URL('../../node_modules/vitest/vitest.mjs', import.meta.url).pathname
const SUITES = [
  'test/adapters/hbase',
  'test/store/hbase',
  'test/doors/rpc/admin/live',
  'test/replication/live',
  'test/transfer/live',
  'test/transfer/verify/live',
]

const TLS_SUITE = 'test/cli/stores/key-stores/live-tls'

async function runVitest(paths: readonly string[], env: Readonly<Record<string, string>>): Promise<boolean> {
  const args = [VITEST, 'run', '--no-file-parallelism', ...paths]
  const child = spawn(process.execPath, args, { stdio: 'inherit', env: { ...process.env, ...env } })
  own(child)
  const [code] = (await once(child, 'exit')) as [number | null]
  return code === 0
}

async function runPlain(): Promise<boolean> {
  const hbase = await RealHBase.start({ servers: 2, gateways: false, settings: QUICK_SETTINGS })
  try {
    const { zookeeper } = hbase.ports
    return await runVitest(SUITES, {
      TIDEGATE_REAL_HBASE: `zookeeper:${zookeeper}`,
      TIDEGATE_EMPTY_HBASE: `127.0.0.1:${zookeeper}`,
    })
  } finally {
    await hbase.stop()
  }
}

async function runTls(): Promise<boolean> {
  const hbase = await startTlsHBase()
  try {
    return await runVitest([TLS_SUITE], { TIDEGATE_TLS_HBASE: JSON.stringify(hbase.address) })
  } finally {
    await hbase.stop()
  }
}

const missing = missingTools()
if (missing.length > 0) {
  process.stdout.write(`no live suites: this machine has no ${missing.join(' and no ')}\n`)
} else {
  const isPlainRight = await runPlain()
  const isTlsRight = await runTls()
  process.exitCode = isPlainRight && isTlsRight ? 0 : 1
}

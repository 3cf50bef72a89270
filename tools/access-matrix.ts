/**
 * HBase's matrix of permissions, asked of a real HBase with its AccessController: `npm run access-matrix [-- --record]`. Needs Java and
 * Maven. Without --record it compares what HBase answers now with what is recorded. `npm test` asks Tidegate the same.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../src/package-root.ts'
import { askMatrix, type Matrix } from '../test/harness/access/ask-matrix.ts'
import { GROUP, MEMBER, SUPERUSER } from '../test/harness/access/people.ts'
import { missingTools } from '../test/harness/real-hbase/jars.ts'
import { RealHBase } from '../test/harness/real-hbase/real-hbase.ts'
import { openRpcStore } from '../test/harness/rpc-store.ts'

const RECORDED = fileURLToPath(new URL('test/gateway/access/recorded-matrix.json', packageRoot()))
const CONTROLLER = 'org.apache.hadoop.hbase.security.access.AccessController'

async function askReal(): Promise<Matrix> {
  const settings = {
    'hbase.security.authorization': 'true',
    'hbase.superuser': SUPERUSER,
    'hbase.quota.enabled': 'true',
    'hadoop.user.group.static.mapping.overrides': `${MEMBER}=${GROUP}`,
    ...Object.fromEntries(
      ['master', 'region', 'regionserver'].map((of) => [`hbase.coprocessor.${of}.classes`, CONTROLLER]),
    ),
  }
  const hbase = await RealHBase.start({ gateways: false, settings })
  try {
    const options = { retriesMax: 0, pauseMs: 10 }
    return await askMatrix((user) => openRpcStore(hbase.ports.regionServer, options, user))
  } finally {
    await hbase.stop()
  }
}

function differences(wanted: Matrix, found: Matrix): string[] {
  return Object.entries(found).flatMap(([operation, answers]) =>
    Object.entries(answers)
      .filter(([person, answer]) => wanted[operation]?.[person] !== answer)
      .map(([person, answer]) => `${operation} as ${person}: ${answer}, not ${wanted[operation]?.[person]}`),
  )
}

const missing = missingTools()
if (missing.length > 0) {
  process.stdout.write(`no HBase to ask: this machine has no ${missing.join(' and no ')}\n`)
} else {
  const found = await askReal()
  if (process.argv.includes('--record')) writeFileSync(RECORDED, `${JSON.stringify(found, undefined, 1)}\n`)
  else {
    const surprises = differences(JSON.parse(readFileSync(RECORDED, 'utf8')) as Matrix, found)
    process.stdout.write([...surprises, `${surprises.length} answers differ`].join('\n') + '\n')
    process.exitCode = surprises.length === 0 ? 0 : 1
  }
}

/**
 * HBase's matrix of permissions, asked of a real HBase with its AccessController: `npm run access-matrix [-- --record]`, or with `--
 * --target remote` of Tidegate in front of one without, with `-- --target caller` or `proxy` of Tidegate in front of one with it, to
 * which Tidegate names the users. Needs Java and Maven. Without --record it compares the answers with what is
 * recorded. `npm test` asks Tidegate on its engine the same.
 */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Command, Option } from 'commander'
import { startTidegate, type Tidegate } from '../src/library/start-tidegate.ts'
import { packageRoot } from '../src/package-root.ts'
import { askMatrix, type Matrix } from '../test/harness/access/ask-matrix.ts'
import { wantedOfTidegate } from '../test/harness/access/differences.ts'
import { GROUP, MEMBER, SUPERUSER } from '../test/harness/access/people.ts'
import { missingTools } from '../test/harness/real-hbase/jars.ts'
import { RealHBase } from '../test/harness/real-hbase/real-hbase.ts'
import { openRpcStore } from '../test/harness/rpc-store.ts'

const RECORDED = fileURLToPath(new URL('test/gateway/policies/access/recorded-matrix.json', packageRoot()))
const CONTROLLER = 'org.apache.hadoop.hbase.security.access.AccessController'

const CLIENT = { retriesMax: 0, pauseMs: 10 }

const CONTROLLED = {
  'hbase.security.authorization': 'true',
  'hbase.superuser': SUPERUSER,
  'hbase.quota.enabled': 'true',
  'hadoop.user.group.static.mapping.overrides': `${MEMBER}=${GROUP}`,
  ...Object.fromEntries(
    ['master', 'region', 'regionserver'].map((of) => [`hbase.coprocessor.${of}.classes`, CONTROLLER]),
  ),
}

async function askReal(): Promise<Matrix> {
  const hbase = await RealHBase.start({ gateways: false, settings: CONTROLLED })
  try {
    return await askMatrix((user) => openRpcStore(hbase.ports.regionServer, CLIENT, user))
  } finally {
    await hbase.stop()
  }
}

/** The cluster has the permissions, and Tidegate names the users to it. */
async function askPassed(clusterUser: 'caller' | 'proxy'): Promise<Matrix> {
  const own = process.env['HADOOP_USER_NAME'] ?? userInfo().username
  const rules = { [`hadoop.proxyuser.${own}.hosts`]: '*', [`hadoop.proxyuser.${own}.users`]: '*' }
  const hbase = await RealHBase.start({ gateways: false, settings: { ...CONTROLLED, ...rules } })
  let server: Tidegate | undefined
  try {
    const store = `hbase:127.0.0.1:${hbase.ports.zookeeper}`
    server = await startTidegate({ store, rest: 'off', thrift: 'off', rpc: 0, clusterUser, insecure: true })
    const port = server.ports.rpc!
    return await askMatrix((user) => openRpcStore(port, CLIENT, user))
  } finally {
    await server?.stop()
    await hbase.stop()
  }
}

/** Tidegate has the permissions, the cluster none. */
async function askRemote(): Promise<Matrix> {
  const hbase = await RealHBase.start({ gateways: false, settings: { 'hbase.quota.enabled': 'true' } })
  const folder = mkdtempSync(join(tmpdir(), 'access-matrix-'))
  const groups = join(folder, 'groups')
  writeFileSync(groups, `${GROUP}: ${MEMBER}\n`)
  let server: Tidegate | undefined
  try {
    const store = `hbase:127.0.0.1:${hbase.ports.zookeeper}`
    const access = { authorization: true, superuser: SUPERUSER, groups, insecure: true }
    server = await startTidegate({ store, rest: 'off', thrift: 'off', rpc: 0, ...access })
    const port = server.ports.rpc!
    return await askMatrix((user) => openRpcStore(port, CLIENT, user))
  } finally {
    await server?.stop()
    await hbase.stop()
    rmSync(folder, { recursive: true })
  }
}

function ask(target: string): Promise<Matrix> {
  if (target === 'real') return askReal()
  return target === 'remote' ? askRemote() : askPassed(target === 'proxy' ? 'proxy' : 'caller')
}

function differences(wanted: Matrix, found: Matrix): string[] {
  return Object.entries(found).flatMap(([operation, answers]) =>
    Object.entries(answers)
      .filter(([person, answer]) => wanted[operation]?.[person] !== answer)
      .map(([person, answer]) => `${operation} as ${person}: ${answer}, not ${wanted[operation]?.[person]}`),
  )
}

async function main(): Promise<void> {
  const { record, target } = new Command('access-matrix')
    .option('--record')
    .addOption(new Option('--target <target>').choices(['real', 'remote', 'caller', 'proxy']).default('real'))
    .parse()
    .opts<{ record?: true; target: string }>()
  const missing = missingTools()
  if (missing.length > 0) {
    process.stdout.write(`no HBase to ask: this machine has no ${missing.join(' and no ')}\n`)
    return
  }
  const found = await ask(target)
  if (record === true && target === 'real') {
    writeFileSync(RECORDED, `${JSON.stringify(found, undefined, 1)}\n`)
    return
  }
  const recorded = JSON.parse(readFileSync(RECORDED, 'utf8')) as Matrix
  const wanted = target === 'remote' ? wantedOfTidegate(recorded) : recorded
  const surprises = differences(wanted, found)
  process.stdout.write(`${[...surprises, `${surprises.length} answers differ`].join('\n')}\n`)
  process.exitCode = surprises.length === 0 ? 0 : 1
}

await main()

/**
 * ZooKeeper's own command line and HBase's own classes, unchanged, on a real HBase and on Tidegate, which must send them the
 * same: `npm run test:zookeeper [-- --record] [-- --keep]`. Needs Java and Maven.
 *
 * A value that differs between any two clusters is a star in the comparison: ids, times, counts of changes, hosts and ports, and the
 * length of values that have them. With `--record` the real HBase's znodes become the ones that `npm test` compares with.
 */

import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Command } from 'commander'
import { pino } from 'pino'
import { ZooKeeperClient } from '../adapters/hbase/zookeeper/zookeeper-client.ts'
import { startServer } from '../src/cli/serve/start-server.ts'
import { clusterOptions, parseClusterStore } from '../src/cli/settings/cluster-options.ts'
import { readServeSettings } from '../src/cli/settings/serve-options.ts'
import { addServeOptions } from '../src/cli/settings/stated-values.ts'
import { openStore } from '../src/cli/stores/open-store.ts'
import { familyDescriptor, tableDescriptor } from '../src/model/descriptor.ts'
import { parseTableName } from '../src/model/table-name.ts'
import { packageRoot } from '../src/package-root.ts'
import { OWN_CALL } from '../src/store/call.ts'
import type { Catalog } from '../src/store/catalog.ts'
import { keepResult, verdictLine } from '../test/harness/client-transcripts/client-results.ts'
import { missingTools, resolveJars } from '../test/harness/real-hbase/jars.ts'
import { realHBaseTarget } from '../test/harness/real-hbase/target.ts'
import { type DescribedZnode, describedZnodes } from '../test/harness/zookeeper/described-znodes.ts'

const SOURCES = fileURLToPath(new URL('test/clients/zookeeper/', packageRoot()))
const RECORDING = fileURLToPath(new URL('test/doors/zookeeper/hbase-znodes.json', packageRoot()))
const PARENT = '/hbase'
const LOGGER = pino({ level: 'silent' })
const CHANGES = ['create /hbase/x y', 'set /hbase/master x', 'delete /hbase/draining'].join('\n')

interface Counts {
  readonly passed: number
  readonly failed: number
}

interface Answers {
  readonly znodes: readonly DescribedZnode[]
  readonly commandLine: readonly string[]
  readonly classes: readonly string[]
}

/** Two tables and a namespace, which a real HBase keeps in ZooKeeper. */
async function fill(catalog: Catalog): Promise<void> {
  const named = await catalog.listNamespaces(OWN_CALL)
  if (named.some(({ name }) => name === 'ns1')) return
  await catalog.createNamespace({ name: 'ns1', properties: new Map() }, OWN_CALL)
  for (const name of ['ns1:t', 'plain']) {
    const table = tableDescriptor(parseTableName(name), [familyDescriptor('f')])
    await catalog.createTable(table, [], OWN_CALL)
  }
  await catalog.disableTable(parseTableName('plain'), OWN_CALL)
}

/** The text that a Java program prints, errors among it. Log4j's complaint is no answer. */
function java(classPath: readonly string[], args: readonly string[], input = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = ['-Xmx256m', '-Dfile.encoding=UTF-8', '-cp', classPath.join(':')]
    const child = spawn('sh', ['-c', 'exec "$0" "$@" 2>&1', 'java', ...options, ...args])
    const pieces: Buffer[] = []
    child.stdout.on('data', (piece: Buffer) => pieces.push(piece))
    child.on('error', reject)
    child.on('close', () => {
      resolve(
        Buffer.concat(pieces)
          .toString('utf8')
          .replaceAll(/^log4j:.*\n/gm, ''),
      )
    })
    child.stdin.end(input)
  })
}

function zkCli(jars: string, port: number, commands: string): Promise<string> {
  const main = 'org.apache.zookeeper.ZooKeeperMain'
  return java([jars], [main, '-server', `127.0.0.1:${port}`], commands)
}

async function ask(port: number, jars: string, classes: string): Promise<Answers> {
  const client = new ZooKeeperClient({
    servers: [{ host: '127.0.0.1', port }],
    chroot: '',
    sessionTimeoutMs: 10_000,
    connectTimeoutMs: 5000,
    requestTimeoutMs: 5000,
    idleMs: 5000,
    random: Math.random,
  })
  const znodes = await describedZnodes(client, PARENT)
  await client.close()
  const commands = readFileSync(join(SOURCES, 'zkcli-commands.txt'), 'utf8')
  const reader = ['org.apache.hadoop.hbase.client.ReadZnodes', String(port), PARENT]
  return {
    znodes,
    commandLine: masked(await zkCli(jars, port, commands)),
    classes: masked(await java([classes, jars], reader)),
  }
}

const EVENT = /\nWATCHER::\n\nWatchedEvent (.*)\n?/g
/** A value's start: 0xff, which is no letter, a length, the writer, eight random bytes. */
const WRITER = /\ufffd\0\0\0[^](master|regionserver):\d+[^]{0,8}?(?=PBUF|\n\p{Cc}[a-z])/gu
/** A message that begins with a ServerName. */
const SERVER = /PBUF\n[^\n$]\n.*/gu

/** Events come at any time, and so at the end here. */
function masked(text: string): string[] {
  const events = [...text.matchAll(EVENT)].map(([, event]) => event!).filter((each) => !/Closed/.test(each))
  const printed = text
    .replaceAll(EVENT, '')
    .replaceAll(WRITER, '$1:PORT ')
    .replaceAll(SERVER, 'PBUF SERVER')
    .replaceAll(/0x[0-9a-f]+/g, '0x*')
    .replaceAll(/^([cm]time|cversion|dataVersion) = .*/gm, '$1 = *')
    .replaceAll(/^dataLength = [1-9]\d*$/gm, 'dataLength = *')
    .replaceAll(/[\w.-]+,\d+,\d{13}/g, 'HOST,PORT,TIME')
    .replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, 'UUID')
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT')
    .replaceAll(/(Zookeeper version: \d+\.\d+\.\d+).*/g, '$1')
    .replaceAll(/ +\/127\.0\.0\.1:PORT\[.*\n/g, '')
    .replaceAll(/(min\/avg\/max|Received|Sent|Connections|Node count): .*/g, '$1: *')
  return [...printed.split('\n'), ...events.sort()]
}

/** Prints the lines in which the two differ, and counts them. */
function compare(name: string, real: readonly string[], tidegate: readonly string[]): Counts {
  const differing = Array.from({ length: Math.max(real.length, tidegate.length) }, (_, i) => i).filter(
    (i) => real[i] !== tidegate[i],
  )
  for (const i of differing.slice(0, 20)) {
    process.stdout.write(`${name}, line ${i + 1}\n  HBase:    ${real[i]}\n  Tidegate: ${tidegate[i]}\n`)
  }
  process.stdout.write(`${name}: ${real.length} lines, ${differing.length} differ\n`)
  return { passed: real.length - differing.length, failed: differing.length }
}

const lines = (znodes: readonly DescribedZnode[]): string[] => znodes.map((each) => JSON.stringify(each))

async function realHBase(jars: string, classes: string): Promise<Answers> {
  const target = await realHBaseTarget()
  try {
    const address = parseClusterStore(`hbase:${target.quorum}${PARENT}`)
    const store = await openStore(clusterOptions(address, new Map()), LOGGER)
    await fill(store.catalog)
    await store.close()
    return await ask(Number(target.quorum.split(':').at(-1)), jars, classes)
  } finally {
    await target.stop()
  }
}

async function tidegate(jars: string, classes: string): Promise<Answers & { readonly refusals: string }> {
  const doors = ['--rest', 'off', '--thrift', 'off', '--rpc', 'off', '--zookeeper', '0', '--web', '0']
  const command = addServeOptions(new Command('serve'))
  const settings = readServeSettings(command.parse(['--store', 'memory', ...doors], { from: 'user' }))
  const server = await startServer(settings, (name) => name, LOGGER)
  try {
    await fill(server.store.catalog)
    const { port } = server.doors.get('zookeeper')!
    return {
      ...(await ask(port, jars, classes)),
      refusals: await zkCli(jars, port, `${CHANGES}\nquit\n`),
    }
  } finally {
    await server.stop()
  }
}

async function main(): Promise<void> {
  const { record, keep } = new Command('test:zookeeper')
    .option('--record')
    .option('--keep', 'writes the result into docs/clients')
    .parse()
    .opts<{ record?: true; keep?: true }>()
  const missing = missingTools()
  if (missing.length > 0) {
    process.stdout.write(`nothing was compared: this machine has no ${missing.join(' and no ')}\n`)
    return
  }
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-zookeeper-'))
  try {
    const jars = `${resolveJars()}/*`
    const source = join(SOURCES, 'java', 'ReadZnodes.java')
    execFileSync('javac', ['-nowarn', '-d', folder, '-cp', jars, source], { stdio: 'ignore' })
    const [real, own] = [await realHBase(jars, folder), await tidegate(jars, folder)]
    if (record === true) writeFileSync(RECORDING, `${JSON.stringify(real.znodes, undefined, 2)}\n`)
    const refused = own.refusals.split('\n').filter((line) => line.startsWith('Not a read-only call')).length
    process.stdout.write(`changes: ${refused} of ${CHANGES.split('\n').length} refused\n`)
    const changes = CHANGES.split('\n').length
    const counts = [
      { passed: refused, failed: changes - refused },
      compare('znodes', lines(real.znodes), lines(own.znodes)),
      compare('zkCli', real.commandLine, own.commandLine),
      compare("HBase's classes", real.classes, own.classes),
    ]
    const sum = (of: keyof Counts): number => counts.reduce((all, each) => all + each[of], 0)
    const [passed, failed] = [sum('passed'), sum('failed')]
    process.stdout.write(verdictLine({ passed, failed }))
    if (failed > 0) process.exitCode = 1
    if (keep === true) keepResult('zookeeper', { passed, failed, mayDiffer: 0 })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

await main()

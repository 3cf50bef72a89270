/**
 * Hadoop's own timeline server on loopback, for comparisons: ApplicationHistoryServer with RollingLevelDBTimelineStore, on free
 * ports, with data in a temporary folder. Its jars come through Maven, once.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../../../src/package-root.ts'
import { mavenJars } from '../client-transcripts/maven-jars.ts'
import { own } from '../processes/owned-children.ts'

const START_MS_MAX = 60_000
const STOP_MS_MAX = 15_000
const MAIN = 'org.apache.hadoop.yarn.server.applicationhistoryservice.ApplicationHistoryServer'
const STORE = 'org.apache.hadoop.yarn.server.timeline.RollingLevelDBTimelineStore'
/** What FST, which stores values, looks into. */
const OPENED = [
  'java.base/java.io',
  'java.base/java.lang',
  'java.base/java.lang.reflect',
  'java.base/java.math',
  'java.base/java.net',
  'java.base/java.text',
  'java.base/java.util',
  'java.base/java.util.concurrent',
  'java.sql/java.sql',
]

export interface RealTimeline {
  /** `127.0.0.1:PORT`. */
  readonly address: string
  /** The folder of its LevelDB files, which can be read once it has stopped. */
  readonly store: string
  /** Ends the server; its folder stays until `remove`. */
  stop(): Promise<void>
  remove(): void
}

export function timelineJars(): string {
  return mavenJars('timeline-3.3.6', fileURLToPath(new URL('test/clients/timeline/pom.xml', packageRoot())))
}

/** `settings`: more of yarn-site.xml. Throws where it does not answer in time. */
export async function startRealTimeline(
  settings: Readonly<Record<string, string>> = {},
): Promise<RealTimeline> {
  const jars = timelineJars()
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-real-timeline-'))
  const [web, https, rpc] = await freePorts(3)
  const address = `127.0.0.1:${web}`
  writeSettings(join(folder, 'conf'), {
    'hadoop.tmp.dir': join(folder, 'tmp'),
    'yarn.timeline-service.enabled': 'true',
    'yarn.timeline-service.hostname': '127.0.0.1',
    'yarn.timeline-service.bind-host': '127.0.0.1',
    'yarn.timeline-service.webapp.address': address,
    'yarn.timeline-service.webapp.https.address': `127.0.0.1:${https}`,
    'yarn.timeline-service.address': `127.0.0.1:${rpc}`,
    'yarn.timeline-service.store-class': STORE,
    'yarn.timeline-service.leveldb-timeline-store.path': join(folder, 'store'),
    'yarn.timeline-service.http-authentication.type': 'simple',
    'yarn.timeline-service.ttl-enable': 'false',
    ...settings,
  })
  const log = join(folder, 'server.log')
  const opens = OPENED.map((name) => `--add-opens=${name}=ALL-UNNAMED`)
  const args = [...opens, '-Xmx512m', '-cp', `${join(folder, 'conf')}:${jars}/*`, MAIN]
  const output = openSync(log, 'w')
  const child = spawn('java', args, { cwd: folder, stdio: ['ignore', output, output] })
  own(child)
  try {
    await untilAnswers(address, child)
  } catch (error) {
    await ended(child)
    const told = readFileSync(log, 'utf8').slice(-2000)
    rmSync(folder, { recursive: true, force: true })
    throw new Error(`${String(error)}:\n${told}`, { cause: error })
  }
  return {
    address,
    store: join(folder, 'store', 'leveldb-timeline-store'),
    stop: () => ended(child),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  await Promise.all(servers.map((server) => once(server.close(), 'close')))
  return ports
}

function writeSettings(folder: string, settings: Readonly<Record<string, string>>): void {
  mkdirSync(folder, { recursive: true })
  const properties = Object.entries(settings).map(
    ([name, value]) => `<property><name>${name}</name><value>${value}</value></property>`,
  )
  const site = `<configuration>\n${properties.join('\n')}\n</configuration>\n`
  for (const name of ['core-site.xml', 'yarn-site.xml']) writeFileSync(join(folder, name), site)
  const appender = 'log4j.appender.E'
  const lines = [
    'log4j.rootLogger=INFO,E',
    `${appender}=org.apache.log4j.ConsoleAppender`,
    `${appender}.target=System.err`,
    `${appender}.layout=org.apache.log4j.PatternLayout`,
    `${appender}.layout.ConversionPattern=%p %c: %m%n`,
  ]
  writeFileSync(join(folder, 'log4j.properties'), `${lines.join('\n')}\n`)
}

/** Asks for a page of no resource: a look at entities would begin a period. */
async function untilAnswers(address: string, child: ChildProcess): Promise<void> {
  const until = Date.now() + START_MS_MAX
  while (Date.now() < until) {
    if (child.exitCode !== null) throw new Error(`the timeline server ended with ${child.exitCode}`)
    const answers = await fetch(`http://${address}/ws/v1/nothing`).then(
      async (response) => response.text(),
      () => undefined,
    )
    if (answers !== undefined) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error('the timeline server did not answer in time')
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX)
  await exit
  clearTimeout(timer)
}

/**
 * A real HBase on loopback, for comparisons: one standalone process (ZooKeeper, master, region server), the REST server
 * and the two Thrift servers, on free ports, with data in a temporary folder.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { resolveJars } from './jars.ts'

const START_MS_MAX = 180_000
const HEAP = '512m'
const PORT_NAMES = [
  'zookeeper',
  'master',
  'masterInfo',
  'regionServer',
  'regionServerInfo',
  'rest',
  'restInfo',
  'thrift1',
  'thrift1Info',
  'thrift2',
  'thrift2Info',
] as const
export type RealHBasePorts = Readonly<Record<(typeof PORT_NAMES)[number], number>>

const OPENED_PACKAGES = [
  'java.lang',
  'java.lang.reflect',
  'java.net',
  'java.nio',
  'java.util',
  'java.util.concurrent',
  'java.util.concurrent.atomic',
  'jdk.internal.ref',
  'sun.nio.ch',
]

async function freePorts(): Promise<RealHBasePorts> {
  const servers = await Promise.all(
    PORT_NAMES.map(async (name) => {
      const server = createServer().listen(0, '127.0.0.1')
      await new Promise((resolve) => server.once('listening', resolve))
      return [name, server] as const
    }),
  )
  const ports = servers.map(([name, server]) => [name, (server.address() as AddressInfo).port] as const)
  await Promise.all(servers.map(([, server]) => new Promise((resolve) => server.close(resolve))))
  return Object.fromEntries(ports) as Record<(typeof PORT_NAMES)[number], number>
}

function siteXml(folder: string, ports: RealHBasePorts): string {
  const settings: Record<string, string | number> = {
    'hbase.cluster.distributed': 'false',
    'hbase.rootdir': `file://${folder}/data/hbase`,
    'hbase.tmp.dir': `${folder}/data/tmp`,
    'hbase.unsafe.stream.capability.enforce': 'false',
    'hbase.wal.provider': 'filesystem',
    'hbase.zookeeper.quorum': '127.0.0.1',
    'hbase.zookeeper.property.clientPort': ports.zookeeper,
    'hbase.zookeeper.property.dataDir': `${folder}/data/zk`,
    'hbase.master.port': ports.master,
    'hbase.master.info.port': ports.masterInfo,
    'hbase.master.hostname': 'localhost',
    'hbase.master.ipc.address': '127.0.0.1',
    'hbase.master.info.bindAddress': '127.0.0.1',
    'hbase.regionserver.port': ports.regionServer,
    'hbase.regionserver.info.port': ports.regionServerInfo,
    'hbase.regionserver.hostname': 'localhost',
    'hbase.regionserver.ipc.address': '127.0.0.1',
    'hbase.regionserver.info.bindAddress': '127.0.0.1',
    'hbase.client.bootstrap.servers': `localhost:${ports.regionServer}`,
    'hbase.rest.host': '127.0.0.1',
    'hbase.rest.info.bindAddress': '127.0.0.1',
    'hbase.regionserver.thrift.ipaddress': '127.0.0.1',
    'hbase.thrift.info.bindAddress': '127.0.0.1',
  }
  const properties = Object.entries(settings).map(
    ([name, value]) => `  <property><name>${name}</name><value>${value}</value></property>`,
  )
  return `<configuration>\n${properties.join('\n')}\n</configuration>\n`
}

const LOG4J = `log4j.rootLogger=INFO,c
log4j.appender.c=org.apache.log4j.ConsoleAppender
log4j.appender.c.target=System.err
log4j.appender.c.layout=org.apache.log4j.PatternLayout
log4j.appender.c.layout.ConversionPattern=%d{ISO8601} %p [%t] %c{2}: %m%n
`

export class RealHBase {
  readonly ports: RealHBasePorts
  readonly #folder: string
  readonly #lib: string
  readonly #processes = new Map<string, ChildProcess>()

  private constructor(folder: string, lib: string, ports: RealHBasePorts) {
    this.#folder = folder
    this.#lib = lib
    this.ports = ports
  }

  /** Resolves when all four processes answer. Throws with the end of a log where one does not. */
  static async start(): Promise<RealHBase> {
    const folder = mkdtempSync(join(tmpdir(), 'real-hbase-'))
    const hbase = new RealHBase(folder, resolveJars(), await freePorts())
    try {
      await hbase.#startAll()
    } catch (error) {
      await hbase.stop()
      throw error
    }
    return hbase
  }

  async #startAll(): Promise<void> {
    const { ports } = this
    for (const name of ['conf', 'data', 'log']) mkdirSync(join(this.#folder, name))
    writeFileSync(join(this.#folder, 'conf', 'hbase-site.xml'), siteXml(this.#folder, ports))
    writeFileSync(join(this.#folder, 'conf', 'log4j.properties'), LOG4J)
    this.#launch('master', ['org.apache.hadoop.hbase.master.HMaster', 'start', '--localRegionServers=1'])
    await this.#until('master', async () =>
      this.#log('master').includes('Master has completed initialization'),
    )
    const gateway = (name: string, main: string, port: number, info: number): void =>
      this.#launch(name, [main, 'start', '-p', String(port), '--infoport', String(info)])
    gateway('rest', 'org.apache.hadoop.hbase.rest.RESTServer', ports.rest, ports.restInfo)
    gateway('thrift1', 'org.apache.hadoop.hbase.thrift.ThriftServer', ports.thrift1, ports.thrift1Info)
    gateway('thrift2', 'org.apache.hadoop.hbase.thrift2.ThriftServer', ports.thrift2, ports.thrift2Info)
    for (const name of ['rest', 'thrift1', 'thrift2'] as const) {
      await this.#until(name, () => answers(ports[name]))
    }
  }

  #launch(name: string, args: readonly string[]): void {
    const log = openSync(join(this.#folder, 'log', `${name}.log`), 'a')
    const java = [
      ...OPENED_PACKAGES.map((opened) => `--add-opens=java.base/${opened}=ALL-UNNAMED`),
      '--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED',
      `-Xmx${HEAP}`,
      '-cp',
      `${this.#folder}/conf:${this.#lib}/*`,
      ...args,
    ]
    const child = spawn('java', java, { cwd: this.#folder, stdio: ['ignore', log, log] })
    child.once('error', () => child.kill())
    this.#processes.set(name, child)
  }

  #log(name: string): string {
    return readFileSync(join(this.#folder, 'log', `${name}.log`), 'utf8')
  }

  async #until(name: string, isReady: () => Promise<boolean>): Promise<void> {
    const deadline = Date.now() + START_MS_MAX
    while (!(await isReady())) {
      const ended = this.#processes.get(name)?.exitCode !== null
      if (ended || Date.now() > deadline) {
        throw new Error(
          `HBase's ${name} ${ended ? 'ended' : 'is not ready'}:\n${this.#log(name).slice(-3000)}`,
        )
      }
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
  }

  /** Of `master` (which is ZooKeeper and the region server too), `rest`, `thrift1`, `thrift2`. */
  pidOf(name: string): number {
    const pid = this.#processes.get(name)?.pid
    if (pid === undefined) throw new Error(`HBase has no process ${name}`)
    return pid
  }

  /** Ends the processes and removes their data. */
  async stop(): Promise<void> {
    for (const child of [...this.#processes.values()].toReversed()) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill()
      const impatient = setTimeout(() => child.kill('SIGKILL'), 15_000)
      await ended
      clearTimeout(impatient)
    }
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

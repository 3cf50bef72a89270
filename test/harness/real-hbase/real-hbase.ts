/**
 * A real HBase on loopback, for comparisons: one standalone process (ZooKeeper, master, region servers), the REST server
 * and the two Thrift servers, on free ports, with data in a temporary folder.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { own } from '../processes/owned-children.ts'
import { freePorts, type RealHBasePorts } from './free-ports.ts'
import { resolveJars } from './jars.ts'
import { writeSiteFiles } from './site-files.ts'

const START_MS_MAX = 180_000
const STOP_MS_MAX = 15_000

export interface RealHBaseOptions {
  /** Region servers. With more than one, these and the master take any free ports: ZooKeeper knows them. */
  readonly servers?: number
  /** The REST server and the two Thrift servers too, or some of them. */
  readonly gateways?: boolean | readonly Gateway[]
  /** Java heap of each process. */
  readonly heap?: string
  /** More of hbase-site.xml. */
  readonly settings?: Readonly<Record<string, string | number>>
  /** More of the class path. */
  readonly jars?: readonly string[]
  /** More options of each JVM. */
  readonly javaOptions?: readonly string[]
  /** More variables of each process. */
  readonly environment?: Readonly<Record<string, string>>
}

const DEFAULTS: Required<RealHBaseOptions> = {
  servers: 1,
  gateways: true,
  heap: '512m',
  settings: {},
  jars: [],
  javaOptions: [],
  environment: {},
}

const MAIN_CLASSES = {
  rest: 'org.apache.hadoop.hbase.rest.RESTServer',
  thrift1: 'org.apache.hadoop.hbase.thrift.ThriftServer',
  thrift2: 'org.apache.hadoop.hbase.thrift2.ThriftServer',
} as const
export type Gateway = keyof typeof MAIN_CLASSES
const GATEWAYS = Object.keys(MAIN_CLASSES) as Gateway[]

/**
 * Puts the JVM's archive of common names at any place in memory. It lists methods in the order of their names' addresses;
 * with the archive at its usual place most machines have the same order in every process.
 */
const MOVING_ARCHIVE = [
  '-XX:+IgnoreUnrecognizedVMOptions',
  '-XX:+UnlockDiagnosticVMOptions',
  '-XX:ArchiveRelocationMode=1',
]

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

type Settings = Readonly<Record<string, string | number>>

export class RealHBase {
  readonly ports: RealHBasePorts
  readonly #folder: string
  readonly #lib: string
  readonly #options: Required<RealHBaseOptions>
  readonly #processes = new Map<string, ChildProcess>()

  private constructor(
    folder: string,
    lib: string,
    ports: RealHBasePorts,
    options: Required<RealHBaseOptions>,
  ) {
    this.#folder = folder
    this.#lib = lib
    this.#options = options
    this.ports = ports
  }

  /** Resolves when all processes answer. Throws with the end of a log where one does not. */
  static async start(options: RealHBaseOptions = {}): Promise<RealHBase> {
    const folder = mkdtempSync(join(tmpdir(), 'real-hbase-'))
    const hbase = new RealHBase(folder, resolveJars(), await freePorts(), { ...DEFAULTS, ...options })
    try {
      await hbase.#startAll()
    } catch (error) {
      await hbase.stop()
      throw error
    }
    return hbase
  }

  async #startAll(): Promise<void> {
    for (const name of ['data', 'log']) mkdirSync(join(this.#folder, name))
    writeSiteFiles(this.#confPath(), this.#folder, this.ports, this.#options)
    await this.#startMaster()
    const { gateways } = this.#options
    await this.#startGateways(gateways === true ? GATEWAYS : gateways || [])
  }

  async #startMaster(): Promise<void> {
    const log = this.#logPath('master')
    if (existsSync(log)) renameSync(log, `${log}.${Date.now()}`)
    const servers = `--localRegionServers=${this.#options.servers}`
    this.#launch('master', ['org.apache.hadoop.hbase.master.HMaster', 'start', servers])
    await this.#until('master', async () =>
      this.#log('master').includes('Master has completed initialization'),
    )
  }

  async #startGateways(names: readonly Gateway[]): Promise<void> {
    for (const name of names) this.#launchGateway(name)
    for (const name of names) await this.#until(name, () => answers(this.ports[name]))
  }

  #launchGateway(name: Gateway, options: readonly string[] = []): void {
    const { ports } = this
    const listen = ['-p', String(ports[name]), '--infoport', String(ports[`${name}Info`])]
    this.#launch(name, [...options, MAIN_CLASSES[name], 'start', ...listen])
  }

  /** One more server of the kind, with settings that take precedence over the cluster's. `name`: of its own, for `pidOf`. Resolves to its port. */
  async startGateway(name: string, kind: Gateway, settings: Settings): Promise<number> {
    const ports = await freePorts()
    const options = { ...this.#options, settings: { ...this.#options.settings, ...settings } }
    writeSiteFiles(this.#confPath(name), this.#folder, this.ports, options)
    const listen = ['-p', String(ports[kind]), '--infoport', String(ports[`${kind}Info`])]
    this.#launch(name, [MAIN_CLASSES[kind], 'start', ...listen], this.#confPath(name))
    await this.#until(name, () => answers(ports[kind]))
    return ports[kind]
  }

  /** One more region server as a process of its own, with settings that take precedence. `name`: of its own, for `pidOf`. */
  async startRegionServer(name: string, settings: Settings): Promise<void> {
    const ports = { ...(await freePorts()), zookeeper: this.ports.zookeeper }
    const ofProcess: Settings = {
      'hbase.cluster.distributed': 'true',
      'hbase.tmp.dir': join(this.#folder, 'data', `tmp-${name}`),
    }
    const all = { ...this.#options.settings, ...ofProcess, ...settings }
    writeSiteFiles(this.#confPath(name), this.#folder, ports, { ...this.#options, settings: all })
    const main = 'org.apache.hadoop.hbase.regionserver.HRegionServer'
    this.#launch(name, [main, 'start'], this.#confPath(name))
    await this.#until(name, async () => this.#log(name).includes('Serving as '))
  }

  /** Ends the REST server and starts another, whose JVM may list the methods of a class in another order. */
  async restartRest(): Promise<void> {
    await end(this.#processes.get('rest')!, STOP_MS_MAX)
    this.#launchGateway('rest', MOVING_ARCHIVE)
    await this.#until('rest', () => answers(this.ports.rest))
  }

  #launch(name: string, args: readonly string[], conf: string = this.#confPath()): void {
    const log = openSync(this.#logPath(name), 'a')
    const java = [
      ...OPENED_PACKAGES.map((opened) => `--add-opens=java.base/${opened}=ALL-UNNAMED`),
      '--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED',
      `-Xmx${this.#options.heap}`,
      ...this.#options.javaOptions,
      '-cp',
      [conf, `${this.#lib}/*`, ...this.#options.jars].join(':'),
      ...args,
    ]
    const env = { ...process.env, ...this.#options.environment }
    const child = spawn('java', java, { cwd: this.#folder, env, stdio: ['ignore', log, log] })
    own(child, () => this.#removeFolder())
    child.once('error', () => child.kill())
    this.#processes.set(name, child)
  }

  #log(name: string): string {
    return readFileSync(this.#logPath(name), 'utf8')
  }

  #logPath(name: string): string {
    return join(this.#folder, 'log', `${name}.log`)
  }

  /** `name`: of a gateway with settings of its own. */
  #confPath(name?: string): string {
    return join(this.#folder, name === undefined ? 'conf' : `conf-${name}`)
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

  /** Of `master` (which is ZooKeeper and the region server too), `rest`, `thrift1`, `thrift2`, or the name of `startGateway`. */
  pidOf(name: string): number {
    const pid = this.#processes.get(name)?.pid
    if (pid === undefined) throw new Error(`HBase has no process ${name}`)
    return pid
  }

  /** Where it keeps tables and logs. */
  get dataFolder(): string {
    return join(this.#folder, 'data')
  }

  /** Ends ZooKeeper, master and region servers, and starts them anew on the same data. They have `stopMs` to end in order. */
  async restart(stopMs: number): Promise<void> {
    await end(this.#processes.get('master')!, stopMs)
    await this.#startMaster()
  }

  /** Ends the processes and removes their data. */
  async stop(): Promise<void> {
    for (const child of [...this.#processes.values()].toReversed()) await end(child, STOP_MS_MAX)
    this.#removeFolder()
  }

  /** A process that was just killed may still write for a moment. */
  #removeFolder(): void {
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  }
}

async function end(child: ChildProcess, impatientMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill()
  const impatient = setTimeout(() => child.kill('SIGKILL'), impatientMs)
  await ended
  clearTimeout(impatient)
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

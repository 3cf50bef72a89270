/** Tidegate as a process of this machine: for those who have no Docker, and for those who do not want to wait for it. */

import { type ChildProcess, spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Address, StartedTidegate } from './started-tidegate.ts'
import { type FaultRule, type Seed, TestRequests } from './test-requests.ts'

export type { Address, StartedTidegate } from './started-tidegate.ts'
export type { FaultError, FaultedCall, FaultRule, Seed } from './test-requests.ts'

const START_MS = 60_000
const STOP_MS = 15_000
const DOORS = ['rest', 'thrift', 'rpc', 'zookeeper', 'web'] as const
type Door = (typeof DOORS)[number]

export class TidegateProcess {
  readonly #command: string | undefined
  #seed: Seed = {}
  #options: readonly string[] = []
  #startMs = START_MS

  /**
   * `command`: the path of `tidegate`, or of its JavaScript file. Without it, the variable TIDEGATE_COMMAND counts, then the
   * package `tidegate` that this project has installed, then the PATH.
   */
  constructor(command?: string) {
    this.#command = command
  }

  /** The tables that the server has at its start, and after each `reset()`. */
  withSeed(seed: Seed): this {
    this.#seed = seed
    return this
  }

  /** Options of `tidegate serve`, such as `--store native:DIRECTORY`. */
  withOptions(...options: readonly string[]): this {
    this.#options = options
    return this
  }

  withStartupTimeout(startMs: number): this {
    this.#startMs = startMs
    return this
  }

  async start(): Promise<StartedTidegateProcess> {
    const [program, ...before] = commandWords(this.#command)
    const args = [...before, 'serve', ...this.#options]
    // A variable in the environment of the tests must not choose another store.
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('TIDEGATE_'))
    const child = spawn(program!, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...Object.fromEntries(inherited), ...defaults() },
    })
    const kill = (): void => void child.kill('SIGKILL')
    process.once('exit', kill)
    child.once('exit', () => process.off('exit', kill))
    let started: StartedTidegateProcess
    try {
      started = new StartedTidegateProcess(child, await readyPorts(child, this.#startMs), this.#seed)
      await started.reset()
    } catch (error) {
      child.kill('SIGKILL')
      throw error
    }
    // Neither the process nor its output keeps the tests from ending.
    child.unref()
    return started
  }
}

/** Variables, and no flags: an option of the test's own goes before, where a flag would be refused twice. */
function defaults(): Record<string, string> {
  const ports = DOORS.map((door) => [`TIDEGATE_${door.toUpperCase()}`, '0'])
  return {
    ...Object.fromEntries(ports),
    TIDEGATE_STORE: 'memory',
    TIDEGATE_HOST: '127.0.0.1',
    TIDEGATE_LOG_LEVEL: 'warn',
    TIDEGATE_TEST_MODE: 'yes',
  }
}

export class StartedTidegateProcess implements StartedTidegate {
  readonly restUrl: string
  readonly webUrl: string
  readonly thrift: Address
  readonly rpc: Address
  readonly zookeeper: Address
  readonly #child: ChildProcess
  readonly #requests: TestRequests

  constructor(child: ChildProcess, ports: ReadonlyMap<string, Address>, seed: Seed) {
    const of = (door: Door): Address => {
      const address = ports.get(door)
      if (address === undefined) throw new Error(`Tidegate has no door ${door}: an option switched it off`)
      return address
    }
    this.#child = child
    this.restUrl = urlOf(of('rest'))
    this.webUrl = urlOf(of('web'))
    this.thrift = of('thrift')
    this.rpc = of('rpc')
    this.zookeeper = of('zookeeper')
    this.#requests = new TestRequests(this.webUrl, seed)
  }

  reset(seed?: Seed): Promise<void> {
    return this.#requests.reset(seed)
  }

  fault(...rules: readonly FaultRule[]): Promise<void> {
    return this.#requests.fault(...rules)
  }

  faultsMade(): Promise<readonly number[]> {
    return this.#requests.faultsMade()
  }

  /** Resolves when the process has ended. */
  async stop(): Promise<void> {
    const child = this.#child
    if (child.exitCode !== null || child.signalCode !== null) return
    child.ref()
    const ended = new Promise((resolve) => child.once('exit', resolve))
    const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
    child.kill('SIGTERM')
    await ended
    clearTimeout(late)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }
}

function urlOf({ host, port }: Address): string {
  return `http://${host}:${port}`
}

function commandWords(stated: string | undefined): readonly string[] {
  const path = stated ?? process.env['TIDEGATE_COMMAND'] ?? installedCommand() ?? 'tidegate'
  return /\.[cm]?js$/.test(path) ? [process.execPath, path] : [path]
}

/** The command of the package `tidegate` that a program in this folder would load. */
function installedCommand(): string | undefined {
  const { resolve } = createRequire(join(process.cwd(), 'package.json'))
  try {
    return join(dirname(resolve('tidegate/package.json')), 'dist', 'src', 'cli', 'main.js')
  } catch {
    return undefined
  }
}

/** The addresses in the line that the server prints once all doors listen. */
async function readyPorts(child: ChildProcess, startMs: number): Promise<ReadonlyMap<string, Address>> {
  let [out, err] = ['', '']
  const line = await new Promise<string>((resolve, reject) => {
    const late = setTimeout(() => fail(`was not ready after ${startMs} ms`), startMs)
    const fail = (what: string): void => {
      clearTimeout(late)
      reject(new Error(`Tidegate ${what}\n${err.slice(-4000)}`))
    }
    child.once('error', ({ message }) =>
      fail(`cannot be started: ${message}. TIDEGATE_COMMAND may name its command.`),
    )
    child.once('close', (code, signal) => fail(`ended with ${code ?? signal} before it was ready`))
    child.stderr!.on('data', (chunk: Buffer) => {
      err = (err + chunk.toString()).slice(-16_384)
    })
    child.stdout!.on('data', (chunk: Buffer) => {
      out = (out + chunk.toString()).slice(-16_384)
      const ready = /^ready .*$/m.exec(out)
      if (ready === null) return
      clearTimeout(late)
      resolve(ready[0])
    })
  })
  const found = [...line.matchAll(/(\w+)=(\S+):(\d+)/g)]
  return new Map(found.map(([, door, host, port]) => [door!, { host: host!, port: Number(port) }]))
}

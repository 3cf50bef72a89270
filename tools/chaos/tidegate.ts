/** Tidegate as a process in front of the run's HBase; counts the lines of its log. */

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { residentBytes } from '../../test/harness/process-usage.ts'
import { own } from '../../test/harness/processes/owned-children.ts'
import { OPERATION_TIMEOUT_MS, RPC_TIMEOUT_MS } from './settings.ts'

const SERVE = new URL('../../src/cli/main.js', import.meta.url).pathname
const SAMPLE_MS = 250

const CONFIG: Readonly<Record<string, number>> = {
  'hbase.client.operation.timeout': OPERATION_TIMEOUT_MS,
  'hbase.client.scanner.timeout.period': OPERATION_TIMEOUT_MS,
  'hbase.rpc.timeout': RPC_TIMEOUT_MS,
}

export class Tidegate {
  readonly #process: ChildProcess
  readonly #folder: string
  readonly #readyLine: string
  readonly #log: string[] = []
  readonly #sampler: NodeJS.Timeout
  #largest = 0

  private constructor(process: ChildProcess, folder: string, readyLine: string) {
    this.#process = process
    this.#folder = folder
    this.#readyLine = readyLine
    this.#sampler = setInterval(() => {
      this.#largest = Math.max(this.#largest, this.residentBytes())
    }, SAMPLE_MS)
    let text = ''
    process.stderr!.on('data', (chunk: Buffer) => {
      const lines = (text + chunk.toString()).split('\n')
      text = lines.pop()!
      this.#log.push(...lines)
    })
  }

  static async start(zookeeperPort: number): Promise<Tidegate> {
    const folder = mkdtempSync(join(tmpdir(), 'chaos-'))
    const config = join(folder, 'hbase-site.xml')
    const properties = Object.entries(CONFIG).map(
      ([name, value]) => `<property><name>${name}</name><value>${value}</value></property>`,
    )
    writeFileSync(config, `<configuration>${properties.join('')}</configuration>`)
    const store = `hbase:127.0.0.1:${zookeeperPort}`
    const doors = ['--rest', '0', '--thrift', '0', '--rpc', 'off', '--zookeeper', 'off', '--web', 'off']
    const args = ['serve', '--store', store, '--config', config, ...doors]
    const child = spawn(process.execPath, [SERVE, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
    own(child, () => rmSync(folder, { recursive: true, force: true }))
    const readyLine = await new Promise<string>((resolve, reject) => {
      child.stdout.on('data', (chunk: Buffer) => resolve(chunk.toString()))
      child.once('error', reject)
      child.once('exit', (code) => reject(new Error(`Tidegate ended with code ${code} before it was ready`)))
    })
    return new Tidegate(child, folder, readyLine)
  }

  port(door: 'rest' | 'thrift'): number {
    return Number(new RegExp(`\\b${door}=\\S*:(\\d+)`).exec(this.#readyLine)?.[1])
  }

  get isRunning(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null
  }

  /** Lines logged so far. */
  get log(): readonly string[] {
    return this.#log
  }

  residentBytes(): number {
    return residentBytes(this.#process.pid)
  }

  /** The most memory used since the last question. */
  takeLargestBytes(): number {
    const largest = Math.max(this.#largest, this.residentBytes())
    this.#largest = 0
    return largest
  }

  async stop(): Promise<void> {
    clearInterval(this.#sampler)
    if (this.isRunning) {
      const ended = new Promise((resolve) => this.#process.once('exit', resolve))
      this.#process.kill()
      await ended
    }
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

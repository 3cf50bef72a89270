/** Backups, and restores of random moments, beside the work of a soak: each restored table is compared with its history. */

import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { ChildServer } from '../../test/harness/child-server.ts'
import { own } from '../../test/harness/processes/owned-children.ts'
import { FREE_PORTS, MAIN } from '../../test/harness/tidegate-process.ts'
import type { Findings } from '../chaos/findings.ts'
import { randomBelow, randomOf, type StopSignal } from '../chaos/stop-signal.ts'
import { type Histories, HistoryClient } from './history-writers.ts'

const UPKEEP_PAUSE_MS = 8000
const RESTORE_PAUSE_MS = 1000
/** A command is ended by a signal within so long, in one of so many runs. */
const CUT_MS_MAX = 1500
const CUT_ONE_OF = 4

export interface RestoresContext {
  /** Of the run. */
  readonly folder: string
  readonly destination: string
  readonly server: { readonly thrift: number; readonly rpc: number }
  readonly histories: Histories
  readonly findings: Findings
  readonly stop: StopSignal
  /** How often each thing was done. */
  readonly counts: Map<string, number>
}

interface Ran {
  readonly code: number | null
  readonly lines: readonly string[]
  readonly text: string
}

interface Times {
  readonly from: number
  readonly to: number
}

/** Two loops: one makes, prunes and verifies backups, the other restores. */
export class Restores {
  readonly #context: RestoresContext
  #count = 0
  #comparedTables = 0
  #slowestSeconds = 0

  constructor(context: RestoresContext) {
    this.#context = context
  }

  run(): Promise<void>[] {
    const upkeep = [() => this.#create(), () => this.#create(), () => this.#prune(), () => this.#verify()]
    const restores = [() => this.#intoFolder(), () => this.#intoServer(), () => this.#latest()]
    return [this.#again(upkeep, UPKEEP_PAUSE_MS), this.#again(restores, RESTORE_PAUSE_MS)]
  }

  /** For the end of a run. */
  get summary(): string {
    const { histories } = this.#context
    return `${this.#comparedTables} restored tables compared with ${histories.changes} changes; the slowest restore took ${this.#slowestSeconds.toFixed(1)} s`
  }

  async #again(works: readonly (() => Promise<void>)[], pauseMs: number): Promise<void> {
    const { stop, findings } = this.#context
    while (!stop.stopped) {
      try {
        await randomOf(works)()
      } catch (error) {
        findings.fail('backups and restores', String(error).slice(0, 500))
      }
      await stop.sleep(pauseMs)
    }
  }

  #counted(what: string): void {
    const { counts } = this.#context
    counts.set(what, (counts.get(what) ?? 0) + 1)
  }

  async #create(): Promise<void> {
    await this.#checked('create', '--address', this.#rpc, '--wait')
    this.#counted('backups')
  }

  async #prune(): Promise<void> {
    await this.#checked('prune', '--keep-last', String(1 + randomBelow(4)), '--wait')
    this.#counted('prunes')
  }

  async #verify(): Promise<void> {
    await this.#checked('verify', '--wait')
    this.#counted('verifications')
  }

  get #rpc(): string {
    return `rpc:127.0.0.1:${this.#context.server.rpc}`
  }

  async #intoFolder(): Promise<void> {
    const time = await this.#randomTime()
    if (time === undefined) return
    const folder = this.#newFolder()
    const ran = await this.#restore('--to', folder, '--time', String(time))
    if (ran !== undefined) await this.#compareFolder(folder, time, `the store as of ${time}`)
    this.#counted('restores into a folder')
  }

  /** The last state has all that was acknowledged before the time that the command names. */
  async #latest(): Promise<void> {
    if ((await this.#times()).length === 0) return
    const folder = this.#newFolder()
    const ran = await this.#restore('--to', folder, '--time', 'latest')
    const restored = ran?.lines.map(jsonLine).find(({ kind }) => kind === 'restored')
    const asOf = Number(restored?.['asOf'])
    if (ran !== undefined) await this.#compareFolder(folder, asOf, `the latest store, as of ${asOf}`)
    this.#counted('restores of the latest state')
  }

  /** Under another name, while the server goes on. */
  async #intoServer(): Promise<void> {
    const { histories, server } = this.#context
    const time = await this.#randomTime()
    if (time === undefined) return
    const there = histories.tables.filter(({ existence }) => !existence.possibleAt(time).has(undefined))
    // The time may be one before the first table.
    if (there.length === 0) return
    const table = randomOf(there)
    const other = `restored${this.#count++}`
    const ran = await this.#restore(
      '--to',
      this.#rpc,
      '--table',
      `${table.name}=${other}`,
      '--time',
      String(time),
    )
    const client = new HistoryClient(server.thrift)
    try {
      if (ran !== undefined)
        this.#report(table.differences(time, await client.rows(other)), `${other} as of ${time}`)
      await client.dropTable(other)
    } finally {
      client.close()
    }
    this.#counted('restores into the running server')
  }

  #newFolder(): string {
    return join(this.#context.folder, `restored${this.#count++}`)
  }

  async #compareFolder(folder: string, time: number, where: string): Promise<void> {
    const { histories, findings } = this.#context
    const checked = await tidegate(['check', folder])
    findings.check('a restored store is sound', checked.code === 0, () => checked.text.slice(-500))
    const server = await ChildServer.start(MAIN, [
      'serve',
      '--store',
      `native:${folder}`,
      ...FREE_PORTS,
      '--log-level',
      'warn',
    ])
    const client = new HistoryClient(server.port('thrift'))
    try {
      const names = new Set(await client.tableNames())
      for (const table of histories.tables) {
        const found = names.has(table.name) ? await client.rows(table.name) : undefined
        this.#report(table.differences(time, found), where)
      }
    } finally {
      client.close()
      await server.stop()
    }
    rmSync(folder, { recursive: true })
  }

  #report(differences: readonly string[], where: string): void {
    const { findings } = this.#context
    this.#comparedTables++
    findings.check('a restored table is as it was', differences.length === 0, () => {
      return `${where}: ${differences.length} differences: ${differences.slice(0, 3).join('; ')}`
    })
  }

  /** The times that `list` says can be restored. */
  async #times(): Promise<Times[]> {
    const { lines } = await this.#checked('list')
    return lines.map(jsonLine).flatMap(({ kind, from, to }) => {
      return kind === 'logs' ? [{ from: Number(from), to: Number(to) }] : []
    })
  }

  async #randomTime(): Promise<number | undefined> {
    const times = await this.#times()
    if (times.length === 0) return undefined
    const { from, to } = randomOf(times)
    return from + randomBelow(to - from + 1)
  }

  /** Some are cut off, and run again. Undefined where it failed, which is a finding. */
  async #restore(...args: string[]): Promise<Ran | undefined> {
    const { findings, destination } = this.#context
    const command = ['backup', 'restore', destination, ...args, '--json', '--wait']
    if (args[1] !== this.#rpc && randomBelow(CUT_ONE_OF) === 0) {
      const cut = await tidegate(command, randomBelow(CUT_MS_MAX))
      // It may have ended before.
      if (cut.code === 0) return cut
      this.#counted('restores cut off')
    }
    const from = performance.now()
    const ran = await tidegate(command)
    this.#slowestSeconds = Math.max(this.#slowestSeconds, (performance.now() - from) / 1000)
    // A prune may have taken the time away before the restore had the lock.
    if (ran.code !== 0 && (await this.#isPruned(args))) return undefined
    findings.check(
      'a moment is restored',
      ran.code === 0,
      () => `${args.join(' ')}: ${ran.code}: ${ran.text.slice(-500)}`,
    )
    return ran.code === 0 ? ran : undefined
  }

  async #isPruned(args: readonly string[]): Promise<boolean> {
    const time = Number(args[args.indexOf('--time') + 1])
    const times = await this.#times()
    return !Number.isNaN(time) && times.every(({ from, to }) => time < from || time > to)
  }

  /** A command that must end with code 0. */
  async #checked(name: string, ...args: string[]): Promise<Ran> {
    const ran = await tidegate(['backup', name, this.#context.destination, ...args, '--json'])
    const { findings } = this.#context
    findings.check(`backup ${name}`, ran.code === 0, () => `code ${ran.code}: ${ran.text.slice(-500)}`)
    return ran
  }
}

function jsonLine(line: string): Record<string, unknown> {
  return JSON.parse(line) as Record<string, unknown>
}

/** Runs the command; `cutMs`: it is killed after so long. */
function tidegate(args: readonly string[], cutMs?: number): Promise<Ran> {
  const child: ChildProcess = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  own(child)
  const cut = cutMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), cutMs)
  let [output, errors] = ['', '']
  child.stdout!.on('data', (chunk: Buffer) => void (output += chunk.toString()))
  child.stderr!.on('data', (chunk: Buffer) => void (errors += chunk.toString()))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      clearTimeout(cut)
      resolve({ code, lines: output.split('\n').filter((line) => line !== ''), text: output + errors })
    })
  })
}

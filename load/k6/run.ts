/**
 * REST under k6's load: `npm run load:rest [-- --target engine|cluster|hbase|URL ...] [--scenario NAME ...] [--seconds 10]
 * [--vus 16] [--rounds 2] [--warm-up 3] [--json FILE] [--save]`. Without targets: Tidegate on its engine and HBase's own REST server, in turn. Ends
 * with a table, and with code 1 where requests failed or a p99 is above HBase's. `--save` writes the table to load/results.
 */

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ChildServer } from '../../test/harness/child-server.ts'
import { missingTools } from '../../test/harness/real-hbase/jars.ts'
import { RealHBase } from '../../test/harness/real-hbase/real-hbase.ts'
import { commit } from '../compare/page.ts'
import { serve } from '../compare/target.ts'
import { k6Program } from './k6-program.ts'
import {
  faultsOf,
  figuresOf,
  type K6Summary,
  meanOf,
  REFERENCE,
  type RestFigures,
  restTable,
} from './summary.ts'

const SCRIPT = fileURLToPath(new URL('rest.js', import.meta.url))
/** Below dist/, and the repository's. */
const RESULTS = fileURLToPath(new URL('../../../load/results/', import.meta.url))
const SCENARIOS = [
  'get',
  'get-zipf',
  'put',
  'multiget',
  'batch',
  'scan',
  'scanner',
  'mixed-95-5',
  'mixed-50-50',
] as const
/** k6's code where a threshold did not hold: the summary is there all the same. */
const EXIT_THRESHOLD = 99

const { values } = parseArgs({
  options: {
    target: { type: 'string', multiple: true },
    scenario: { type: 'string', multiple: true },
    seconds: { type: 'string', default: '10' },
    vus: { type: 'string', default: '16' },
    rounds: { type: 'string', default: '2' },
    'warm-up': { type: 'string', default: '3' },
    json: { type: 'string' },
    save: { type: 'boolean', default: false },
  },
})

/** The servers under load, by their names, and how they end. */
class Servers {
  readonly urls = new Map<string, string>()
  readonly #ends: (() => Promise<unknown>)[] = []

  async start(targets: readonly string[]): Promise<void> {
    const needsHBase = targets.includes('cluster') || targets.includes(REFERENCE)
    const hbase = needsHBase ? await this.#startHBase() : undefined
    for (const target of targets) {
      if (target === REFERENCE) this.urls.set(target, url(hbase!.ports.rest))
      else if (target === 'engine')
        this.urls.set(target, await this.#startTidegate(`native:${this.#folder()}`))
      else if (target === 'cluster')
        this.urls.set(target, await this.#startTidegate(`hbase:127.0.0.1:${hbase!.ports.zookeeper}`))
      else this.urls.set(target, target.replace(/\/$/, ''))
    }
  }

  async #startHBase(): Promise<RealHBase> {
    const hbase = await RealHBase.start()
    this.#ends.push(() => hbase.stop())
    return hbase
  }

  async #startTidegate(store: string): Promise<string> {
    const server: ChildServer = await serve(store)
    this.#ends.push(() => server.stop())
    return url(server.port('rest'))
  }

  #folder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'tidegate-rest-'))
    this.#ends.push(async () => rmSync(folder, { recursive: true, force: true }))
    return folder
  }

  async stop(): Promise<void> {
    for (const end of this.#ends.reverse()) await end()
  }
}

function url(port: number): string {
  return `http://127.0.0.1:${port}`
}

function runK6(k6: string, scenario: string, target: string, folder: string, seconds: string): RestFigures {
  const summary = join(folder, 'summary.json')
  const given = {
    URL: target,
    SCENARIO: scenario,
    SECONDS: seconds,
    VUS: values.vus,
    SUMMARY: summary,
  }
  const variables = Object.entries(given).flatMap(([name, value]) => ['-e', `${name}=${value}`])
  try {
    execFileSync(k6, ['run', '--quiet', '--no-usage-report', ...variables, SCRIPT], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  } catch (error) {
    if ((error as { status?: number }).status !== EXIT_THRESHOLD) throw error
  }
  return figuresOf(JSON.parse(readFileSync(summary, 'utf8')) as K6Summary)
}

function chosenTargets(): readonly string[] {
  if (values.target !== undefined) return values.target
  const missing = missingTools()
  if (missing.length === 0) return [REFERENCE, 'engine']
  process.stderr.write(
    `without ${missing.join(' and ')} there is no HBase to compare with: p99 is not judged\n`,
  )
  return ['engine']
}

async function main(): Promise<number> {
  const scenarios = values.scenario ?? SCENARIOS
  const unknown = scenarios.filter((name) => !SCENARIOS.some((known) => known === name))
  if (unknown.length > 0) {
    process.stderr.write(`no scenario ${unknown.join(', ')}: there are ${SCENARIOS.join(', ')}\n`)
    return 2
  }
  const k6 = k6Program()
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-k6-'))
  const servers = new Servers()
  const results = new Map<string, Map<string, RestFigures>>()
  try {
    await servers.start(chosenTargets())
    for (const scenario of scenarios) {
      const rounds = new Map([...servers.urls.keys()].map((side) => [side, [] as RestFigures[]]))
      const run = (target: string, seconds: string): RestFigures =>
        runK6(k6, scenario, target, folder, seconds)
      for (const target of servers.urls.values()) run(target, values['warm-up'])
      for (let round = 0; round < Number(values.rounds); round++) {
        for (const [side, target] of servers.urls) rounds.get(side)!.push(run(target, values.seconds))
      }
      results.set(scenario, new Map([...rounds].map(([side, figures]) => [side, meanOf(figures)])))
      process.stderr.write(`${scenario} done\n`)
    }
  } finally {
    await servers.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return printResults(results)
}

function printResults(results: ReadonlyMap<string, ReadonlyMap<string, RestFigures>>): number {
  const faults = faultsOf(results)
  const table = `${restTable(results)}\n`
  process.stdout.write(table)
  if (values.json !== undefined) {
    const plain = Object.fromEntries([...results].map(([name, sides]) => [name, Object.fromEntries(sides)]))
    writeFileSync(values.json, `${JSON.stringify(plain, undefined, 2)}\n`)
  }
  if (values.save) {
    const date = new Date().toISOString().slice(0, 10)
    const about = `${values.vus} virtual users of k6 on the same machine, ${values.rounds} rounds of ${values.seconds} s in turn.`
    writeFileSync(`${RESULTS}${date}-${commit()}-rest.md`, `# REST under k6\n\n${about}\n\n${table}`)
  }
  for (const fault of faults) process.stdout.write(`${fault}\n`)
  process.stdout.write(`${results.size} scenarios, ${faults.length} faults\n`)
  return faults.length === 0 ? 0 : 1
}

process.exitCode = await main()

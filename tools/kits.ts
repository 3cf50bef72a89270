/**
 * The packages for other people's tests, each with its own tests: `npm run test:kits [-- node|java|python]`. Testcontainers gets a
 * stand-in for Docker's daemon, which runs processes in place of containers; `-- --docker` takes the daemon of this machine, which
 * must have the image `tidegate`. A language that this machine lacks is named and left out.
 */

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { packageRoot } from '../src/package-root.ts'
import { FakeDocker } from '../test/harness/fake-docker/fake-docker.ts'
import { own } from '../test/harness/processes/owned-children.ts'

const ROOT = fileURLToPath(packageRoot())
const MAIN = join(ROOT, 'dist/src/cli/main.js')
type Command = readonly string[]

interface Kit {
  readonly needs: readonly Command[]
  /** Commands that fetch what its tests need, if that is not there. */
  readonly prepare: (folder: string) => readonly Command[]
  readonly test: (folder: string) => readonly Command[]
}

const NPM_CI = ['npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--silent']

const KITS: Readonly<Record<string, Kit>> = {
  node: {
    needs: [['npm', '--version']],
    prepare: (folder) => (existsSync(join(folder, 'node_modules')) ? [] : [NPM_CI]),
    test: () => [
      ['npm', 'test', '--silent'],
      [process.execPath, join(ROOT, 'node_modules/oxlint/bin/oxlint'), '--type-aware', 'src'],
    ],
  },
  java: {
    needs: [
      ['java', '-version'],
      ['mvn', '-version'],
    ],
    prepare: () => [],
    test: () => [['mvn', '-B', '-q', 'verify']],
  },
  python: {
    needs: [['python3', '-m', 'venv', '-h']],
    prepare: (folder) =>
      existsSync(join(folder, '.venv'))
        ? []
        : [
            ['python3', '-m', 'venv', '.venv'],
            ['.venv/bin/python', '-m', 'pip', 'install', '-q', '-e', '.[test]'],
          ],
    test: () => [['.venv/bin/python', '-m', 'pytest', '-q']],
  },
}

async function run([program, ...args]: Command, cwd: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const child = spawn(program!, args, { cwd, env, stdio: 'inherit' })
  own(child)
  const [code] = (await once(child, 'exit')) as [number | null]
  return code === 0
}

async function passes(name: string, kit: Kit, env: NodeJS.ProcessEnv): Promise<boolean> {
  const folder = join(ROOT, 'kits', name)
  for (const command of [...kit.prepare(folder), ...kit.test(folder)])
    if (!(await run(command, folder, env))) return false
  return true
}

const { values, positionals } = parseArgs({
  options: { docker: { type: 'boolean' } },
  allowPositionals: true,
})
const unknown = positionals.filter((name) => KITS[name] === undefined)
if (unknown.length > 0)
  throw new Error(`no kit ${unknown.join(', ')}: there are ${Object.keys(KITS).join(', ')}`)

const docker = values.docker === true ? undefined : await FakeDocker.start()
const env = {
  ...process.env,
  TIDEGATE_COMMAND: MAIN,
  ...(docker !== undefined && {
    DOCKER_HOST: docker.host,
    TESTCONTAINERS_RYUK_DISABLED: 'true',
    TESTCONTAINERS_CHECKS_DISABLE: 'true',
  }),
}
const [passed, failed, left]: string[][] = [[], [], []]
for (const [name, kit] of Object.entries(KITS)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue
  const missing = kit.needs.filter(([program, ...args]) => spawnSync(program!, args).status !== 0)
  if (missing.length > 0) {
    left!.push(name)
    process.stdout.write(
      `${name} did not run: this machine has no ${missing.map(([tool]) => tool).join(' and no ')}\n`,
    )
    continue
  }
  process.stdout.write(`== ${name}\n`)
  const isGood = await passes(name, kit, env)
  ;(isGood ? passed : failed)!.push(name)
}
if (docker !== undefined) {
  for (const request of new Set(docker.unknown))
    process.stdout.write(`the stand-in for Docker refused ${request}\n`)
  const leftOver = docker.containers.filter(({ isRunning }) => isRunning)
  if (leftOver.length > 0) failed!.push(`${leftOver.length} containers still run after the tests`)
  await docker.stop()
}
for (const name of failed!) process.stdout.write(`failed: ${name}\n`)
process.stdout.write(`${passed!.length} passed, ${failed!.length} failed, ${left!.length} left out\n`)
process.exitCode = failed!.length === 0 && passed!.length > 0 ? 0 : 1

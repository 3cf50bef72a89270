/**
 * The commands of docs/install.md as a user types them, in a fresh clone of the last commit: with npm's registry, and with the servers on free
 * ports. Each server takes a row, and returns it.
 */

import { execFile, execFileSync, spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { packageVersion } from '../../src/cli/machine/version.ts'
import { packageRoot } from '../../src/package-root.ts'
import { shBlocks } from '../docs/sh-blocks.ts'
import { own } from '../harness/processes/owned-children.ts'
import { FREE_PORTS, makeTemporaryFolder } from '../harness/tidegate-process.ts'

const execute = promisify(execFile)
const ROOT = fileURLToPath(packageRoot())
const PAGE = 'docs/install.md'
const RUN_BY = 'test/install/install-page.test.ts'
const MINUTES = { timeout: 900_000 }
const TARBALL = `tidegate-${packageVersion()}.tgz`
const BLOCKS = shBlocks(PAGE, readFileSync(PAGE, 'utf8')).filter(({ runBy }) => runBy === RUN_BY)

let folder: string
let checkout: string
let globalConfig: string

beforeAll(() => {
  globalConfig = execFileSync('npm', ['config', 'get', 'globalconfig'], { encoding: 'utf8' }).trim()
  folder = makeTemporaryFolder()
  checkout = join(folder, 'checkout')
  execFileSync('git', ['clone', '--quiet', ROOT, checkout])
}, MINUTES.timeout)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function emptyFolder(name: string): string {
  const made = join(folder, name)
  mkdirSync(made)
  return made
}

/** Commands for all users go into a folder of the test, and its servers keep to the test's settings. */
function environment(): NodeJS.ProcessEnv {
  const prefix = join(folder, 'global')
  const others = Object.entries(process.env).filter(
    ([name]) => !/^(?:npm_|TIDEGATE_|VITEST|NODE_)/i.test(name),
  )
  return {
    ...Object.fromEntries(others),
    PATH: `${join(prefix, 'bin')}:${process.env['PATH']}`,
    XDG_CACHE_HOME: join(folder, 'cache'),
    npm_config_prefix: prefix,
    // Another prefix would hide the machine's settings of npm, such as its registry.
    npm_config_globalconfig: globalConfig,
    npm_config_audit: 'false',
    npm_config_fund: 'false',
  }
}

async function run(command: string, cwd: string): Promise<string> {
  const { stdout, stderr } = await execute('sh', ['-ec', command], { cwd, env: environment() })
  return `${stdout}${stderr}`
}

/** A command that ends with the start of a server: it takes a row, returns it, and ends at Ctrl-C. */
async function serves(command: string, cwd: string): Promise<void> {
  const dashes = command.endsWith('npm start') ? '-- ' : ''
  const script = `${command} ${dashes}${FREE_PORTS.join(' ')}`
  const child = spawn('sh', ['-ec', script], { cwd, env: environment(), detached: true })
  const signal = (name: NodeJS.Signals): void => {
    try {
      process.kill(-child.pid!, name)
    } catch {
      // The whole group has ended.
    }
  }
  own(child, () => signal('SIGKILL'))
  onTestFinished(() => signal('SIGKILL'))
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  let text = ''
  const port = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      text += chunk.toString()
      const [, rest] = /^ready .* rest=127\.0\.0\.1:(\d+)/m.exec(text) ?? []
      if (rest !== undefined) resolve(rest)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    void ended.then(() => reject(new Error(`${script}: ${text}`)))
  })
  await putAndGet(port)
  signal('SIGINT')
  await ended
}

async function curl(...args: readonly string[]): Promise<string> {
  return (await execute('curl', ['-fsS', ...args])).stdout
}

async function putAndGet(port: string): Promise<void> {
  const url = `http://127.0.0.1:${port}/t`
  const json = ['-H', 'Content-Type: application/json']
  await curl('-X', 'PUT', ...json, '-d', '{"ColumnSchema":[{"name":"f"}]}', `${url}/schema`)
  await curl('-X', 'PUT', '-H', 'Content-Type: application/octet-stream', '-d', 'value', `${url}/r/f:q`)
  expect(await curl('-H', 'Accept: application/octet-stream', `${url}/r/f:q`)).toBe('value')
}

/** Runs the page's block that begins so: its lines in order, of which the last may start a server. */
async function runBlock(
  beginning: string,
  cwd: string,
  changed: (line: string) => string = (line) => line,
): Promise<void> {
  const block = BLOCKS.find(({ commands }) => commands.startsWith(beginning))
  if (block === undefined) throw new Error(`no block of ${PAGE} begins with ${beginning}`)
  taken.add(block.line)
  for (const line of block.commands.split('\n').map(changed)) {
    if (/(?:npm start|tidegate demo)$/.test(line)) await serves(line, cwd)
    else await run(line, cwd)
  }
}

const taken = new Set<number>()

test('a checkout is installed, and serves', MINUTES, () => runBlock('npm install && npm start', checkout))

test('the file is packed, and installed for every user', MINUTES, async () => {
  await runBlock('npm pack', checkout)
  const elsewhere = emptyFolder('elsewhere')
  copyFileSync(join(checkout, TARBALL), join(elsewhere, TARBALL))
  await runBlock('npm install --global ./', elsewhere)
  expect(await run('command -v tidegate', elsewhere)).toBe(`${join(folder, 'global/bin/tidegate')}\n`)
})

test.each(['', ' --omit=optional'])('a project installs the file%s', MINUTES, async (flag) => {
  const project = emptyFolder(`project${flag.replaceAll(/\W/g, '')}`)
  await run(`npm install${flag} "${join(checkout, TARBALL)}"`, project)
  await serves('npx tidegate demo', project)
})

test('the executable is built, and needs no Node', MINUTES, async () => {
  await runBlock('npm run build:executable', checkout)
})

test('the repository is installed by its address', MINUTES, () =>
  runBlock('npm install git+file:', emptyFolder('from-git'), (line) =>
    line.replace('/srv/git/tidegate', checkout),
  ),
)

test('a checkout without dev packages names the command that installs them', MINUTES, async () => {
  const clone = join(folder, 'without-dev')
  execFileSync('git', ['clone', '--quiet', ROOT, clone])
  const [, line] = /^ {4}(tidegate: dist\/ is not built: .*)$/m.exec(readFileSync(PAGE, 'utf8')) ?? []
  expect(await run('npm install --omit=dev --foreground-scripts', clone)).toContain(`${line}\n`)
  await expect(run('npm start', clone)).rejects.toMatchObject({
    stderr: expect.stringContaining(line!.slice(10)),
  })
})

test('every block of the page that this test has was run', () => {
  expect(BLOCKS.map(({ line }) => line).filter((line) => !taken.has(line))).toEqual([])
  expect(BLOCKS.length).toBeGreaterThan(4)
})

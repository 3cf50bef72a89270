/**
 * Without Docker or Podman: what the Dockerfile makes, as a folder that a process has as its root. The package comes from
 * `npm pack` and the lock file as in the image; Node and the libraries that it needs come from this machine.
 */

import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { done, run, start } from './commands.ts'
import type { Builder, Container, Ended, Environment } from './container.ts'
import { imageSettings } from './dockerfile.ts'

const NODE = '/usr/local/bin/node'
const ENV = '/usr/bin/env'
const PATH = '/usr/local/bin:/usr/bin:/bin'

/** Undefined where this machine cannot give a process a root of its own: not Linux, or no right to. */
export async function plainRootBuilder(root: string): Promise<Builder | undefined> {
  const probe = await run('unshare', ['--user', '--map-root-user', '--pid', '--fork', 'true'])
  if (probe.code !== 0) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-container-'))
  await fill(folder, root)
  const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8')
  return {
    name: 'a plain root file system',
    start: async (environment) => started(folder, dockerfile, environment),
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

async function fill(folder: string, root: string): Promise<void> {
  const app = join(folder, 'app')
  for (const name of ['app', 'data', 'tmp', 'proc', 'dev', 'usr/local/bin', 'usr/bin'])
    mkdirSync(join(folder, name), { recursive: true })
  const packed = await done('npm', [
    'pack',
    '--silent',
    '--ignore-scripts',
    '--pack-destination',
    folder,
    root,
  ])
  await done('tar', [
    '-xzf',
    join(folder, packed.trim().split('\n').at(-1)!),
    '-C',
    app,
    '--strip-components=1',
  ])
  cpSync(join(root, 'package-lock.json'), join(app, 'package-lock.json'))
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund']
  await done('npm', ['ci', '--prefix', app, '--omit=dev', ...quiet])
  cpSync(process.execPath, join(folder, NODE))
  cpSync(ENV, join(folder, ENV))
  chmodSync(join(app, 'dist/src/cli/main.js'), 0o755)
  symlinkSync('/app/dist/src/cli/main.js', join(folder, 'usr/local/bin/tidegate'))
  for (const library of await libraries(app)) {
    mkdirSync(join(folder, dirname(library)), { recursive: true })
    cpSync(library, join(folder, library), { dereference: true })
  }
}

/** What Node, `env` and the native modules of the package are linked with. */
async function libraries(app: string): Promise<ReadonlySet<string>> {
  const found = readdirSync(join(app, 'node_modules'), { recursive: true, encoding: 'utf8' })
  const modules = found
    .filter((path) => path.endsWith('.node'))
    .map((path) => join(app, 'node_modules', path))
  const listed = await Promise.all(
    [process.execPath, ENV, ...modules].map(async (path) => (await run('ldd', [path])).output),
  )
  const paths = listed.flatMap((text) => [...text.matchAll(/(\/\S+) \(0x/g)].map(([, path]) => path!))
  return new Set(paths.filter((path) => !path.startsWith(app)))
}

function started(folder: string, dockerfile: string, environment: Environment): Container {
  const image = imageSettings(dockerfile)
  const settings = { PATH, ...image.environment, ...environment }
  const own = [
    '--user',
    '--map-root-user',
    '--pid',
    '--fork',
    '--kill-child',
    '--root',
    folder,
    '--wd',
    image.workdir,
  ]
  const command = [...image.entrypoint, ...image.command]
  const { child, output, ended } = start('unshare', [...own, ...command], settings)
  return {
    // Beside the server, with the same root and settings: its process ids are other ones, which no probe cares about.
    exec: async (words) => await run('unshare', [...own, ...words], settings),
    output: async () => output(),
    ended: async () => await ended,
    stop: async (): Promise<Ended> => {
      const children = `/proc/${child.pid}/task/${child.pid}/children`
      // None where the server has ended by itself: its output says why.
      const first = existsSync(children) ? readFileSync(children, 'utf8').trim() : ''
      if (first !== '') process.kill(Number(first), 'SIGTERM')
      return await ended
    },
  }
}

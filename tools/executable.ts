/** Writes an executable of Tidegate, which needs no Node on the machine: `npm run build:executable -- FILE`. */

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'
import { packageVersion } from '../src/cli/machine/version.ts'
import { packageRoot } from '../src/package-root.ts'
import { installCopies, pack } from '../test/harness/packed-packages.ts'

/** Node looks for this text in itself: its own documentation states it. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'
const WINDOW_BITS = 24
/** The best quality takes a minute, and saves two megabytes. */
const QUALITY = 8
const DIGEST_CHARACTERS = 12
const START = 'exports.start = (file) => import(file)\n'
/** Files of packages that no program reads. */
const UNREAD =
  /\.(?:md|markdown|map|d\.[cm]?ts|c|cc|cpp|h|hpp|gyp|gypi|tsbuildinfo)$|(?:^|\/)(?:test|tests|docs|example|examples|benchmark|man)\//

interface PackedFile {
  readonly path: string
  readonly mode: number
  readonly content: Buffer
}

/** Every file below the folder, in order of their paths. */
function filesOf(folder: string): PackedFile[] {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
  return names
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort()
    .map((path) => ({
      path: relative(folder, path),
      mode: statSync(path).mode & 0o777,
      content: readFileSync(path),
    }))
}

function archiveOf(files: readonly PackedFile[]): Buffer {
  const head = Buffer.from(
    JSON.stringify(files.map(({ path, mode, content }) => ({ path, mode, bytes: content.length }))),
  )
  const length = Buffer.alloc(4)
  length.writeUInt32BE(head.length)
  const whole = Buffer.concat([length, head, ...files.map(({ content }) => content)])
  return brotliCompressSync(whole, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: whole.length,
    },
  })
}

/** The package and the packages that it runs on, for this machine. */
function installation(folder: string): PackedFile[] {
  installCopies(folder, pack(folder))
  const modules = filesOf(join(folder, 'node_modules'))
  const inPackage = 'tidegate/'
  return [
    { path: 'start.cjs', mode: 0o644, content: Buffer.from(START) },
    ...modules
      .filter(({ path }) => path.startsWith(inPackage))
      .map((file) => ({ ...file, path: file.path.slice(inPackage.length) })),
    ...modules
      .filter(({ path }) => !path.startsWith(inPackage) && !path.startsWith('.') && !UNREAD.test(path))
      .map((file) => ({ ...file, path: join('node_modules', file.path) })),
  ]
}

function writeExecutable(target: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-executable-'))
  try {
    const files = archiveOf(installation(folder))
    const digest = createHash('sha256').update(files).digest('hex').slice(0, DIGEST_CHARACTERS)
    const inFolder = (name: string, content: string | Buffer): string => {
      const path = join(folder, name)
      writeFileSync(path, content)
      return path
    }
    const loader = fileURLToPath(new URL('tools/executable/loader.cjs', packageRoot()))
    const blob = join(folder, 'blob')
    const config = {
      main: loader,
      output: blob,
      disableExperimentalSEAWarning: true,
      assets: {
        name: inFolder('name', `${packageVersion()}-${digest}`),
        files: inFolder('files', files),
      },
    }
    const settings = inFolder('sea.json', JSON.stringify(config))
    execFileSync(process.execPath, ['--experimental-sea-config', settings], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    copyFileSync(process.execPath, target)
    chmodSync(target, 0o755)
    const injector = createRequire(import.meta.url).resolve('postject/dist/cli.js')
    const injected = [injector, target, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', FUSE]
    execFileSync(process.execPath, injected, { stdio: ['ignore', 'ignore', 'inherit'] })
    process.stdout.write(
      `${target}: ${megabytes(statSync(target).size)}, ${megabytes(files.length)} of them Tidegate, on Node ${process.version}\n`,
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_000_000)} MB`
}

const [path = 'tidegate'] = process.argv.slice(2)
writeExecutable(resolve(path))

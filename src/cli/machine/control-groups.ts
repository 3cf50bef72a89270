/** The Linux control groups (cgroups) that the process is in, of version 1 or 2. */

import { readFileSync } from 'node:fs'
import { posix } from 'node:path'

/** Returns a file's text; undefined where it cannot be read. */
export type ReadText = (path: string) => string | undefined

/** A group's folder. */
export interface ControlGroup {
  readonly version: 1 | 2
  readonly folder: string
}

/** A mounted hierarchy of groups, and the group in it that the process is in. */
interface Hierarchy {
  readonly version: 1 | 2
  readonly mountPoint: string
  /** The folder of the group, within the mount point or the same. */
  readonly folder: string
}

/** The process's groups in which the controller, such as `memory`, may have limits, and those around them. */
export function controlGroups(controller: string, read: ReadText = readText): ControlGroup[] {
  const groups: ControlGroup[] = []
  for (const { version, mountPoint, folder } of hierarchies(controller, read)) {
    for (let at = folder; ; at = posix.dirname(at)) {
      groups.push({ version, folder: at })
      if (at === mountPoint || at === '/') break
    }
  }
  return groups
}

function hierarchies(controller: string, read: ReadText): Hierarchy[] {
  const groups = read('/proc/self/cgroup') ?? ''
  const found: Hierarchy[] = []
  for (const line of groups.split('\n')) {
    const [, id, controllers, path] = /^(\d+):([^:]*):(.*)$/.exec(line) ?? []
    if (path === undefined) continue
    const isV2 = id === '0' && controllers === ''
    if (!isV2 && !controllers!.split(',').includes(controller)) continue
    const version = isV2 ? 2 : 1
    const { root, mountPoint } = mountOf(version, controller, read)
    found.push({ version, mountPoint, folder: folderOf(path, root, mountPoint) })
  }
  return found
}

/** A container sees its own group as the root of the mount, and may have a path that lies outside of it. */
function folderOf(path: string, root: string, mountPoint: string): string {
  const isWithin = root === '/' || path === root || path.startsWith(`${root}/`)
  const rest = isWithin ? path.slice(root === '/' ? 0 : root.length) : ''
  const folder = posix.join(mountPoint, rest)
  return folder === mountPoint || folder.startsWith(`${mountPoint}/`) ? folder.replace(/\/$/, '') : mountPoint
}

/** `root`: the group that is seen at the mount point. */
function mountOf(
  version: 1 | 2,
  controller: string,
  read: ReadText,
): { readonly root: string; readonly mountPoint: string } {
  for (const line of (read('/proc/self/mountinfo') ?? '').split('\n')) {
    const [mount = '', system = ''] = line.split(' - ')
    const [type, , options = ''] = system.split(' ')
    const [, , , root, mountPoint] = mount.split(' ')
    if (root === undefined || mountPoint === undefined) continue
    if (version === 2 ? type === 'cgroup2' : type === 'cgroup' && options.split(',').includes(controller))
      return { root, mountPoint }
  }
  return { root: '/', mountPoint: version === 2 ? '/sys/fs/cgroup' : `/sys/fs/cgroup/${controller}` }
}

export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
